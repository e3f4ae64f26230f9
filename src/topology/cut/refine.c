// Edges split and points joined: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/cut/refine.h"

#include "base/array.h"
#include "math/real.h"
#include "topology/cut/cut.h"
#include "topology/recipes.h"

// The kind that a container consists of, if edges and points of it can be changed here.
static st_element refined_kind(const st_topology *topology, const st_object *reporter) {
    const st_element kind = st_is_changeable(topology) ? st_container_kind(topology) : ST_ELEMENT_KINDS;

    if (kind == ST_EDGE || kind == ST_TRIANGLE || kind == ST_TETRAHEDRON) return kind;
    st_message(reporter, ST_ERROR, "%s is no changeable mesh of edges, triangles or tetrahedra: nothing changes",
               topology->object.name);
    return ST_ELEMENT_KINDS;
}

// ---------------------------------------------------------------------------------------------------
// Splitting
// ---------------------------------------------------------------------------------------------------

// One new point for each edge.
static st_status split_points(st_cut *cut, const st_topology *topology, const uint32_t *edges, const st_real *t,
                              size_t count, const st_object *reporter) {
    const st_uints *list = &topology->elements[ST_EDGE];
    for (size_t i = 0; i < count; i++) {
        // inside of an edge that exists
        const st_real s = t ? t[i] : ST_R(0.5), weights[2] = {1 - s, s};
        if (edges[i] >= list->count || !(s > 0 && s < 1)) {
            st_message(reporter, ST_ERROR, "edge %u of %zu cannot be split at %g of its length: nothing changes",
                       edges[i], list->count, (double)s);
            return ST_INVALID;
        }

        // its point, once
        const uint32_t *edge = list->data + 2 * (size_t)edges[i];
        const uint32_t point = st_cut_add_point(cut, edge, weights, 2);
        if (point == ST_INVALID_INDEX) return ST_OUT_OF_MEMORY;
        const st_element_set_result result = st_element_set_add(&cut->edges, edge, 2, point);
        if (result == ST_SET_NO_MEMORY) return ST_OUT_OF_MEMORY;

        if (result == ST_SET_ADDED) continue;
        st_message(reporter, ST_ERROR, "edge %u is to be split twice: nothing changes", edges[i]);
        return ST_INVALID;
    }
    return ST_OK;
}

// A mesh of edges: each becomes two.
static bool split_lines(st_cut *cut) {
    for (size_t e = 0; e < cut->elements; e++) {
        uint32_t v[2];
        memcpy(v, cut->vertices.data + 2 * e, sizeof v);
        const uint32_t point = st_element_set_find(&cut->edges, v, 2);
        if (point == ST_INVALID_INDEX) continue;

        // the old edge goes, its halves come
        const uint32_t made[4] = {v[0], point, point, v[1]};
        cut->gone.data[e] = true;
        for (int i = 0; i < 4; i++)
            if (!st_list_push(&cut->vertices, made[i])) return false;

        if (!st_list_push(&cut->parent, (uint32_t)e) || !st_list_push(&cut->parent, (uint32_t)e)) return false;
    }
    return true;
}

