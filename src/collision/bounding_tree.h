// A tree of axis-aligned boxes over the elements of a collision model.
//
// It is built once, from the positions of the first detection, level by level: a cell of more than four leaves is cut
// in two halves along the longest side of its box, the leaves sorted by the middle of their boxes along it. Later only
// the boxes follow; the order of the leaves stays, and with it the order in which contacts are found.
//
//     cells    0 | 1 2 | 3 4 5 6 | ...       level by level in one array, the root first
//     leaves   one box per element, in the order that the sorting left
//     below    of each cell: a range of cells or of leaves
//
// Where boxes are those of corners, cells of leaves know the corners below them. Boxes of cells follow these directly, and
// boxes of leaves only in cells that another model is near: most elements of a large model are far from everything.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_BOUNDING_TREE_H
#define SETTEE_COLLISION_BOUNDING_TREE_H

#include "math/simd.h"
#include "settee/types.h"

typedef struct st_box {
    st_real min[3], max[3];
} st_box;

// Cells or leaves from first to end.
typedef struct st_box_range {
    uint32_t first, end;
    bool leaves;
} st_box_range;

typedef struct st_tree_cell {
    st_box box;
    st_box_range below;
    uint32_t first, end;         // its leaves
    uint32_t points, points_end; // a cell of leaves: the DOFs below it, in the tree's list
    bool stale, wanted;          // boxes of its leaves are older than its own; someone is near
} st_tree_cell;

// Elements by their corners: the box of an element is that of the positions of its corners and the margin around it.
typedef struct st_tree_corners {
    const st_real *positions;
    size_t stride;            // reals of a position
    const uint32_t *vertices; // `corners` of each element; NULL: element i is DOF i
    int corners;
    st_real margin;
} st_tree_corners;

// Leaves whose place along an axis is 0 but for rounding: as rounding orders them, by element, shuffled.
typedef enum st_tree_ties { ST_TIES_KEPT, ST_TIES_BY_ELEMENT, ST_TIES_SHUFFLED } st_tree_ties;

typedef struct st_bounding_tree {
    size_t depth; // that was asked for
    bool built;
    st_tree_ties ties;
    ST_LIST(st_tree_cell) cells;
    ST_LIST(st_box) leaves;
    st_uints elements; // of the leaves
    st_reals packs;    // the boxes of the leaves once more, four at a time: x y z of their minima, then of their maxima
    st_uints points;   // DOFs below each cell of leaves, each once; empty: boxes of leaves follow at once
    bool waiting;      // there are cells that are wanted and stale
    // work of building
    ST_LIST(st_box) boxes; // by element
    st_reals keys;         // by element
    st_uints swap;
} st_bounding_tree;

// The box that contains nothing: no box is near it.
static inline void st_box_clear(st_box *box) {
    for (int k = 0; k < 3; k++) {
        box->min[k] = ST_REAL_MAX;
        box->max[k] = -ST_REAL_MAX;
    }
}
// Numbers that are none do not enlarge a box.
static inline void st_box_enclose(st_box *box, const st_real min[3], const st_real max[3]) {
    box->min[0] = min[0] < box->min[0] ? min[0] : box->min[0];
    box->min[1] = min[1] < box->min[1] ? min[1] : box->min[1];
    box->min[2] = min[2] < box->min[2] ? min[2] : box->min[2];
    box->max[0] = max[0] > box->max[0] ? max[0] : box->max[0];
    box->max[1] = max[1] > box->max[1] ? max[1] : box->max[1];
    box->max[2] = max[2] > box->max[2] ? max[2] : box->max[2];
}
static inline void st_box_add(st_box *box, const st_real p[3]) { st_box_enclose(box, p, p); }
static inline void st_box_merge(st_box *box, const st_box *other) { st_box_enclose(box, other->min, other->max); }
static inline void st_box_grow(st_box *box, st_real by) {
    for (int k = 0; k < 3; k++) {
        box->min[k] -= by;
        box->max[k] += by;
    }
}
// Near unless they are farther apart than the distance along some axis.
static inline bool st_boxes_near(const st_box *a, const st_box *b, st_real distance) {
    for (int k = 0; k < 3; k++)
        if (a->min[k] > b->max[k] + distance || b->min[k] > a->max[k] + distance) return false;
    return true;
}
// The opposite, without branches: for boxes that may as well be near as not.
static inline bool st_boxes_far(const st_box *a, const st_box *b, st_real distance) {
    return (a->min[0] > b->max[0] + distance) | (b->min[0] > a->max[0] + distance) |
           (a->min[1] > b->max[1] + distance) | (b->min[1] > a->max[1] + distance) |
           (a->min[2] > b->max[2] + distance) | (b->min[2] > a->max[2] + distance);
}

// Boxes of elements come from the caller, all of them at once: box i is that of elements[i], or of element i where
// `elements` is NULL.
typedef void st_boxes_of(const void *context, const uint32_t *elements, size_t count, st_box *boxes);
bool st_bounding_tree_build(st_bounding_tree *tree, size_t count, size_t depth, st_boxes_of *boxes_of,
                            const void *context);
// The same elements at other places: boxes only. Allocates nothing.
void st_bounding_tree_refresh(st_bounding_tree *tree, st_boxes_of *boxes_of, const void *context);
// In two steps, for elements with corners. `collect` lists the DOFs below each cell once after building; false: out of
// memory. `refresh_cells` lets the boxes of cells follow, and leaves those of the leaves behind.
bool st_bounding_tree_collect(st_bounding_tree *tree, const st_tree_corners *corners);
void st_bounding_tree_refresh_cells(st_bounding_tree *tree, const st_tree_corners *corners);
// Leaves in cells near a box will be compared; NULL: all of them. True: some were not waiting before and are behind.
// `fill` lets the boxes of those that are wanted follow, too. Neither allocates.
bool st_bounding_tree_want(st_bounding_tree *tree, const st_box *box, st_real distance);
void st_bounding_tree_fill(st_bounding_tree *tree, const st_tree_corners *corners);
void st_bounding_tree_free(st_bounding_tree *tree);

enum { ST_LEAF_PACK = 24 }; // reals of four leaves in `packs`

typedef struct st_tree_kernels {
    // The leaves from first to end that are near the box, in their order, as st_boxes_near finds them; `near` has room
    // for all of them. Returns how many there are.
    size_t (*near_leaves)(const st_bounding_tree *tree, uint32_t first, uint32_t end, const st_box *box,
                          st_real distance, uint32_t *near);
    // Box i is that of elements[i], or of element i where `elements` is NULL.
    void (*boxes)(const st_tree_corners *corners, const uint32_t *elements, size_t count, st_box *boxes);
    // The box of some DOFs, the margin around it.
    void (*hull)(const st_tree_corners *corners, const uint32_t *points, size_t count, st_box *hull);
} st_tree_kernels;
ST_KERNEL_TABLES(st_tree_kernels);

static inline const st_box *st_tree_box(const st_bounding_tree *tree, bool leaf, uint32_t i) {
    return leaf ? &tree->leaves.data[i] : &tree->cells.data[i].box;
}

#endif
