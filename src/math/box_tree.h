// A tree of boxes over many things, to find a few of them without a look at all.
//
// A thing is a box of `dims` intervals: the coordinates of a point, of a region, whatever bounds the answer to a
// question. A node of the tree holds the things order[first] to order[first + count - 1] in its leaves, a box around
// all of theirs, and the least of their numbers, by which ties are decided. Things are parted at the median of the
// middles of their boxes, along the longest of the first `split` dimensions.
//
// Who asks walks down from the root, past every node whose box cannot hold a better answer:
//
//     st_box_walk walk;
//     st_box_walk_begin(&walk, tree);
//     for (uint32_t at; st_box_walk_next(&walk, &at);)
//         an inner node that can: st_box_walk_down(&walk, at, is its left child the better one?)
//         a leaf that can: try its things
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MATH_BOX_TREE_H
#define SETTEE_MATH_BOX_TREE_H

#include "math/real.h"

typedef struct st_box_node {
    uint32_t first, count; // things of a leaf in `order`; count = 0: an inner node
    uint32_t right;        // of an inner node; its left child is the next one
    uint32_t least;        // number of a thing below
} st_box_node;

// Zero bytes are an empty tree.
typedef struct st_box_tree {
    size_t dims;
    ST_LIST(st_box_node) nodes;
    st_reals bounds; // of each node: `dims` lower ends, then the upper ones
    st_uints order;
} st_box_tree;

// `boxes` holds 2 dims numbers a thing, as bounds do; a lower end above its upper end is an empty interval. No number
// is NaN. False when out of memory.
bool st_box_tree_create(st_box_tree *tree, const st_real *boxes, size_t count, size_t dims, size_t split);
void st_box_tree_free(st_box_tree *tree);

static inline const st_real *st_box_low(const st_box_tree *tree, uint32_t node) {
    return tree->bounds.data + 2 * tree->dims * node;
}
static inline const st_real *st_box_high(const st_box_tree *tree, uint32_t node) {
    return st_box_low(tree, node) + tree->dims;
}

// The square of the distance to a box, by the operations that give that of two points. Rounding keeps order, so that no
// point of the box comes out nearer.
static inline st_real st_box_square(const st_real *low, const st_real *high, size_t dims, const st_real *p) {
    st_real square = 0;
    for (size_t i = 0; i < dims; i++) {
        const st_real d = p[i] < low[i] ? p[i] - low[i] : p[i] > high[i] ? p[i] - high[i] : 0;
        square += d * d;
    }
    return square;
}

// The same to the first dimensions of a node's box.
static inline st_real st_box_node_square(const st_box_tree *tree, uint32_t node, size_t dims, const st_real *p) {
    return st_box_square(st_box_low(tree, node), st_box_high(tree, node), dims, p);
}

// ---------------------------------------------------------------------------------------------------
// Walks
// ---------------------------------------------------------------------------------------------------

// Every level halves the things, of which there are less than 2^32, and leaves one node in store.
enum { ST_BOX_WALK_STORE = 34 };

typedef struct st_box_walk {
    const st_box_tree *tree;
    size_t count;
    uint32_t store[ST_BOX_WALK_STORE]; // nodes to come, the next one last
} st_box_walk;

static inline void st_box_walk_begin(st_box_walk *walk, const st_box_tree *tree) {
    walk->tree = tree;
    walk->count = tree->nodes.count > 0;
    walk->store[0] = 0;
}
// False: there are no more nodes.
static inline bool st_box_walk_next(st_box_walk *walk, uint32_t *node) {
    if (walk->count == 0) return false;
    *node = walk->store[--walk->count];
    return true;
}
// The children of an inner node come next.
static inline void st_box_walk_down(st_box_walk *walk, uint32_t node, bool left_first) {
    const uint32_t left = node + 1, right = walk->tree->nodes.data[node].right;
    walk->store[walk->count++] = left_first ? right : left;
    walk->store[walk->count++] = left_first ? left : right;
}

// Is the left child nearer in the first dimensions, or as near and with things of lesser number?
static inline bool st_box_left_is_nearer(const st_box_tree *tree, uint32_t node, size_t dims, const st_real *p) {
    const uint32_t left = node + 1, right = tree->nodes.data[node].right;
    const st_real to_left = st_box_node_square(tree, left, dims, p);
    const st_real to_right = st_box_node_square(tree, right, dims, p);
    return to_left != to_right ? to_left < to_right : tree->nodes.data[left].least < tree->nodes.data[right].least;
}

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

// Points by place. Those that are not finite are left out.
typedef struct st_point_tree {
    st_box_tree tree;
    const st_real *points; // borrowed
    size_t stride;
    st_uints numbers; // of the points in the tree
} st_point_tree;

typedef struct st_neighbor {
    st_real key;
    uint32_t point;
} st_neighbor;

// `dims`: leading scalars that are places. False when out of memory.
bool st_point_tree_create(st_point_tree *tree, const st_real *points, size_t count, size_t stride, size_t dims);
// The `most` nearest points, the nearest first, of equals the one of least number. `key` turns the square of a distance
// into what is compared, which must not fall as the square grows. Returns how many there are.
size_t st_point_tree_nearest(const st_point_tree *tree, const st_real *p, st_real (*key)(st_real square), size_t most,
                             st_neighbor *found);
void st_point_tree_free(st_point_tree *tree);

#endif
