// Changes of a container: see the header. The order of events and lists is SOFA's:
//
//     remove    1. the elements are announced, in decreasing order; 2. each takes the place of the last one;
//               3. faces and edges that got isolated are announced together, then faces go, then edges;
//               4. isolated points are announced, vertices are renamed, states shrink, then the points go;
//               5. topological mappings hear that it is over
//     add       each element makes the faces it lacks (these their edges), then the edges it lacks; every part is an edit
//               of its own, the elements follow as one; all of them are announced when they are there
//
// Neighborhoods follow what is removed (topology/adjacency_edit.c) and added (topology/adjacency_grow.c). When points are
// renumbered they are forgotten, and made again when somebody asks.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/edit.h"

#include <stdlib.h>

#include "base/array.h"
#include "scene/scene.h"
#include "scene/snapshot.h"
#include "topology/adjacency.h"
#include "topology/recipes.h"
#include "topology/tables.h"

enum { MAX_POINTS = 1 << 28 }; // that a container takes

// ---------------------------------------------------------------------------------------------------
// The container
// ---------------------------------------------------------------------------------------------------

bool st_is_changeable(const st_topology *topology) {
    return topology && st_is_a(&topology->object, &st_point_set_topology_container_class);
}

st_modifier *st_modifier_of(const st_topology *topology) {
    return (st_modifier *)st_find_class(topology->object.node, &st_point_set_topology_modifier_class, ST_UP);
}

static size_t edit_count(const st_topology *topology, int kind) {
    return kind == ST_POINT ? st_topology_points(topology) : topology->elements[kind].count;
}

static st_status edit_no_memory(st_topology *topology) {
    st_message(&topology->object, ST_ERROR, "out of memory: the mesh could not be changed");
    return ST_OUT_OF_MEMORY;
}

