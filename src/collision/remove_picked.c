// Removing elements of a collision model from the mesh behind it, in SOFA's way:
//
//     1. items      of the model's mesh: the first tetrahedron at a triangle, the first hexahedron at its quad, else the face;
//                   for points the triangles around them, for spheres the points, for lines the edges
//     2. climbing   as long as a topological mapping of the node makes this mesh from one that can change, to the element
//                   that each comes from
//     3. removal    by the modifier of the mesh that is reached, with what gets isolated
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/remove_picked.h"

#include "base/array.h"
#include "topology/adjacency.h"
#include "topology/edit.h"
#include "topology/mapping/topological_mapping.h"

typedef struct picked {
    const st_collision_model *model;
    st_topology *topology;
    st_uints items;
    bool ok;
} picked;

static void add_item(picked *p, uint32_t item) {
    for (size_t i = 0; i < p->items.count; i++)
        if (p->items.data[i] == item) return;
    p->ok = p->ok && st_list_push(&p->items, item);
}

// The first element of a volume at one of its faces.
static void add_behind(picked *p, st_element volume, st_element face, uint32_t index) {
    const st_shell shell = st_shell_of(st_topology_around(p->topology, volume, face), index);
    if (shell.count) add_item(p, shell.ids[0]);
}

static void add_triangle(picked *p, uint32_t index) {
    const size_t triangles = st_topology_elements(p->topology, ST_TRIANGLE)->count;
    if (st_topology_elements(p->topology, ST_TETRAHEDRON)->count) add_behind(p, ST_TETRAHEDRON, ST_TRIANGLE, index);
    else if (st_topology_elements(p->topology, ST_HEXAHEDRON)->count) add_behind(p, ST_HEXAHEDRON, ST_QUAD, index / 2);
    else add_item(p, index < triangles ? index : (uint32_t)((index + triangles) / 2));
}

// How many elements the model has on the mesh as it is now.
static size_t model_elements(const picked *p) {
    switch (p->model->primitive) {
    case ST_PRIMITIVE_TRIANGLE:
        return st_topology_elements(p->topology, ST_TRIANGLE)->count +
               2 * st_topology_elements(p->topology, ST_QUAD)->count;
    case ST_PRIMITIVE_LINE: return st_topology_elements(p->topology, ST_EDGE)->count;
    default: return st_topology_points(p->topology);
    }
}

static void add_picked(picked *p, uint32_t index) {
    if (index >= model_elements(p)) return; // gone since it was picked
    if (p->model->primitive == ST_PRIMITIVE_TRIANGLE) add_triangle(p, index);
    else if (p->model->primitive == ST_PRIMITIVE_POINT) {
        const st_shell shell = st_shell_of(st_topology_around(p->topology, ST_TRIANGLE, ST_VERTEX), index);
        for (size_t i = 0; i < shell.count; i++) add_triangle(p, shell.ids[i]);
    } else add_item(p, index);
}

// ---------------------------------------------------------------------------------------------------
// Climbing
// ---------------------------------------------------------------------------------------------------

static const st_topological_mapping *mapping_to(const st_topology *topology) {
    const st_node *node = topology->object.node;
    for (size_t i = 0; i < node->objects.count; i++) {
        const st_object *object = node->objects.data[i];
        if (!st_is_a(object, &st_topological_mapping_class)) continue;
        const st_topological_mapping *mapping = (const st_topological_mapping *)object;
        const bool changes = mapping->input && st_is_changeable(st_mapped_from(mapping));
        if (mapping->output == &topology->object && changes && mapping->input != mapping->output) return mapping;
    }
    return NULL;
}

// One mesh up: tables name elements of the input, or faces of it, which lead to the element that has them.
static void climb(picked *p, const st_topological_mapping *mapping) {
    st_uints below = p->items;
    p->items = (st_uints){0};
    p->topology = st_mapped_from(mapping);
    const st_element upper = st_container_kind(p->topology);
    const bool faces = upper != ST_ELEMENT_KINDS && st_element_parts(upper, mapping->kind).parts > 0;

    for (size_t i = 0; i < below.count; i++) {
        if (below.data[i] >= mapping->loc_to_glob.count) continue;
        const uint32_t from = mapping->loc_to_glob.data[below.data[i]];
        if (from == ST_INVALID_INDEX) continue;
        if (faces &&
            st_topology_elements(p->topology, mapping->kind)->count * mapping->per_input == mapping->glob_to_loc.count)
            add_behind(p, upper, mapping->kind, from);
        else add_item(p, from);
    }
    st_list_free(&below);
}

static size_t give_up(const picked *p, const char *why) {
    st_message(&p->model->object, ST_WARNING, "nothing is removed: %s", why);
    return 0;
}

static size_t remove_items(picked *p) {
    if (!st_is_changeable(p->topology)) return give_up(p, "its mesh cannot change");
    st_modifier *modifier = st_modifier_of(p->topology);
    if (!modifier || !st_is_valid(&modifier->object) || &modifier->container->topology != p->topology)
        return give_up(p, "its mesh has no modifier");
    if (p->model->primitive == ST_PRIMITIVE_LINE && st_modifier_kind(modifier) != ST_EDGE)
        return give_up(p, "its lines are no mesh of edges");

    const size_t count = p->items.count;
    if (count == 0) return 0;
    return st_edit_remove_items(modifier, p->items.data, count) == ST_OK ? count : 0;
}

size_t st_remove_picked(const st_collision_model *model, const uint32_t *ids, size_t count) {
    picked p = {.model = model, .topology = (st_topology *)model->topology, .ok = true};
    const st_primitive kind = model->primitive;
    const bool known = kind == ST_PRIMITIVE_TRIANGLE || kind == ST_PRIMITIVE_POINT || kind == ST_PRIMITIVE_SPHERE ||
                       kind == ST_PRIMITIVE_LINE;
    if (!p.topology) p.topology = st_context_topology(model->object.node, NULL);
    if (!known || !p.topology) return give_up(&p, "it is no model of triangles, points, spheres or lines of a mesh");

    for (size_t i = 0; i < count; i++) add_picked(&p, ids[i]);
    const st_topological_mapping *mapping;
    while (p.ok && kind != ST_PRIMITIVE_LINE && (mapping = mapping_to(p.topology))) climb(&p, mapping);

    const size_t removed = p.ok ? remove_items(&p) : give_up(&p, "out of memory");
    st_list_free(&p.items);
    return removed;
}
