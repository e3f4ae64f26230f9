// Building and refreshing a tree of boxes: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/bounding_tree.h"

#include "base/array.h"
#include "math/pack.h"

#include <stdlib.h>
#include <tgmath.h>

enum { FEW = 4 };                            // leaves that are not divided any more
static const st_real noise = (st_real)1e-12; // of a coordinate that is 0 but for rounding, in parts of the cell's box

// ---------------------------------------------------------------------------------------------------
// Leaves in packs
// ---------------------------------------------------------------------------------------------------

static size_t pack_count(size_t leaves) { return (leaves + ST_PACK_SIZE - 1) / ST_PACK_SIZE; }

static void fill_packs(st_bounding_tree *tree, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        st_real *to = tree->packs.data + i / ST_PACK_SIZE * ST_LEAF_PACK + i % ST_PACK_SIZE;
        for (int k = 0; k < 3; k++) {
            to[k * ST_PACK_SIZE] = tree->leaves.data[i].min[k];
            to[(3 + k) * ST_PACK_SIZE] = tree->leaves.data[i].max[k];
        }
    }
}

// ---------------------------------------------------------------------------------------------------
// Building
// ---------------------------------------------------------------------------------------------------

static int longest_axis(const st_box *box) {
    const st_real l0 = box->max[0] - box->min[0], l1 = box->max[1] - box->min[1], l2 = box->max[2] - box->min[2];
    if (l0 > l1) return l0 > l2 ? 0 : 2;
    return l1 > l2 ? 1 : 2;
}

// Stable: two sorted runs become one, the left one first where keys are equal.
static void merge_runs(const st_bounding_tree *tree, const uint32_t *from, uint32_t *to, size_t left, size_t middle,
                       size_t right) {
    const st_real *keys = tree->keys.data;
    size_t a = left, b = middle;
    for (size_t k = left; k < right; k++)
        to[k] = a < middle && (b >= right || !(keys[from[b]] < keys[from[a]])) ? from[a++] : from[b++];
}

// Swept boxes reach to where a solver has led, so that a middle which is 0 by symmetry is 0 but for rounding: then
// rounding would decide the order. Such leaves come in the order of elements, or in a fixed shuffled one (the seed is
// that of a run of SOFA, whose order is in its results).
static st_real key_without_noise(const st_bounding_tree *tree, uint32_t element, st_real key, st_real extent) {
    enum { SEED = 91 };
    if (tree->ties == ST_TIES_KEPT || fabs(key) > noise * extent) return key;
    if (tree->ties == ST_TIES_BY_ELEMENT) return 0;
    uint32_t hash = (element + 1) * 2654435761u ^ SEED * 0x9E3779B9u;
    hash = (hash ^ hash >> 15) * 0x85EBCA6Bu;
    hash ^= hash >> 13;
    return ((st_real)hash / (st_real)4294967296.0 - (st_real)0.5) * noise * extent;
}

static void sort_leaves(st_bounding_tree *tree, uint32_t first, uint32_t end, int axis, st_real extent) {
    const size_t count = end - first;
    uint32_t *leaves = tree->elements.data + first, *from = leaves, *to = tree->swap.data + first;

    for (size_t i = 0; i < count; i++) {
        const st_box *box = &tree->boxes.data[leaves[i]];
        tree->keys.data[leaves[i]] = key_without_noise(tree, leaves[i], box->min[axis] + box->max[axis], extent);
    }

    // runs of double the width, from one list to the other and back
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t at = 0; at < count; at += 2 * width)
            merge_runs(tree, from, to, at, at + width < count ? at + width : count,
                       at + 2 * width < count ? at + 2 * width : count);
        uint32_t *swap = from;
        from = to;
        to = swap;
    }

    if (from != leaves) st_copy_bytes(leaves, from, count * sizeof *leaves);
}

