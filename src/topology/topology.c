// The base of every topology: lists of elements that are given or derived, and its points.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/topology.h"

#include "base/array.h"
#include "scene/scene.h"
#include "topology/adjacency.h"
#include "topology/container.h"
#include "topology/mesh_topology.h"
#include "topology/recipes.h"

const size_t st_element_size[ST_ELEMENT_KINDS] = {2, 3, 4, 4, 8, 6, 5};

static void drop_early_edges(st_topology *topology) {
    if (!topology->derived[ST_EDGE]) return;

    topology->derived[ST_EDGE] = topology->made[ST_EDGE] = false;
    topology->elements[ST_EDGE].count = 0;
}

// Components that come before the topology in their node ask before it is initialized: they get what is linked so far.
// All lists come at once, so all are checked.
static void pull_early(st_topology *topology, st_element kind) {
    st_object *object = &topology->object;
    const int field = st_field_of_member(object, &topology->elements[kind]);
    if (field < 0 || !object->data[field].dirty) return;

    st_adjacency_drop(topology);
    drop_early_edges(topology);
    st_pull(object);

    for (int k = 0; k < ST_ELEMENT_KINDS; k++) st_topology_check_vertices(topology, (st_element)k);
}

// Their elements have edges, too: those that init is going to derive. Grids make all their lists at init.
static void derive_edges_early(st_topology *topology) {
    st_object *object = &topology->object;
    st_uints *edges = &topology->elements[ST_EDGE];
    const bool container = st_is_a(object, &st_point_set_topology_container_class);

    // given edges stay, and so do lists that are made at init
    if (edges->count || topology->derived[ST_EDGE] || !st_topology_holds(topology, ST_EDGE)) return;
    if (!container && object->type->init != st_mesh_topology_class.init) return;

    // are there elements yet that edges can be derived from?
    size_t count = 0;
    for (int k = ST_TRIANGLE; k <= ST_HEXAHEDRON; k++)
        if (!container || k == (int)st_container_kind(topology))
            count += st_topology_elements(topology, (st_element)k)->count;
    if (count == 0) return;

    st_unlink_field(object, edges); // an empty list that it follows would undo the derived one
    topology->derived[ST_EDGE] = topology->made[ST_EDGE] = true;

    if (!(container ? st_derive_container_parts(topology, st_container_kind(topology), ST_EDGE)
                    : st_derive_mesh_elements(topology, ST_EDGE)))
        st_message(object, ST_ERROR, "out of memory while the edges were derived");

    st_touch(object, edges);
}

const st_uints *st_topology_elements(st_topology *topology, st_element kind) {
    const st_topology_ops *ops = topology->object.type->topology;

    // a component that comes before the topology asks for what is there already
    if (topology->object.validity == ST_UNDEFINED) {
        pull_early(topology, kind);
        if (kind == ST_EDGE) derive_edges_early(topology);
    }

    if (topology->derived[kind] && !topology->made[kind]) {
        topology->made[kind] = true;
        if (ops->derive) ops->derive(topology, kind);
        st_touch(&topology->object, &topology->elements[kind]);
    }

    return &topology->elements[kind];
}

void st_topology_invalidate(st_topology *topology) {
    st_adjacency_drop(topology);

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

st_element st_topology_type(st_topology *topology) {
    static const st_element order[] = {ST_HEXAHEDRON, ST_TETRAHEDRON, ST_PRISM, ST_PYRAMID,
                                       ST_QUAD,       ST_TRIANGLE,    ST_EDGE};

    if (st_is_a(&topology->object, &st_point_set_topology_container_class)) return st_container_kind(topology);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (st_topology_elements(topology, order[i])->count) return order[i];
    return ST_ELEMENT_KINDS;
}

// ---------------------------------------------------------------------------------------------------
// Checks
// ---------------------------------------------------------------------------------------------------

// Without positions: numbers that a mesh with so few elements has no use for would only cost memory.
static size_t vertex_limit(const st_topology *topology, size_t references) {
    if (topology->position.count) return topology->position.count;
    const size_t generous = 64 * references, enough = (size_t)1 << 24;
    return generous < enough ? enough : generous > INT32_MAX ? INT32_MAX : generous;
}

st_status st_topology_check_vertices(st_topology *topology, st_element kind) {
    st_uints *list = &topology->elements[kind];
    const size_t size = st_element_size[kind], references = list->count * size;
    const size_t limit = vertex_limit(topology, references);

    for (size_t i = 0; i < references; i++) {
        if (list->data[i] < limit) continue;

        // the whole list is useless: what refers to its elements would mean others
        const uint32_t vertex = list->data[i];
        list->count = 0;
        return st_invalid(&topology->object, "%s %zu has vertex %u, but there are only %zu points: no %s is kept",
                          st_element_names[kind], i / size, vertex, limit, st_element_names[kind]);
    }
    return ST_OK;
}

size_t st_topology_used_points(const st_topology *topology, st_element kind) {
    const st_uints *list = &topology->elements[kind];
    size_t count = 0;

    for (size_t i = 0; i < list->count * st_element_size[kind]; i++)
        if (list->data[i] >= count) count = (size_t)list->data[i] + 1;
    return count;
}

// ---------------------------------------------------------------------------------------------------
// Filling again
// ---------------------------------------------------------------------------------------------------

bool st_topology_holds(const st_topology *topology, st_element kind) {
    return st_field_of_member(&topology->object, &topology->elements[kind]) >= 0;
}

void st_topology_clear(st_topology *topology) {
    st_adjacency_drop(topology);

    for (int kind = ST_EDGE; kind <= ST_HEXAHEDRON; kind++) {
        st_unlink_field(&topology->object, &topology->elements[kind]);
        topology->elements[kind].count = 0;
        topology->derived[kind] = topology->made[kind] = false;
        st_touch(&topology->object, &topology->elements[kind]);
    }
}

void st_topology_set_points(st_topology *topology, size_t count) {
    topology->point_count = count;
    if (st_is_a(&topology->object, &st_point_set_topology_container_class)) st_container_set_points(topology, count);
}

st_status st_topology_init_again(st_topology *topology) {
    st_object *object = &topology->object;
    const st_status status = object->type->init ? object->type->init(object) : ST_OK;
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) st_touch(object, &topology->elements[kind]);

    object->validity = status == ST_OK ? ST_VALID : ST_BROKEN;
    return status;
}

static void topology_destroy(st_object *object) { st_adjacency_drop((st_topology *)object); }

// ---------------------------------------------------------------------------------------------------
// Class
// ---------------------------------------------------------------------------------------------------

static const st_field fields[] = {
    ST_FIELD(st_topology, position, "position", st_type_vec3s, NULL, "initial positions of the points",
             .aliases = "points"),
    ST_FIELD(st_topology, filename, "filename", st_type_file, NULL,
             "mesh file to read at init; its lists replace all others", .aliases = "fileTopology",
             .flags = ST_FIELD_NO_SRC),
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
    .destroy = topology_destroy,
    .topology = &ops,
};
