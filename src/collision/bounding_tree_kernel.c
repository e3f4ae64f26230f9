// Boxes of elements by their corners, and boxes against boxes, four at a time: the comparisons of st_boxes_near. Compiled
// for each instruction set (math/simd.h).
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/bounding_tree.h"
#include "math/pack.h"

static size_t near_leaves(const st_bounding_tree *tree, uint32_t first, uint32_t end, const st_box *box,
                          st_real distance, uint32_t *near) {
    const st_pack margin = st_pack_splat(distance);
    st_pack low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = st_pack_splat(box->min[k]);
        high[k] = st_pack_splat(box->max[k] + distance);
    }

    size_t count = 0;
    for (uint32_t at = first / ST_PACK_SIZE * ST_PACK_SIZE; at < end; at += ST_PACK_SIZE) {
        const st_real *p = tree->packs.data + at / ST_PACK_SIZE * ST_LEAF_PACK;
        st_pack_mask far = {0};
        for (int k = 0; k < 3; k++) {
            far |= (st_pack_mask)(st_pack_load(p + k * ST_PACK_SIZE) > high[k]);
            far |= (st_pack_mask)(low[k] > st_pack_load(p + (3 + k) * ST_PACK_SIZE) + margin);
        }

        // lanes outside of the range do not count
        unsigned lanes = ~st_pack_bits(far) & 15u;
        if (at < first) lanes &= 15u << (first - at);
        if (end - at < ST_PACK_SIZE) lanes &= 15u >> (ST_PACK_SIZE - (end - at));
        for (; lanes; lanes &= lanes - 1) near[count++] = at + (uint32_t)__builtin_ctz(lanes);
    }
    return count;
}

// The first three reals of a position; the rest of a frame is its orientation.
ST_PACK_INLINE void add_point(st_box *box, const st_tree_corners *c, uint32_t dof) {
    st_box_add(box, c->positions + (size_t)dof * c->stride);
}

// The number of corners is a constant where this is used.
ST_PACK_INLINE void boxes_of_corners(const st_tree_corners *c, const uint32_t *elements, size_t count, st_box *boxes,
                                     size_t corners) {
    for (size_t n = 0; n < count; n++) {
        const uint32_t i = elements ? elements[n] : (uint32_t)n;
        st_box box;
        st_box_clear(&box);
        for (size_t k = 0; k < corners; k++) add_point(&box, c, c->vertices ? c->vertices[i * corners + k] : i);
        st_box_grow(&box, c->margin);
        boxes[n] = box;
    }
}

static void boxes_of_elements(const st_tree_corners *c, const uint32_t *elements, size_t count, st_box *boxes) {
    if (c->corners == 1) boxes_of_corners(c, elements, count, boxes, 1);
    else if (c->corners == 2) boxes_of_corners(c, elements, count, boxes, 2);
    else if (c->corners == 3) boxes_of_corners(c, elements, count, boxes, 3);
    else boxes_of_corners(c, elements, count, boxes, (size_t)c->corners);
}

// Two chains of minima and maxima: each has to wait for the one before.
static void hull_of_points(const st_tree_corners *c, const uint32_t *points, size_t count, st_box *hull) {
    st_box one, two;
    size_t i = 0;
    st_box_clear(&one);
    st_box_clear(&two);

    for (; i + 2 <= count; i += 2) {
        add_point(&one, c, points[i]);
        add_point(&two, c, points[i + 1]);
    }
    if (i < count) add_point(&one, c, points[i]);

    st_box_merge(&one, &two);
    st_box_grow(&one, c->margin);
    *hull = one;
}

const st_tree_kernels ST_KERNEL(st_tree_kernels) = {
    .near_leaves = near_leaves, .boxes = boxes_of_elements, .hull = hull_of_points};
