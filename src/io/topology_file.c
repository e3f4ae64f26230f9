// The mesh file of a topology: what its attribute `filename` names.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/mesh_reader.h"
#include "topology/topology.h"

// The topology and the mesh exchange their lists; whoever is freed frees what the other had.
static void exchange(st_topology *topology, st_mesh *mesh) {
    const st_reals position = topology->position;
    topology->position = mesh->position;
    mesh->position = position;
    st_touch(&topology->object, &topology->position);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) {
        if (!st_topology_holds(topology, (st_element)kind)) continue;
        const st_uints list = topology->elements[kind];
        topology->elements[kind] = mesh->elements[kind];
        mesh->elements[kind] = list;
        st_touch(&topology->object, &topology->elements[kind]);
    }
}

st_status st_topology_read_file(st_topology *topology) {
    if (!topology->filename || !*topology->filename) return ST_OK;
    st_mesh mesh = {0};
    const bool ok = st_mesh_read_topology(&mesh, &topology->object, topology->filename);
    if (ok) {
        st_topology_clear(topology);
        exchange(topology, &mesh);
        st_topology_set_points(topology, topology->position.count);
    }
    st_mesh_free(&mesh);
    return ok ? ST_OK : ST_INVALID;
}