static bool add_cell(st_bounding_tree *tree, uint32_t first, uint32_t end) {
    st_tree_cell cell = {.below = {first, end, true}, .first = first, .end = end};

    st_box_clear(&cell.box);
    for (uint32_t i = first; i < end; i++) st_box_merge(&cell.box, &tree->boxes.data[tree->elements.data[i]]);

    return st_list_push(&tree->cells, cell);
}

static bool bounding_tree_divide(st_bounding_tree *tree, size_t at) {
    const st_tree_cell cell = tree->cells.data[at]; // the array may move
    const uint32_t count = cell.end - cell.first, middle = cell.first + (count + 1) / 2;
    if (count <= FEW) return true;

    // along the longest side, in two halves
    const int axis = longest_axis(&cell.box);
    sort_leaves(tree, cell.first, cell.end, axis, cell.box.max[axis] - cell.box.min[axis]);

    const uint32_t below = (uint32_t)tree->cells.count;
    tree->cells.data[at].below = (st_box_range){below, below + 2, false};
    return add_cell(tree, cell.first, middle) && add_cell(tree, middle, cell.end);
}

static bool divide_levels(st_bounding_tree *tree, size_t depth) {
    bool ok = true;

    for (size_t level = 0, begin = 0; ok && level < depth && begin < tree->cells.count; level++) {
        const size_t end = tree->cells.count;
        for (size_t i = begin; ok && i < end; i++) ok = bounding_tree_divide(tree, i);
        begin = end;
    }
    return ok;
}