st_status st_split_edges(st_topology *topology, const uint32_t *edges, const st_real *t, size_t count,
                         const st_object *reporter) {
    const st_element kind = refined_kind(topology, reporter);
    if (kind == ST_ELEMENT_KINDS) return ST_INVALID;
    if (st_edit_begin(topology) != ST_OK) return ST_OUT_OF_MEMORY;

    // new points, then the elements of the edges in pieces
    st_cut cut = {0};
    st_status status = ST_OUT_OF_MEMORY;
    if (st_cut_start(&cut, kind, &topology->elements[kind], st_topology_points(topology)))
        status = split_points(&cut, topology, edges, t, count, reporter);

    cut.closed = true;
    if (status == ST_OK && !(kind == ST_EDGE ? split_lines(&cut) : st_cut_split_elements(&cut, NULL, NULL)))
        status = ST_OUT_OF_MEMORY;

    // the mesh changes only here
    if (status == ST_OK) status = st_cut_apply(&cut, topology);
    if (status == ST_OUT_OF_MEMORY) st_message(reporter, ST_ERROR, "out of memory: edges to split");

    st_cut_free(&cut);
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Suture
// ---------------------------------------------------------------------------------------------------

static st_status refuse_pair(const st_object *reporter, const uint32_t pair[2], const char *why) {
    st_message(reporter, ST_ERROR, "points %u and %u are not joined: %s; nothing changes", pair[0], pair[1], why);
    return ST_INVALID;
}

// names[b] = a for each pair; others keep their own.
static st_status name_joined(uint32_t *names, size_t points, const uint32_t *pairs, size_t count,
                             const st_object *reporter) {
    for (size_t i = 0; i < points; i++) names[i] = (uint32_t)i;

    // points that exist, each in one pair only
    for (size_t i = 0; i < count; i++) {
        const uint32_t *pair = pairs + 2 * i;
        if (pair[0] >= points || pair[1] >= points) return refuse_pair(reporter, pair, "there are fewer points");
        for (size_t k = 0; k < 2 * i; k++)
            if (pairs[k] == pair[0] || pairs[k] == pair[1])
                return refuse_pair(reporter, pair, "one of them is in another pair");
        if (pair[0] == pair[1]) return refuse_pair(reporter, pair, "they are one point");
        names[pair[1]] = pair[0];
    }
    return ST_OK;
}

static st_status rename_joined(st_cut *cut, const uint32_t *names, const st_object *reporter) {
    for (size_t e = 0; e < cut->elements; e++) {
        uint32_t *v = cut->vertices.data + e * cut->size;

        // an element would have a point twice
        for (size_t i = 0; i < cut->size; i++)
            for (size_t k = 0; k < i; k++)
                if (names[v[i]] == names[v[k]])
                    return refuse_pair(reporter, (uint32_t[]){v[k], v[i]}, "they are in one element");

        // the names that are left
        for (size_t i = 0; i < cut->size; i++) {
            cut->changed.data[e] = cut->changed.data[e] || names[v[i]] != v[i];
            v[i] = names[v[i]];
        }
    }
    return ST_OK;
}

// Both points of a pair go to the middle; the second one is removed when no element has it any more.
static st_status join_pairs(st_cut *cut, st_topology *topology, const uint32_t *pairs, size_t count) {
    st_status status = ST_OK;
    for (size_t i = 0; status == ST_OK && i < count; i++) {
        const uint32_t starts[2] = {0, 2};
        const st_real half[2] = {ST_R(0.5), ST_R(0.5)};
        const st_origin origin = {starts, pairs + 2 * i, half};
        status = st_edit_move_points(topology, pairs + 2 * i, 1, &origin);
    }
    if (status == ST_OK) status = st_cut_apply(cut, topology);

    // the others are left without an element
    st_uints gone = {0};
    for (size_t i = 0; status == ST_OK && i < count; i++)
        if (!st_list_push(&gone, pairs[2 * i + 1])) status = ST_OUT_OF_MEMORY;
    if (status == ST_OK) status = st_edit_remove_points(topology, gone.data, gone.count, true);

    st_list_free(&gone);
    return status;
}

st_status st_suture_points(st_topology *topology, const uint32_t *pairs, size_t count, const st_object *reporter) {
    const st_element kind = refined_kind(topology, reporter);
    if (kind == ST_ELEMENT_KINDS) return ST_INVALID;

    if (count == 0) return ST_OK;
    if (st_edit_begin(topology) != ST_OK) return ST_OUT_OF_MEMORY;

    const size_t points = st_topology_points(topology);
    st_cut cut = {0};
    uint32_t *names = st_alloc(points, sizeof *names);

    // all pairs are checked before anything changes
    st_status status = names && st_cut_start(&cut, kind, &topology->elements[kind], points) ? ST_OK : ST_OUT_OF_MEMORY;
    if (status == ST_OK) status = name_joined(names, points, pairs, count, reporter);
    if (status == ST_OK) status = rename_joined(&cut, names, reporter);
    if (status == ST_OK) status = join_pairs(&cut, topology, pairs, count);

    if (status == ST_OUT_OF_MEMORY) st_message(reporter, ST_ERROR, "out of memory: points to join");
    st_free(names);
    st_cut_free(&cut);
    return status;
}
