// A tree of boxes, and points in one.
//
// SPDX-License-Identifier: Apache-2.0
#include "math/box_tree.h"

#include "base/array.h"

enum { LEAF = 4 };

// ---------------------------------------------------------------------------------------------------
// Building
// ---------------------------------------------------------------------------------------------------

typedef struct middle {
    st_real value;
    uint32_t thing;
} middle;

typedef struct builder {
    st_box_tree *tree;
    const st_real *boxes;
    middle *middles;
    size_t split;
} builder;

static bool comes_before(middle a, middle b) { return a.value != b.value ? a.value < b.value : a.thing < b.thing; }

static void box_tree_swap(middle *a, middle *b) {
    const middle kept = *a;
    *a = *b;
    *b = kept;
}

// Puts the k-th in its place, smaller ones before it, larger ones after it (Hoare's selection). No two are equal.
static void select_middle(middle *list, size_t count, size_t k) {
    size_t low = 0, high = count - 1;
    while (low < high) {
        // the pivot: the median of the first, the last and the one between
        const size_t half = low + (high - low) / 2;
        if (comes_before(list[half], list[low])) box_tree_swap(&list[half], &list[low]);
        if (comes_before(list[high], list[low])) box_tree_swap(&list[high], &list[low]);
        if (comes_before(list[high], list[half])) box_tree_swap(&list[high], &list[half]);

        const middle pivot = list[half];
        size_t i = low, j = high;
        for (;;) {
            while (comes_before(list[i], pivot)) i++;
            while (comes_before(pivot, list[j])) j--;
            if (i >= j) break;
            box_tree_swap(&list[i++], &list[j--]);
        }

        // All up to j are not after the pivot, all from j + 1 on not before it.
        if (k <= j) high = j;
        else low = j + 1;
    }
}

static st_real middle_of(const builder *b, uint32_t thing, size_t axis) {
    const st_real *box = b->boxes + 2 * b->tree->dims * thing;
    return box[axis] / 2 + box[b->tree->dims + axis] / 2;
}

static void split_at_middle(const builder *b, size_t first, size_t count) {
    uint32_t *order = b->tree->order.data + first;
    size_t longest = 0;
    st_real length = -1;

    // the axis along which the middles are spread farthest
    for (size_t axis = 0; axis < b->split; axis++) {
        st_real low = ST_REAL_MAX, high = -ST_REAL_MAX;
        for (size_t i = 0; i < count; i++) {
            const st_real value = middle_of(b, order[i], axis);
            low = st_min(low, value);
            high = st_max(high, value);
        }
        if (high - low > length) length = high - low, longest = axis;
    }

    for (size_t i = 0; i < count; i++) b->middles[i] = (middle){middle_of(b, order[i], longest), order[i]};
    select_middle(b->middles, count, count / 2);
    for (size_t i = 0; i < count; i++) order[i] = b->middles[i].thing;
}

static void bound(const builder *b, st_real *bounds, size_t first, size_t count) {
    const size_t dims = b->tree->dims;
    for (size_t k = 0; k < dims; k++) bounds[k] = ST_REAL_MAX, bounds[dims + k] = -ST_REAL_MAX;

    // the smallest box around all of them
    for (size_t i = first; i < first + count; i++) {
        const st_real *box = b->boxes + 2 * dims * b->tree->order.data[i];
        for (size_t k = 0; k < dims; k++) {
            bounds[k] = st_min(bounds[k], box[k]);
            bounds[dims + k] = st_max(bounds[dims + k], box[dims + k]);
        }
    }
}

static bool box_tree_build(const builder *b, size_t first, size_t count) {
    st_box_tree *tree = b->tree;
    const size_t at = tree->nodes.count, width = 2 * tree->dims;
    if (!st_list_set_count(&tree->nodes, at + 1, 1) || !st_list_set_count(&tree->bounds, (at + 1) * width, 1))
        return false;

    st_box_node node = {.first = (uint32_t)first, .count = (uint32_t)count, .least = UINT32_MAX};
    for (size_t i = first; i < first + count; i++)
        if (tree->order.data[i] < node.least) node.least = tree->order.data[i];

    bound(b, tree->bounds.data + at * width, first, count);
    tree->nodes.data[at] = node;
    if (count <= LEAF) return true;

    // an inner node: the left child follows, the right one comes after all below it
    split_at_middle(b, first, count);
    if (!box_tree_build(b, first, count / 2)) return false;
    tree->nodes.data[at].count = 0;
    tree->nodes.data[at].right = (uint32_t)tree->nodes.count;
    return box_tree_build(b, first + count / 2, count - count / 2);
}