// Before the first edit: what a reset goes back to is kept. The lists follow no link any more.
st_status st_edit_begin(st_topology *topology) {
    st_scene *scene = topology->object.scene;
    if (!st_snapshot_take(scene)) return edit_no_memory(topology);

    for (size_t i = 0; i < scene->edited.count; i++)
        if (scene->edited.data[i] == &topology->object) return ST_OK;
    if (!st_list_push(&scene->edited, &topology->object)) return edit_no_memory(topology);

    for (int kind = ST_EDGE; kind <= ST_HEXAHEDRON; kind++)
        st_unlink_field(&topology->object, &topology->elements[kind]);
    st_unlink_field(&topology->object, &topology->position);
    st_edits_fit_points(topology);
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Numbers
// ---------------------------------------------------------------------------------------------------

static int decreasing(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

// Sorted, each once, existing ones alone.
static bool edit_sort(st_uints *list, const st_topology *topology, int kind, const uint32_t *ids, size_t count) {
    const size_t limit = edit_count(topology, kind);
    const char *name = kind == ST_POINT ? "point" : st_element_names[kind];
    size_t missing = 0, twice = 0;
    uint32_t first = 0;

    // those that exist
    if (!st_list_set_count(list, count, 1)) return false;
    list->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (ids[i] < limit) list->data[list->count++] = ids[i];
        else if (missing++ == 0) first = ids[i];
    }
    if (list->count) qsort(list->data, list->count, sizeof *list->data, decreasing);

    // each once
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (kept && list->data[kept - 1] == list->data[i]) twice++;
        else list->data[kept++] = list->data[i];
    }
    list->count = kept;

    if (missing)
        st_message(&topology->object, ST_WARNING,
                   "there is no %s %u to remove (%zu such numbers; there are %zu): the others are removed", name, first,
                   missing, limit);
    if (twice) st_message(&topology->object, ST_WARNING, "%zu numbers of a %s to remove are given twice", twice, name);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Removing elements
// ---------------------------------------------------------------------------------------------------

static void carry_one(st_topology *topology, st_edit_what what, int kind, const st_uints *ids) {
    const st_edit edit = {.what = what, .kind = kind, .count = ids->count, .ids = ids->data};
    const st_edits edits = {.topology = topology, .count = 1, .list = &edit};
    if (ids->count) st_edits_carry(&edits);
}

static void take_out(st_topology *topology, st_element kind, const st_uints *ids) {
    for (size_t i = 0; i < ids->count; i++) st_adjacency_take_out(topology, kind, ids->data[i]);
    if (ids->count) st_touch(&topology->object, &topology->elements[kind]);
}

// The parts (or points) of the elements, as candidates for isolation; each may come several times.
static bool list_parts(st_topology *topology, st_element kind, int lower, const st_uints *ids, st_uints *parts) {
    const bool points = lower == ST_POINT;
    const size_t width = points ? st_element_size[kind] : (size_t)st_element_parts(kind, (st_element)lower).parts;
    const uint32_t *in = points ? topology->elements[kind].data : st_topology_in(topology, kind, (st_element)lower);

    parts->count = 0;
    if (width == 0 || topology->elements[kind].count == 0) return true;
    if (!in || !st_list_set_count(parts, ids->count * width, 1)) return false;
    for (size_t i = 0; i < ids->count; i++)
        memcpy(parts->data + i * width, in + ids->data[i] * width, width * sizeof *in);
    return true;
}

// Keeps those that no element of the kind has any more, decreasing.
static bool keep_isolated(st_topology *topology, st_element kind, int lower, st_uints *parts) {
    if (parts->count == 0) return true;
    const st_around around = st_topology_around(topology, kind, lower);
    if (!around.starts) return false;

    size_t kept = 0;
    qsort(parts->data, parts->count, sizeof *parts->data, decreasing);
    for (size_t i = 0; i < parts->count; i++) {
        const uint32_t part = parts->data[i];
        if (part >= around.count || (kept && parts->data[kept - 1] == part)) continue;
        if (st_shell_of(around, part).count == 0) parts->data[kept++] = part;
    }
    parts->count = kept;
    return true;
}

typedef struct removal {
    st_uints ids, faces, edges, points;
} removal;

static void removal_free(removal *r) {
    st_list_free(&r->ids);
    st_list_free(&r->faces);
    st_list_free(&r->edges);
    st_list_free(&r->points);
}

static void remove_isolated_parts(st_topology *topology, st_element face, const removal *r) {
    const st_edit list[2] = {
        {.what = ST_EDIT_REMOVED, .kind = (int)face, .count = r->faces.count, .ids = r->faces.data},
        {.what = ST_EDIT_REMOVED, .kind = ST_EDGE, .count = r->edges.count, .ids = r->edges.data},
    };

    // one announcement for both; an empty one is left out
    const size_t first = r->faces.count ? 0 : 1, end = r->edges.count ? 2 : 1;
    if (first >= end) return;
    const st_edits edits = {.topology = topology, .count = end - first, .list = list + first};
    st_edits_carry(&edits);

    take_out(topology, face, &r->faces);
    take_out(topology, ST_EDGE, &r->edges);
}

static st_status remove_points(st_topology *topology, const uint32_t *ids, size_t count, bool dofs);

static st_status remove_elements(st_topology *topology, st_element kind, const uint32_t *ids, size_t count, bool parts,
                                 bool points) {
    const st_element face = kind == ST_HEXAHEDRON ? ST_QUAD : ST_TRIANGLE;
    const bool volume = kind == ST_TETRAHEDRON || kind == ST_HEXAHEDRON;
    removal r = {0};

    // what is to go, and what may be isolated by it
    bool ok = st_edit_begin(topology) == ST_OK && edit_sort(&r.ids, topology, kind, ids, count);
    if (ok && r.ids.count == 0) {
        removal_free(&r);
        return ST_OK;
    }
    if (parts && volume) ok = ok && list_parts(topology, kind, face, &r.ids, &r.faces);
    if (parts && kind != ST_EDGE) ok = ok && list_parts(topology, kind, ST_EDGE, &r.ids, &r.edges);
    if (points) ok = ok && list_parts(topology, kind, ST_POINT, &r.ids, &r.points);
    if (!ok) {
        removal_free(&r);
        return edit_no_memory(topology);
    }

    // 1, 2
    carry_one(topology, ST_EDIT_REMOVED, kind, &r.ids);
    take_out(topology, kind, &r.ids);

    // 3: neighborhoods without the elements say what is isolated
    ok = keep_isolated(topology, kind, face, &r.faces) && keep_isolated(topology, kind, ST_EDGE, &r.edges) &&
         keep_isolated(topology, kind, ST_POINT, &r.points);
    if (ok) remove_isolated_parts(topology, face, &r);

    // 4
    st_status status = ok ? ST_OK : edit_no_memory(topology);
    const st_modifier *modifier = st_modifier_of(topology);
    if (ok && r.points.count)
        status = remove_points(topology, r.points.data, r.points.count, !modifier || modifier->propagate_to_dof);
    removal_free(&r);
    return status;
}

st_status st_edit_remove(st_topology *topology, st_element kind, const uint32_t *ids, size_t count, bool parts,
                         bool points) {
    const st_status status = remove_elements(topology, kind, ids, count, parts, points);
    st_edits_ended(topology);
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

// Elements that have one of the points, which are about to go.
static st_status remove_users(st_topology *topology, const st_uints *gone) {
    st_status status = ST_OK;
    for (int kind = ST_HEXAHEDRON; status == ST_OK && kind >= ST_EDGE; kind--) {
        if (topology->elements[kind].count == 0) continue;
        const st_around around = st_topology_around(topology, (st_element)kind, ST_VERTEX);
        st_uints users = {0};
        bool ok = around.starts != NULL;

        // each once, decreasing
        for (size_t i = 0; ok && i < gone->count; i++) {
            const st_shell shell = st_shell_of(around, gone->data[i]);
            for (size_t k = 0; ok && k < shell.count; k++) ok = st_list_push(&users, shell.ids[k]);
        }
        if (users.count) qsort(users.data, users.count, sizeof *users.data, decreasing);
        size_t kept = 0;
        for (size_t i = 0; i < users.count; i++)
            if (!kept || users.data[kept - 1] != users.data[i]) users.data[kept++] = users.data[i];
        users.count = kept;

        if (!ok) status = edit_no_memory(topology);
        else if (users.count)
            status = remove_elements(topology, (st_element)kind, users.data, users.count, false, false);
        st_list_free(&users);
    }
    return status;
}

static void rename_vertices(st_topology *topology, const uint32_t *names, size_t points) {
    for (int kind = ST_EDGE; kind < ST_ELEMENT_KINDS; kind++) {
        st_uints *list = &topology->elements[kind];
        for (size_t i = 0; i < list->count * st_element_size[kind]; i++)
            if (list->data[i] < points) list->data[i] = names[list->data[i]];
        if (list->count) st_touch(&topology->object, list);
    }
    st_adjacency_drop(topology);
}

// Initial positions go with their points, where each point has one.
static void take_out_positions(st_topology *topology, const st_uints *ids) {
    st_reals *list = &topology->position;
    if (list->count != st_topology_points(topology)) return;

    for (size_t i = 0; i < ids->count; i++) {
        const size_t last = --list->count;
        if (ids->data[i] != last) st_copy_reals(list->data + 3 * (size_t)ids->data[i], list->data + 3 * last, 3);
    }
    st_touch(&topology->object, list);
}

// Each of the points in turn takes the place of the last one.
static bool take_out_points(st_topology *topology, const st_uints *gone, size_t points) {
    bool ok = true;
    for (size_t i = 0; ok && i < gone->count; i++)
        ok = st_adjacency_take_point(topology, gone->data[i], (uint32_t)(points - 1 - i));
    for (int kind = ST_EDGE; kind < ST_ELEMENT_KINDS; kind++)
        if (topology->elements[kind].count) st_touch(&topology->object, &topology->elements[kind]);
    return ok;
}

static st_status remove_points(st_topology *topology, const uint32_t *ids, size_t count, bool dofs) {
    if (st_edit_begin(topology) != ST_OK) return ST_OUT_OF_MEMORY;
    const size_t points = st_topology_points(topology);
    st_uints gone = {0};
    st_status status = edit_sort(&gone, topology, ST_POINT, ids, count) ? ST_OK : edit_no_memory(topology);
    if (status == ST_OK && gone.count) status = remove_users(topology, &gone);

    // the announcement, then the elements, the states and the number of points
    if (status == ST_OK && gone.count) {
        carry_one(topology, ST_EDIT_REMOVED, ST_POINT, &gone);
        if (!take_out_points(topology, &gone, points)) status = edit_no_memory(topology);

        const st_edit edit = {.what = ST_EDIT_REMOVED, .kind = ST_POINT, .count = gone.count, .ids = gone.data};
        if (dofs) st_edits_carry_to_states(&(st_edits){.topology = topology, .count = 1, .list = &edit});
        take_out_positions(topology, &gone);
        st_container_set_points(topology, points - gone.count);
    }

    st_list_free(&gone);
    return status;
}

st_status st_edit_remove_points(st_topology *topology, const uint32_t *ids, size_t count, bool dofs) {
    const st_status status = remove_points(topology, ids, count, dofs);
    st_edits_ended(topology);
    return status;
}

// Initial positions of new points: the means of their ancestors', else the origin.
static bool add_positions(st_topology *topology, size_t old, size_t count, const st_origin *origin) {
    st_reals *list = &topology->position;
    if (list->count != old || old == 0) return true;
    if (!st_list_set_count(list, old + count, 3)) return false;

    for (size_t i = 0; origin && origin->starts && i < count; i++)
        for (uint32_t a = origin->starts[i]; a < origin->starts[i + 1]; a++)
            for (size_t k = 0; k < 3 && origin->ancestors[a] < old; k++)
                list->data[3 * (old + i) + k] += origin->weights[a] * list->data[3 * (size_t)origin->ancestors[a] + k];
    st_touch(&topology->object, list);
    return true;
}

static st_status append_points(st_topology *topology, size_t count, const st_origin *origin, bool dofs, bool inherits) {
    if (count == 0) return ST_OK;
    if (st_edit_begin(topology) != ST_OK) return ST_OUT_OF_MEMORY;
    const size_t old = st_topology_points(topology);
    st_uints ids = {0};
    if (count >= UINT32_MAX - old || !st_list_set_count(&ids, count, 1) ||
        !add_positions(topology, old, count, origin)) {
        st_list_free(&ids);
        return edit_no_memory(topology);
    }

    for (size_t i = 0; i < count; i++) ids.data[i] = (uint32_t)(old + i);
    st_container_set_points(topology, old + count);
    st_adjacency_add_points(topology, old + count);

    // states first, then whoever holds data on points
    st_edit edit = {.what = ST_EDIT_ADDED, .kind = ST_POINT, .count = count, .ids = ids.data};
    if (origin) edit.starts = origin->starts, edit.ancestors = origin->ancestors, edit.weights = origin->weights;
    edit.inherits = inherits;
    const st_edits edits = {.topology = topology, .count = 1, .list = &edit};
    if (dofs) st_edits_carry_to_states(&edits);
    st_edits_carry(&edits);

    st_list_free(&ids);
    return ST_OK;
}

st_status st_edit_add_points(st_topology *topology, size_t count, const st_origin *origin, bool dofs) {
    return append_points(topology, count, origin, dofs, false);
}

st_status st_edit_add_inheriting_points(st_topology *topology, size_t count, const st_origin *origin) {
    return append_points(topology, count, origin, true, true);
}

// names[old] = new; false: the order does not name every point once.
static bool invert(uint32_t *names, const uint32_t *order, size_t points) {
    for (size_t i = 0; i < points; i++) names[i] = ST_INVALID_INDEX;
    for (size_t i = 0; i < points; i++) {
        if (order[i] >= points || names[order[i]] != ST_INVALID_INDEX) return false;
        names[order[i]] = (uint32_t)i;
    }
    return true;
}

st_status st_edit_renumber_points(st_topology *topology, const uint32_t *order, bool dofs) {
    if (st_edit_begin(topology) != ST_OK) return ST_OUT_OF_MEMORY;
    const size_t points = st_topology_points(topology);
    uint32_t *names = st_alloc(points, sizeof *names);
    st_reals moved = {0};
    const bool has_positions = topology->position.count == points;
    st_status status =
        names && (!has_positions || st_list_set_count(&moved, points, 3)) ? ST_OK : edit_no_memory(topology);
    if (status == ST_OK && !invert(names, order, points)) {
        st_message(&topology->object, ST_ERROR, "an order of the points does not name each of the %zu once", points);
        status = ST_INVALID;
    }

    if (status == ST_OK) {
        const st_edit edit = {.what = ST_EDIT_RENUMBERED, .kind = ST_POINT, .count = points, .ids = order};
        const st_edits edits = {.topology = topology, .count = 1, .list = &edit};
        st_edits_carry(&edits);
        rename_vertices(topology, names, points);
        if (dofs) st_edits_carry_to_states(&edits);

        // initial positions
        for (size_t i = 0; has_positions && i < points; i++)
            st_copy_reals(moved.data + 3 * i, topology->position.data + 3 * (size_t)order[i], 3);
        if (has_positions) st_copy_reals(topology->position.data, moved.data, 3 * points);
    }

    st_free(names);
    st_list_free(&moved);
    return status;
}

// Initial positions of moved points; all sums are made before the first one is written.
static bool move_positions(st_topology *topology, const uint32_t *ids, size_t count, const st_origin *origin) {
    st_reals *list = &topology->position, moved = {0};
    if (list->count != st_topology_points(topology)) return true;
    if (!st_list_set_count(&moved, count, 3)) return false;

    for (size_t i = 0; i < count; i++)
        for (uint32_t a = origin->starts[i]; a < origin->starts[i + 1]; a++)
            for (size_t k = 0; k < 3; k++)
                moved.data[3 * i + k] += origin->weights[a] * list->data[3 * (size_t)origin->ancestors[a] + k];
    for (size_t i = 0; i < count; i++) st_copy_reals(list->data + 3 * (size_t)ids[i], moved.data + 3 * i, 3);
    st_list_free(&moved);
    st_touch(&topology->object, list);
    return true;
}

// Elements with one of the points, kind by kind.
static bool moving_elements(const st_topology *topology, const uint32_t *ids, size_t count,
                            st_uints around[ST_ELEMENT_KINDS]) {
    bool *moves = st_alloc(st_topology_points(topology), sizeof *moves), ok = moves != NULL;
    for (size_t i = 0; ok && i < count; i++) moves[ids[i]] = true;

    for (int kind = ST_EDGE; kind < ST_ELEMENT_KINDS; kind++) {
        const st_uints *list = &topology->elements[kind];
        const size_t size = st_element_size[kind];
        for (size_t i = 0; ok && i < list->count; i++) {
            bool any = false;
            for (size_t k = 0; k < size; k++) any = any || moves[list->data[i * size + k]];
            if (any) ok = st_list_push(&around[kind], (uint32_t)i);
        }
    }
    st_free(moves);
    return ok;
}

static void carry_moves(st_topology *topology, st_edit_what what, const st_edit *points,
                        const st_uints around[ST_ELEMENT_KINDS]) {
    st_edit list[ST_ELEMENT_KINDS + 1];
    size_t count = 0;
    if (points) list[count++] = *points;
    for (int kind = ST_EDGE; kind < ST_ELEMENT_KINDS; kind++)
        if (around[kind].count)
            list[count++] =
                (st_edit){.what = what, .kind = kind, .count = around[kind].count, .ids = around[kind].data};
    if (count) st_edits_carry(&(st_edits){.topology = topology, .count = count, .list = list});
}

st_status st_edit_move_points(st_topology *topology, const uint32_t *ids, size_t count, const st_origin *origin) {
    if (count == 0) return ST_OK;
    if (st_edit_begin(topology) != ST_OK) return ST_OUT_OF_MEMORY;
    const size_t points = st_topology_points(topology);
    for (size_t i = 0; i < count; i++) {
        bool known = ids[i] < points;
        for (uint32_t a = origin->starts[i]; a < origin->starts[i + 1]; a++)
            known = known && origin->ancestors[a] < points;
        if (known) continue;
        st_message(&topology->object, ST_ERROR, "point %u cannot move: it or its ancestors are not among %zu points",
                   ids[i], points);
        return ST_INVALID;
    }

    // elements are announced before and after
    st_uints around[ST_ELEMENT_KINDS] = {{0}};
    const bool ok = moving_elements(topology, ids, count, around);
    if (ok) carry_moves(topology, ST_EDIT_MOVING, NULL, around);
    const bool moved = ok && move_positions(topology, ids, count, origin);
    if (moved) {
        const st_edit edit = {.what = ST_EDIT_MOVED,
                              .kind = ST_POINT,
                              .count = count,
                              .ids = ids,
                              .starts = origin->starts,
                              .ancestors = origin->ancestors,
                              .weights = origin->weights};
        st_edits_carry_to_states(&(st_edits){.topology = topology, .count = 1, .list = &edit});
        carry_moves(topology, ST_EDIT_MOVED, &edit, around);
    }
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) st_list_free(&around[kind]);
    return moved ? ST_OK : edit_no_memory(topology);
}

// ---------------------------------------------------------------------------------------------------
// Adding elements
// ---------------------------------------------------------------------------------------------------

typedef struct addition {
    st_topology *topology;
    ST_LIST(struct made_part {
        st_element kind;
        uint32_t id;
    })
    made; // in the order in which they were made
    bool ok;
} addition;

// Edges and faces that the container holds can be made for an element of this kind.
static bool makes(const st_topology *topology, st_element kind, st_element lower) {
    return st_element_parts(kind, lower).parts > 0 && st_topology_holds(topology, lower);
}

static void append_element(addition *a, st_element kind, const uint32_t *vertices) {
    st_uints *list = &a->topology->elements[kind];
    const size_t size = st_element_size[kind], place = list->count;
    a->ok = a->ok && place + 1 < UINT32_MAX && st_list_set_count(list, place + 1, size);
    if (!a->ok) return;
    memcpy(list->data + place * size, vertices, size * sizeof *vertices);
    a->ok = st_adjacency_put_in(a->topology, kind);
}

static bool is_known(addition *a, st_element kind, const uint32_t *vertices) {
    uint32_t found = ST_INVALID_INDEX;
    a->ok = a->ok && st_adjacency_find(a->topology, kind, vertices, &found);
    return found != ST_INVALID_INDEX;
}

static void make_parts(addition *a, st_element kind, const uint32_t *vertices);

static void make_part(addition *a, st_element kind, const uint32_t *vertices) {
    if (is_known(a, kind, vertices) || !a->ok) return;

    // the edges of a face come before it
    make_parts(a, kind, vertices);
    const struct made_part part = {kind, (uint32_t)a->topology->elements[kind].count};
    append_element(a, kind, vertices);
    a->ok = a->ok && st_list_push(&a->made, part);
}

// Faces first, then edges.
static void make_parts(addition *a, st_element kind, const uint32_t *vertices) {
    static const st_element order[] = {ST_TRIANGLE, ST_QUAD, ST_EDGE};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (!makes(a->topology, kind, order[i])) continue;
        const st_part_table table = st_element_parts(kind, order[i]);
        const size_t size = st_element_size[order[i]];
        for (int part = 0; part < table.parts; part++) {
            uint32_t v[4];
            for (size_t k = 0; k < size; k++) v[k] = vertices[table.local[(size_t)part * size + k]];
            make_part(a, order[i], v);
        }
    }
}

