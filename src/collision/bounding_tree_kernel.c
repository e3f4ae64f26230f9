// Boxes against boxes, four at a time: the comparisons of st_boxes_near. Compiled for each instruction set
// (math/simd.h).
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

const st_tree_kernels ST_KERNEL(st_tree_kernels) = {.near_leaves = near_leaves};