bool st_box_tree_create(st_box_tree *tree, const st_real *boxes, size_t count, size_t dims, size_t split) {
    *tree = (st_box_tree){.dims = dims};
    builder b = {.tree = tree, .boxes = boxes, .middles = st_alloc(count, sizeof(middle)), .split = split};
    bool ok = b.middles && count < UINT32_MAX && st_list_set_count(&tree->order, count, 1);
    for (size_t i = 0; ok && i < count; i++) tree->order.data[i] = (uint32_t)i;

    ok = ok && (count == 0 || box_tree_build(&b, 0, count));
    st_free(b.middles);
    return ok;
}

void st_box_tree_free(st_box_tree *tree) {
    st_list_free(&tree->nodes);
    st_list_free(&tree->bounds);
    st_list_free(&tree->order);
}

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

static bool is_finite(const st_real *p, size_t dims) {
    for (size_t k = 0; k < dims; k++)
        if (!isfinite(p[k])) return false;
    return true;
}

bool st_point_tree_create(st_point_tree *tree, const st_real *points, size_t count, size_t stride, size_t dims) {
    *tree = (st_point_tree){.points = points, .stride = stride};
    st_real *boxes = st_alloc(count, 2 * dims * sizeof *boxes);
    bool ok = boxes && count < UINT32_MAX;

    // a box without extent for each finite point
    for (size_t i = 0; ok && i < count; i++) {
        if (!is_finite(points + i * stride, dims)) continue;

        st_real *box = boxes + 2 * dims * tree->numbers.count;
        st_copy_reals(box, points + i * stride, (size_t)dims);
        st_copy_reals(box + dims, points + i * stride, (size_t)dims);
        ok = st_list_push(&tree->numbers, (uint32_t)i);
    }

    ok = ok && st_box_tree_create(&tree->tree, boxes, tree->numbers.count, dims, dims);
    st_free(boxes);
    return ok;
}

void st_point_tree_free(st_point_tree *tree) {
    st_box_tree_free(&tree->tree);
    st_list_free(&tree->numbers);
}

// The best so far, in order; the last one is the first to go.
typedef struct ranking {
    st_neighbor *list;
    size_t count, most;
} ranking;

static bool is_better(const ranking *r, st_real key, uint32_t point) {
    if (r->count < r->most) return true;
    const st_neighbor *last = &r->list[r->count - 1];
    return key < last->key || (key == last->key && point < last->point);
}

static void rank(ranking *r, st_real key, uint32_t point) {
    if (r->count < r->most) r->count++;

    // by key, equal ones by number: the result does not depend on the shape of the tree
    size_t at = r->count - 1;
    for (; at > 0; at--) {
        const st_neighbor *before = &r->list[at - 1];
        if (before->key < key || (before->key == key && before->point < point)) break;
        r->list[at] = *before;
    }
    r->list[at] = (st_neighbor){key, point};
}

size_t st_point_tree_nearest(const st_point_tree *tree, const st_real *p, st_real (*key)(st_real square), size_t most,
                             st_neighbor *found) {
    const size_t dims = tree->tree.dims;
    ranking r = {.list = found, .most = most};
    st_box_walk walk;
    if (most == 0 || !is_finite(p, dims)) return 0;

    st_box_walk_begin(&walk, &tree->tree);
    for (uint32_t at; st_box_walk_next(&walk, &at);) {
        const st_box_node *node = &tree->tree.nodes.data[at];
        const st_real bound = key(st_box_node_square(&tree->tree, at, dims, p));

        // no point of the box can be nearer than the box is
        if (!is_better(&r, bound, tree->numbers.data[node->least])) continue;

        // nearer children first: they rule out more of the others
        if (node->count == 0) st_box_walk_down(&walk, at, st_box_left_is_nearer(&tree->tree, at, dims, p));
        for (uint32_t i = 0; i < node->count; i++) {
            const uint32_t point = tree->numbers.data[tree->tree.order.data[node->first + i]];
            const st_real *q = tree->points + point * tree->stride, own = key(st_box_square(q, q, dims, p));
            if (is_better(&r, own, point)) rank(&r, own, point);
        }
    }
    return r.count;
}