// A vertex twice, or an element that is there: only looked for on request.
static bool is_refused(addition *a, st_element kind, const uint32_t *vertices) {
    const st_container *container = (const st_container *)a->topology;
    const size_t size = st_element_size[kind];
    if (!container->check_topology) return false;

    bool degenerate = false;
    for (size_t i = 0; i < size; i++)
        for (size_t k = 0; k < i; k++) degenerate = degenerate || vertices[i] == vertices[k];
    const bool known = size <= 4 && is_known(a, kind, vertices);
    if (!degenerate && !known) return false;

    const bool refused = kind == ST_EDGE || kind == ST_QUAD;
    st_message(&a->topology->object, ST_ERROR, "a new %s %s: it is %s", st_element_names[kind],
               degenerate ? "has a vertex twice" : "is there already", refused ? "not added" : "added all the same");
    return refused;
}

static void raise_points(addition *a, const uint32_t *vertices, size_t size) {
    size_t points = st_topology_points(a->topology);
    for (size_t k = 0; k < size; k++)
        if (vertices[k] >= points) points = (size_t)vertices[k] + 1;
    if (points == st_topology_points(a->topology)) return;
    st_container_set_points(a->topology, points);
    st_adjacency_add_points(a->topology, points);
}

// Everything that was made, as edits in their order.
static void carry_additions(addition *a, st_element kind, size_t old, const st_origin *origin) {
    const size_t count = a->topology->elements[kind].count - old;
    st_edit *edits = st_alloc(a->made.count + 1, sizeof *edits);
    st_uints ids = {0};
    a->ok = edits && st_list_set_count(&ids, count, 1);

    // each part by itself, then all elements as one edit
    if (a->ok) {
        for (size_t i = 0; i < a->made.count; i++)
            edits[i] = (st_edit){
                .what = ST_EDIT_ADDED, .kind = (int)a->made.data[i].kind, .count = 1, .ids = &a->made.data[i].id};
        for (size_t i = 0; i < count; i++) ids.data[i] = (uint32_t)(old + i);
        st_edit *last = &edits[a->made.count];
        *last = (st_edit){.what = ST_EDIT_ADDED, .kind = (int)kind, .count = count, .ids = ids.data};
        if (origin) last->starts = origin->starts, last->ancestors = origin->ancestors, last->weights = origin->weights;
        if (count) st_edits_carry(&(st_edits){.topology = a->topology, .count = a->made.count + 1, .list = edits});
    }

    st_free(edits);
    st_list_free(&ids);
}

