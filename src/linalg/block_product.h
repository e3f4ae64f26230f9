// Products of sparse block matrices, planned once and computed many times:
//
//     C += A B    or    C += Aᵀ B
//
// The plan lists for every block of C the pairs of blocks of A and B whose products make it up,
//
//     C[c] += Σ A[left[t]] B[right[t]],   t in starts[c] … starts[c + 1] - 1,
//
// in the order of the inner index. A product then neither searches nor allocates, a block of C is summed up in
// registers, and blocks may be computed in any order by any number of threads with the same bits.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_BLOCK_PRODUCT_H
#define SETTEE_LINALG_BLOCK_PRODUCT_H

#include "base/pool.h"
#include "linalg/pattern.h"

typedef struct st_block_product {
    bool transposed; // of A
    size_t *starts;  // blocks of C + 1
    uint32_t *left, *right;
} st_block_product;

// Records the blocks of the product in the pattern of C. A and B have theirs.
st_status st_block_product_record(const st_bsr *a, bool transposed, const st_bsr *b, st_pattern *c);
// Makes the plan; C has its pattern. A former plan is replaced.
st_status st_block_product_plan(st_block_product *product, const st_bsr *a, bool transposed, const st_bsr *b,
                                const st_bsr *c);
void st_block_product_add(const st_block_product *product, st_pool *pool, const st_bsr *a, const st_bsr *b, st_bsr *c);
void st_block_product_free(st_block_product *product);

#endif
