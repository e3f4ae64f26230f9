// The base of every topology: lists of elements that are given or derived, and its points.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/topology.h"

#include "base/array.h"
#include "topology/tables.h"

const int st_element_size[ST_ELEMENT_KINDS] = {2, 3, 4, 4, 8, 6, 5};

const st_uints *st_topology_elements(st_topology *topology, st_element kind) {
    const st_topology_ops *ops = topology->object.type->topology;
    if (topology->derived[kind] && !topology->made[kind]) {
        topology->made[kind] = true;
        if (ops->derive) ops->derive(topology, kind);
        st_touch(&topology->object, &topology->elements[kind]);
    }
    return &topology->elements[kind];
}

void st_topology_invalidate(st_topology *topology) {
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) {
        if (!topology->derived[kind]) continue;
        topology->made[kind] = false;
        topology->elements[kind].count = 0;
    }
}

size_t st_topology_points(const st_topology *topology) {
    const st_topology_ops *ops = topology->object.type->topology;
    return ops->points ? ops->points(topology) : topology->point_count;
}

bool st_topology_point(const st_topology *topology, size_t index, st_real p[3]) {
    const st_topology_ops *ops = topology->object.type->topology;
    if (ops->point) return ops->point(topology, index, p);
    if (index >= topology->position.count) return false;
    for (int i = 0; i < 3; i++) p[i] = topology->position.data[3 * index + (size_t)i];
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Look-ups
// ---------------------------------------------------------------------------------------------------

st_topology *st_local_topology(const st_node *node) {
    for (size_t i = node->objects.count; i-- > 0;)
        if (st_has_role(node->objects.data[i], ST_ROLE(topology))) return (st_topology *)node->objects.data[i];
    return NULL;
}

st_topology *st_context_topology(const st_node *node, st_object *link) {
    if (link) return (st_topology *)link;
    for (; node; node = node->parent) {
        st_topology *local = st_local_topology(node);
        if (local) return local;
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// Derivation
// ---------------------------------------------------------------------------------------------------

static bool append(st_uints *list, const uint32_t *vertices, int size) {
    const size_t at = list->count;
    if (!st_list_set_count(list, at + 1, size)) return false;
    for (int i = 0; i < size; i++) list->data[at * (size_t)size + (size_t)i] = vertices[i];
    return true;
}

// True unless memory is out: an element that is there already is not an error.
static bool append_new(st_uints *list, st_element_set *known, const uint32_t *vertices, int size) {
    switch (st_element_set_add(known, vertices, size, (uint32_t)list->count)) {
    case ST_SET_ADDED: return append(list, vertices, size);
    case ST_SET_KNOWN: return true;
    default: return false;
    }
}

bool st_derive_edge(st_uints *edges, st_element_set *known, uint32_t a, uint32_t b, bool sorted) {
    const bool swap = sorted && b < a;
    return append_new(edges, known, (uint32_t[]){swap ? b : a, swap ? a : b}, 2);
}

bool st_derive_face(st_uints *faces, st_element_set *known, const uint32_t *vertices, int size) {
    int first = 0;
    for (int i = 1; i < size; i++)
        if (vertices[i] < vertices[first]) first = i;
    uint32_t turned[4];
    for (int i = 0; i < size; i++) turned[i] = vertices[(first + i) % size];
    return append_new(faces, known, turned, size);
}

static bool derive_edges(st_uints *edges, st_element_set *known, const st_uints *elements, int size,
                         const int (*table)[2], int table_count, bool sorted) {
    for (size_t e = 0; e < elements->count; e++) {
        const uint32_t *v = elements->data + e * (size_t)size;
        for (int j = 0; j < table_count; j++)
            if (!st_derive_edge(edges, known, v[table[j][0]], v[table[j][1]], sorted)) return false;
    }
    return true;
}

bool st_derive_triangle_edges(st_uints *edges, st_element_set *known, const st_uints *triangles) {
    return derive_edges(edges, known, triangles, 3, st_triangle_edges, 3, false);
}

static bool derive_mesh_edges(st_topology *topology, st_uints *edges, st_element_set *known) {
    const st_uints *tetrahedra = st_topology_elements(topology, ST_TETRAHEDRON);
    const st_uints *hexahedra = st_topology_elements(topology, ST_HEXAHEDRON);
    if (tetrahedra->count || hexahedra->count)
        return derive_edges(edges, known, tetrahedra, 4, st_tetrahedron_edges, 6, true) &&
               derive_edges(edges, known, hexahedra, 8, st_hexahedron_edges, 12, true);
    return st_derive_triangle_edges(edges, known, st_topology_elements(topology, ST_TRIANGLE)) &&
           derive_edges(edges, known, st_topology_elements(topology, ST_QUAD), 4, st_quad_edges, 4, true);
}

static bool derive_mesh_triangles(st_topology *topology, st_uints *triangles, st_element_set *known) {
    const st_uints *tetrahedra = st_topology_elements(topology, ST_TETRAHEDRON);
    for (size_t e = 0; e < tetrahedra->count; e++)
        for (int j = 0; j < 4; j++) {
            const uint32_t *v = tetrahedra->data + 4 * e;
            const int *t = st_tetrahedron_triangles[j];
            if (!st_derive_face(triangles, known, (uint32_t[]){v[t[0]], v[t[1]], v[t[2]]}, 3)) return false;
        }
    return true;
}

static bool derive_mesh_quads(st_topology *topology, st_uints *quads, st_element_set *known) {
    const st_uints *hexahedra = st_topology_elements(topology, ST_HEXAHEDRON);
    for (size_t e = 0; e < hexahedra->count; e++)
        for (int j = 0; j < 6; j++) {
            const uint32_t *v = hexahedra->data + 8 * e;
            const int *q = st_hexahedron_quads[j];
            if (!st_derive_face(quads, known, (uint32_t[]){v[q[0]], v[q[1]], v[q[2]], v[q[3]]}, 4)) return false;
        }
    return true;
}

bool st_derive_mesh_elements(st_topology *topology, st_element kind) {
    st_element_set known = {0};
    st_uints *list = &topology->elements[kind];
    list->count = 0;
    bool ok = true;
    if (kind == ST_EDGE) ok = derive_mesh_edges(topology, list, &known);
    if (kind == ST_TRIANGLE) ok = derive_mesh_triangles(topology, list, &known);
    if (kind == ST_QUAD) ok = derive_mesh_quads(topology, list, &known);
    st_element_set_free(&known);
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Class
// ---------------------------------------------------------------------------------------------------

static const st_field fields[] = {
    ST_FIELD(st_topology, position, "position", st_type_vec3s, NULL, "initial positions of the points",
             .aliases = "points"),
    ST_FIELDS_END,
};

static const st_topology_ops ops = {0};

const st_class st_topology_class = {
    .name = "BaseMeshTopology",
    .help = "what every mesh has",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_topology),
    .flags = ST_CLASS_ABSTRACT,
    .topology = &ops,
};