st_status st_edit_add(st_topology *topology, st_element kind, const uint32_t *vertices, size_t count,
                      const st_origin *origin) {
    const size_t size = st_element_size[kind], old = topology->elements[kind].count;
    addition a = {.topology = topology, .ok = true};

    // all or nothing
    if (!st_topology_holds(topology, kind)) {
        st_message(&topology->object, ST_ERROR, "it holds no %s elements: none is added", st_element_names[kind]);
        return ST_INVALID;
    }
    for (size_t i = 0; i < count * size; i++)
        if (vertices[i] >= MAX_POINTS) {
            st_message(&topology->object, ST_ERROR, "%s %zu to be added has vertex %u: none is added",
                       st_element_names[kind], i / size, vertices[i]);
            return ST_INVALID;
        }
    if (st_edit_begin(topology) != ST_OK) return ST_OUT_OF_MEMORY;

    for (size_t i = 0; a.ok && i < count; i++) {
        const uint32_t *v = vertices + i * size;
        if (is_refused(&a, kind, v)) continue;
        raise_points(&a, v, size);
        make_parts(&a, kind, v);
        append_element(&a, kind, v);
    }

    for (int k = ST_EDGE; k <= ST_HEXAHEDRON; k++)
        if (k == (int)kind || makes(topology, kind, (st_element)k)) st_touch(&topology->object, &topology->elements[k]);
    if (a.ok) carry_additions(&a, kind, old, origin);

    st_list_free(&a.made);
    return a.ok ? ST_OK : edit_no_memory(topology);
}

