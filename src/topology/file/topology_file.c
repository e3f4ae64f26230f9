// The mesh file of a topology: what its attribute `filename` names.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "base/text.h"
#include "topology/file/mesh_formats.h"
#include "topology/file/mesh_scan.h"
#include "topology/file/obj_file.h"
#include "topology/topology.h"

static bool take_obj(st_mesh *mesh, const st_obj *obj) {
    st_uints vertex_of = {0};
    const st_obj_elements to = {.edges = &mesh->elements[ST_EDGE],
                                .triangles = &mesh->elements[ST_TRIANGLE],
                                .quads = &mesh->elements[ST_QUAD]};

    bool ok = st_list_set_count(&vertex_of, obj->corners.count, 1);

    // corners become their points: seams of texture coordinates and normals do not split points here
    for (size_t i = 0; ok && i < obj->corners.count; i++) vertex_of.data[i] = (uint32_t)obj->corners.data[i].point;
    for (size_t i = 0; ok && i < obj->points.count; i++) ok = st_mesh_add_point(mesh, obj->points.data + 3 * i);
    for (size_t i = 0; ok && i < obj->faces.count; i++) ok = st_obj_add_face(&to, &obj->faces.data[i], vertex_of.data);

    st_list_free(&vertex_of);
    return ok;
}

bool st_obj_mesh_read(st_mesh *mesh, st_mesh_file *file) {
    st_obj obj = {0};
    const bool ok = st_obj_read(&obj, file) && (take_obj(mesh, &obj) || st_mesh_scan_no_memory(file));
    st_obj_free(&obj);
    return ok;
}

bool st_mesh_read_topology(st_mesh *mesh, st_object *object, const char *path) {
    const bool obj = st_text_ends_with(path, ".obj");
    st_mesh_file file;

    if (path && *path && !obj && !st_text_ends_with(path, ".msh")) {
        st_message(object, ST_ERROR,
                   "unable to load \"%s\": the filename of a topology must end in .obj or .msh; use a "
                   "loader for other formats",
                   path);
        return false;
    }

    if (!st_mesh_file_open(&file, object, path)) return false;

    // what was read before the error is dropped
    const bool ok = obj ? st_obj_mesh_read(mesh, &file) : st_gmsh_read(mesh, &file);
    st_mesh_file_close(&file);

    if (!ok) st_mesh_free(mesh);
    return ok;
}

// The topology and the mesh exchange their lists; whoever is freed frees what the other had.
static void topology_file_exchange(st_topology *topology, st_mesh *mesh) {
    const st_reals position = topology->position;
    topology->position = mesh->position;
    mesh->position = position;
    st_touch(&topology->object, &topology->position);

    // kinds that this topology does not hold stay with the mesh, and are freed with it
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

    // the file replaces all lists, also those that were given
    if (ok) {
        st_topology_clear(topology);
        topology_file_exchange(topology, &mesh);
        st_topology_set_points(topology, topology->position.count);
    }

    st_mesh_free(&mesh);
    return ok ? ST_OK : ST_INVALID;
}
