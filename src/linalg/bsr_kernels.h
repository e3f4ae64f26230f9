// Products of sparse matrices in blocks with a vector, by rows (bsr_kernel.c).
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_BSR_KERNELS_H
#define SETTEE_LINALG_BSR_KERNELS_H

#include "linalg/bsr.h"
#include "math/simd.h"

typedef struct st_bsr_product {
    const st_bsr *matrix;
    const st_real *x;
    st_real *y;
} st_bsr_product;

// Block rows [begin, end); the context is an st_bsr_product.
typedef struct st_bsr_kernels {
    void (*multiply_3)(void *context, size_t begin, size_t end);
    void (*multiply_6)(void *context, size_t begin, size_t end);
} st_bsr_kernels;
ST_KERNEL_TABLES(st_bsr_kernels);

#endif
