// MeshTopology: a mesh that does not change, its lists given by attributes or links.
//
// Edges, triangles and quads that are not given are derived: triangles from tetrahedra and quads from hexahedra (turned
// so that the smallest vertex comes first), edges from the volumes (small vertex first), else from the surfaces.
// An element is the same when its vertices are; the first one met is kept.
//
// The number of points comes from the elements, 1 + the largest vertex: points that no element uses do not count.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/mesh_topology.h"

#include "base/array.h"
#include "scene/scene.h"
#include "topology/recipes.h"

static const st_field fields[] = {
    ST_FIELD(st_topology, elements[ST_EDGE], "edges", st_type_edges, NULL, "edges; derived when empty",
             .aliases = "lines"),
    ST_FIELD(st_topology, elements[ST_TRIANGLE], "triangles", st_type_triangles, NULL,
             "triangles; derived from the tetrahedra when empty"),
    ST_FIELD(st_topology, elements[ST_QUAD], "quads", st_type_quads, NULL,
             "quads; derived from the hexahedra when empty"),
    ST_FIELD(st_topology, elements[ST_TETRAHEDRON], "tetrahedra", st_type_tetrahedra, NULL, "tetrahedra",
             .aliases = "tetras"),
    ST_FIELD(st_topology, elements[ST_HEXAHEDRON], "hexahedra", st_type_hexahedra, NULL, "hexahedra",
             .aliases = "hexas"),
    ST_FIELD(st_topology, elements[ST_PRISM], "prisms", st_type_prisms, NULL, "prisms"),
    ST_FIELD(st_topology, elements[ST_PYRAMID], "pyramids", st_type_pyramids, NULL, "pyramids"),
    ST_FIELD(st_mesh_topology, uv, "uv", st_type_vec2s, NULL, "texture coordinates of the points",
             .aliases = "texcoords"),
    ST_FIELD(st_mesh_topology, compute_all_buffers, "computeAllBuffers", st_type_bool, "0",
             "neighborhoods are always made when they are needed", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_mesh_topology, draw[0], "drawEdges", st_type_bool, "0", "draw the edges", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(st_mesh_topology, draw[1], "drawTriangles", st_type_bool, "0", "draw the triangles",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(st_mesh_topology, draw[2], "drawQuads", st_type_bool, "0", "draw the quads", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(st_mesh_topology, draw[3], "drawTetrahedra", st_type_bool, "0", "draw the tetrahedra",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(st_mesh_topology, draw[4], "drawHexahedra", st_type_bool, "0", "draw the hexahedra",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static size_t used_points(const st_topology *topology) {
    size_t count = 0;

    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) {
        const size_t used = st_topology_used_points(topology, (st_element)kind);
        if (used > count) count = used;
    }
    return count;
}

static st_status mesh_topology_init(st_object *object) {
    st_topology *topology = (st_topology *)object;
    st_status status = st_topology_read_file(topology);
    st_topology_invalidate(topology);

    // every list is checked, so that one run reports all that is wrong
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) {
        const st_status checked = st_topology_check_vertices(topology, (st_element)kind);
        if (checked != ST_OK) status = checked;
    }

    if (topology->point_count == 0) topology->point_count = used_points(topology);

    // what is not given is derived
    for (int kind = ST_EDGE; kind <= ST_QUAD; kind++)
        if (topology->elements[kind].count == 0) {
            st_unlink_field(object,
                            &topology->elements[kind]); // an empty list that it follows would undo the derived one
            topology->derived[kind] = true;
        }

    // Fields are linked to and printed as they are, so the derived lists are made now.
    for (int kind = ST_EDGE; kind <= ST_QUAD; kind++) st_topology_elements(topology, (st_element)kind);
    return status;
}

void st_mesh_apply_ranges(const st_object *object, const st_real *const range[3], st_real scale, st_real min[3],
                          st_real max[3]) {
    for (int i = 0; i < 3; i++)
        if (!st_is_set(object, &range[i][0]) || !st_is_set(object, &range[i][1])) return;

    for (int i = 0; i < 3; i++) {
        min[i] = range[i][0] * scale;
        max[i] = range[i][1] * scale;
    }
}

static void mesh_topology_derive(st_topology *topology, st_element kind) {
    if (!st_derive_mesh_elements(topology, kind))
        st_message(&topology->object, ST_ERROR, "out of memory while the %ss were derived", st_element_names[kind]);
}

static const st_topology_ops ops = {.derive = mesh_topology_derive};

const st_class st_mesh_topology_class = {
    .name = "MeshTopology",
    .help = "a mesh that does not change, from attributes or links",
    .parent = &st_topology_class,
    .fields = fields,
    .size = sizeof(st_mesh_topology),
    .example = "<MeshTopology position=\"0 0 0  1 0 0  0 1 0  0 0 1\" tetrahedra=\"0 1 2 3\"/>",
    .init = mesh_topology_init,
    .topology = &ops,
};
