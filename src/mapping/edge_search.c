// Slabs of edges in a tree of boxes.
//
// The tree holds u.(a - o) and s u, with the mean o of the nodes and their mean distance s from it, so that all are
// lengths: a turn of u counts as much as it moves the slab at that distance. One giant edge changes neither o nor s.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/edge_search.h"

#include "base/array.h"
#include "math/vec3.h"

enum { OFFSET, DIRECTION, LENGTH = 4, DIMS };

static const st_real *first_node(const st_edge_search *search, size_t edge) {
    return search->positions + 3 * (size_t)search->edges->data[2 * edge];
}

// The unit vector and the length; the vector is zero where the length is.
static st_real direction_of(const st_edge_search *search, size_t edge, st_real u[3]) {
    st_vec3_sub(u, search->positions + 3 * (size_t)search->edges->data[2 * edge + 1], first_node(search, edge));

    const st_real length = st_vec3_norm(u);
    st_vec3_normalize(u, u);
    return length;
}

static st_real foot_on(const st_edge_search *search, size_t edge, const st_real p[3]) {
    st_real u[3], d[3];
    const st_real length = direction_of(search, edge, u);
    st_vec3_sub(d, p, first_node(search, edge));
    return st_vec3_dot(u, d) / length;
}

// ---------------------------------------------------------------------------------------------------
// Making
// ---------------------------------------------------------------------------------------------------

static void measure_extent(st_edge_search *search) {
    const size_t count = 2 * search->edges->count;

    // o, the mean of the nodes
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++)
            search->center[k] += search->positions[3 * (size_t)search->edges->data[i] + k] / (st_real)count;

    // s and the largest distance from there
    for (size_t i = 0; i < count; i++) {
        const st_real *node = search->positions + 3 * (size_t)search->edges->data[i];
        const st_real distance = st_vec3_distance(node, search->center);
        search->scale += distance / (st_real)count;
        search->extent = st_max(search->extent, distance);
    }
}

static bool edge_search_gather(st_edge_search *search, st_real *boxes) {
    for (size_t i = 0; i < search->edges->count; i++) {
        st_real u[3], d[3], values[DIMS], *box = boxes + 2 * DIMS * search->numbers.count;
        values[LENGTH] = direction_of(search, i, u);
        if (!(values[LENGTH] > 0 && isfinite(values[LENGTH]))) continue; // it has no foot

        st_vec3_sub(d, first_node(search, i), search->center);
        values[OFFSET] = st_vec3_dot(u, d);
        st_vec3_scale(values + DIRECTION, u, search->scale);

        // a point in the tree: its box is as small as itself
        st_copy_reals(box, values, DIMS);
        st_copy_reals(box + DIMS, values, DIMS);
        if (!st_list_push(&search->numbers, (uint32_t)i)) return false;
    }
    return true;
}

bool st_edge_search_create(st_edge_search *search, const st_uints *edges, const st_real *positions) {
    *search = (st_edge_search){.edges = edges, .positions = positions};

    st_real *boxes = st_alloc(edges->count, 2 * DIMS * sizeof *boxes);

    measure_extent(search);
    const bool ok = boxes && edge_search_gather(search, boxes) &&
                    st_box_tree_create(&search->tree, boxes, search->numbers.count, DIMS, LENGTH);

    st_free(boxes);
    return ok;
}

void st_edge_search_free(st_edge_search *search) {
    st_list_free(&search->numbers);
    st_box_tree_free(&search->tree);
}

// ---------------------------------------------------------------------------------------------------
// Search
// ---------------------------------------------------------------------------------------------------

// Can an edge below the node have the foot of o + q? `slack` is more than rounding can do.
static bool can_have_foot(const st_edge_search *search, uint32_t node, const st_real q[3], st_real slack) {
    const st_real *low = st_box_low(&search->tree, node), *high = st_box_high(&search->tree, node);

    // bounds of u · q − u · (a − o)
    st_real least = -high[OFFSET], most = -low[OFFSET];
    for (int k = 0; k < 3; k++) {
        const st_real a = low[DIRECTION + k] / search->scale * q[k], b = high[DIRECTION + k] / search->scale * q[k];
        least += st_min(a, b);
        most += st_max(a, b);
    }

    // not behind the end of all edges, not before their begin
    return !(least > high[LENGTH] + slack) && !(most < -slack);
}

// The first edge with a foot; SIZE_MAX when there is none.
static size_t find_first(const st_edge_search *search, const st_real p[3], st_real *c) {
    const st_box_tree *tree = &search->tree;
    size_t best = SIZE_MAX;
    st_box_walk walk;
    st_real q[3];

    st_vec3_sub(q, p, search->center);
    const st_real slack = 64 * ST_REAL_EPSILON * (st_vec3_norm(q) + search->extent);

    st_box_walk_begin(&walk, tree);

    for (uint32_t at; st_box_walk_next(&walk, &at);) {
        const st_box_node *node = &tree->nodes.data[at];

        // only edges of smaller numbers than the best one can win
        if (search->numbers.data[node->least] >= best || !can_have_foot(search, at, q, slack)) continue;
        if (node->count == 0)
            st_box_walk_down(&walk, at, tree->nodes.data[at + 1].least < tree->nodes.data[node->right].least);

        for (uint32_t i = 0; i < node->count; i++) {
            const size_t edge = search->numbers.data[tree->order.data[node->first + i]];
            const st_real foot = foot_on(search, edge, p);
            if (edge < best && foot >= 0 && foot <= 1) best = edge, *c = foot;
        }
    }
    return best;
}

size_t st_edge_search_find(const st_edge_search *search, const st_real p[3], st_real *c) {
    const size_t found = find_first(search, p, c), last = search->edges->count - 1;

    if (found != SIZE_MAX) return found;

    // the last edge carries what has no foot
    *c = foot_on(search, last, p);
    return last;
}