bool st_bounding_tree_build(st_bounding_tree *tree, size_t count, size_t depth, st_boxes_of *boxes_of,
                            const void *context) {
    tree->built = false;
    tree->cells.count = 0;

    if (count > UINT32_MAX / 2 || !st_list_set_count(&tree->boxes, count, 1) ||
        !st_list_set_count(&tree->keys, count, 1) || !st_list_set_count(&tree->swap, count, 1) ||
        !st_list_set_count(&tree->elements, count, 1) || !st_list_set_count(&tree->leaves, count, 1) ||
        !st_list_set_count(&tree->packs, pack_count(count) * ST_LEAF_PACK, 1))
        return false;

    for (size_t i = 0; i < count; i++) tree->elements.data[i] = (uint32_t)i;
    boxes_of(context, NULL, count, tree->boxes.data);

    // the root, then level by level
    if (!add_cell(tree, 0, (uint32_t)count) || !divide_levels(tree, depth)) return false;

    for (size_t i = 0; i < count; i++) tree->leaves.data[i] = tree->boxes.data[tree->elements.data[i]];
    fill_packs(tree, 0, count);
    tree->points.count = 0;
    tree->waiting = false;
    tree->depth = depth;
    tree->built = true;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Refreshing
// ---------------------------------------------------------------------------------------------------

static void merge_below(const st_bounding_tree *tree, st_tree_cell *cell) {
    st_box box;
    st_box_clear(&box);
    for (uint32_t k = cell->below.first; k < cell->below.end; k++)
        st_box_merge(&box, st_tree_box(tree, cell->below.leaves, k));
    cell->box = box;
}

void st_bounding_tree_refresh(st_bounding_tree *tree, st_boxes_of *boxes_of, const void *context) {
    boxes_of(context, tree->elements.data, tree->leaves.count, tree->leaves.data);
    fill_packs(tree, 0, tree->leaves.count);

    // from the leaves up: cells come after those above them
    for (size_t i = tree->cells.count; i-- > 0;) merge_below(tree, &tree->cells.data[i]);
}

// ---------------------------------------------------------------------------------------------------
// Leaves on demand
// ---------------------------------------------------------------------------------------------------

static int compare_points(const void *a, const void *b) {
    const uint32_t one = *(const uint32_t *)a, two = *(const uint32_t *)b;
    return (one > two) - (one < two);
}

// Below one cell: the corners of its elements, sorted, each once.
static bool collect_points(st_bounding_tree *tree, st_tree_cell *cell, const st_tree_corners *c) {
    const size_t corners = (size_t)c->corners, from = tree->points.count, all = (cell->end - cell->first) * corners;
    if (from + all > UINT32_MAX || !st_list_set_count(&tree->points, from + all, 1)) return false;

    uint32_t *points = tree->points.data + from;
    for (size_t i = 0; i < all; i++) {
        const uint32_t element = tree->elements.data[cell->first + i / corners];
        points[i] = c->vertices ? c->vertices[element * corners + i % corners] : element;
    }
    qsort(points, all, sizeof *points, compare_points);

    size_t kept = 0;
    for (size_t i = 0; i < all; i++)
        if (i == 0 || points[i] != points[i - 1]) points[kept++] = points[i];

    tree->points.count = from + kept;
    cell->points = (uint32_t)from;
    cell->points_end = (uint32_t)(from + kept);
    return true;
}

bool st_bounding_tree_collect(st_bounding_tree *tree, const st_tree_corners *corners) {
    bool ok = true;
    tree->points.count = 0;
    for (size_t i = 0; ok && i < tree->cells.count; i++)
        if (tree->cells.data[i].below.leaves) ok = collect_points(tree, &tree->cells.data[i], corners);
    if (!ok) tree->points.count = 0;
    return ok;
}

void st_bounding_tree_refresh_cells(st_bounding_tree *tree, const st_tree_corners *corners) {
    const st_tree_kernels *kernels = ST_BEST_KERNELS(st_tree_kernels, NULL);
    tree->waiting = false;

    for (size_t i = tree->cells.count; i-- > 0;) {
        st_tree_cell *cell = &tree->cells.data[i];
        cell->stale = cell->below.leaves;
        cell->wanted = false;
        if (!cell->below.leaves) merge_below(tree, cell);
        else kernels->hull(corners, tree->points.data + cell->points, cell->points_end - cell->points, &cell->box);
    }
}

// What is below the first cell is always compared.
static bool want_below(st_bounding_tree *tree, uint32_t at, const st_box *box, st_real distance) {
    st_tree_cell *cell = &tree->cells.data[at];
    if (at > 0 && box && st_boxes_far(&cell->box, box, distance)) return false;

    if (!cell->below.leaves) {
        const bool first = want_below(tree, cell->below.first, box, distance);
        return want_below(tree, cell->below.first + 1, box, distance) || first;
    }

    const bool is_new = cell->stale && !cell->wanted;
    cell->wanted = true;
    return is_new;
}

bool st_bounding_tree_want(st_bounding_tree *tree, const st_box *box, st_real distance) {
    if (tree->points.count == 0) return false;
    const bool waited = tree->waiting, more = want_below(tree, 0, box, distance);
    tree->waiting = waited || more;
    return more && !waited;
}

void st_bounding_tree_fill(st_bounding_tree *tree, const st_tree_corners *corners) {
    const st_tree_kernels *kernels = ST_BEST_KERNELS(st_tree_kernels, NULL);

    for (size_t i = 0; i < tree->cells.count; i++) {
        st_tree_cell *cell = &tree->cells.data[i];
        if (!cell->stale || !cell->wanted) continue;
        kernels->boxes(corners, tree->elements.data + cell->first, cell->end - cell->first,
                       tree->leaves.data + cell->first);
        fill_packs(tree, cell->first, cell->end);
        cell->stale = false;
    }
    tree->waiting = false;
}

void st_bounding_tree_free(st_bounding_tree *tree) {
    st_list_free(&tree->cells);
    st_list_free(&tree->leaves);
    st_list_free(&tree->packs);
    st_list_free(&tree->elements);
    st_list_free(&tree->points);
    st_list_free(&tree->boxes);
    st_list_free(&tree->keys);
    st_list_free(&tree->swap);
    tree->built = false;
}
