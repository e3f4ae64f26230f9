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

static const char *const kind_names[ST_ELEMENT_KINDS] = {"edge",       "triangle", "quad",   "tetrahedron",
                                                         "hexahedron", "prism",    "pyramid"};

// Vertices must exist where positions are given, and be numbers that an index can count. A list that breaks this would
// be read out of bounds by everyone: it is emptied.
static st_status check_vertices(st_topology *topology, st_element kind) {
    st_uints *list = &topology->elements[kind];
    const size_t limit = topology->position.count ? topology->position.count : (size_t)INT32_MAX;
    const size_t size = (size_t)st_element_size[kind];
    for (size_t i = 0; i < list->count * size; i++) {
        if (list->data[i] < limit) continue;
        const size_t element = i / size;
        const uint32_t vertex = list->data[i];
        list->count = 0;
        return st_invalid(&topology->object, "%s %zu has vertex %u, but there are only %zu points: no %s is kept",
                          kind_names[kind], element, vertex, limit, kind_names[kind]);
    }
    return ST_OK;
}

static size_t used_points(const st_topology *topology) {
    size_t count = 0;
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) {
        const st_uints *list = &topology->elements[kind];
        for (size_t i = 0; i < list->count * (size_t)st_element_size[kind]; i++)
            if (list->data[i] >= count) count = (size_t)list->data[i] + 1;
    }
    return count;
}

static st_status init(st_object *object) {
    st_topology *topology = (st_topology *)object;
    st_status status = ST_OK;
    st_topology_invalidate(topology);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) {
        const st_status checked = check_vertices(topology, (st_element)kind);
        if (checked != ST_OK) status = checked;
    }
    if (topology->point_count == 0) topology->point_count = used_points(topology);
    for (int kind = ST_EDGE; kind <= ST_QUAD; kind++)
        if (topology->elements[kind].count == 0) topology->derived[kind] = true;
    // Fields are linked to and printed as they stand, so the derived lists are made now.
    for (int kind = ST_EDGE; kind <= ST_QUAD; kind++) st_topology_elements(topology, (st_element)kind);
    return status;
}

static void derive(st_topology *topology, st_element kind) {
    if (!st_derive_mesh_elements(topology, kind))
        st_message(&topology->object, ST_ERROR, "out of memory while the %ss were derived", kind_names[kind]);
}

static const st_topology_ops ops = {.derive = derive};

const st_class st_mesh_topology_class = {
    .name = "MeshTopology",
    .help = "a mesh that does not change, from attributes or links",
    .parent = &st_topology_class,
    .fields = fields,
    .size = sizeof(st_mesh_topology),
    .example = "<MeshTopology position=\"0 0 0  1 0 0  0 1 0  0 0 1\" tetrahedra=\"0 1 2 3\"/>",
    .init = init,
    .topology = &ops,
};