// ---------------------------------------------------------------------------------------------------
// Items of a modifier
// ---------------------------------------------------------------------------------------------------

st_element st_modifier_kind(const st_modifier *modifier) {
    static const struct {
        const st_class *type;
        st_element kind;
    } kinds[] = {
        {&st_tetrahedron_set_topology_modifier_class, ST_TETRAHEDRON},
        {&st_hexahedron_set_topology_modifier_class, ST_HEXAHEDRON},
        {&st_triangle_set_topology_modifier_class, ST_TRIANGLE},
        {&st_quad_set_topology_modifier_class, ST_QUAD},
        {&st_edge_set_topology_modifier_class, ST_EDGE},
    };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (st_is_a(&modifier->object, kinds[i].type)) return kinds[i].kind;
    return ST_ELEMENT_KINDS;
}

st_status st_edit_remove_items(st_modifier *modifier, const uint32_t *ids, size_t count) {
    const st_element kind = st_modifier_kind(modifier);
    st_topology *topology = &modifier->container->topology;
    const bool volume = kind == ST_TETRAHEDRON || kind == ST_HEXAHEDRON;

    if (kind == ST_ELEMENT_KINDS) return st_edit_remove_points(topology, ids, count, true);
    return st_edit_remove(topology, kind, ids, count, true, !volume || modifier->remove_isolated);
}
