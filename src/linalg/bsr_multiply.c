// Sparse matrices in blocks: products with a vector. See bsr.h for the order of the sums.
//
// A product streams the matrix once and is bound by memory, provided that the additions keep up: each scalar of the
// result is one chain of dependent additions. Blocks of 3 × 3 and 6 × 6 have kernels (bsr_kernel.c).
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/bsr_kernels.h"

enum {
    LARGEST_BLOCK = 6,
    ROWS_PER_TASK = 1024, // scalar rows that are worth handing to another thread
};

typedef st_bsr_product product;

// y = Σ A[row, col] x[col] for one block row of b × b blocks; b is a constant at every call.
static inline void row_sum(const st_bsr *matrix, size_t b, size_t row, const st_real *restrict x, st_real *y) {
    st_real sum[LARGEST_BLOCK] = {0};
    for (size_t s = matrix->starts[row]; s < matrix->starts[row + 1]; s++) {
        const st_real *a = &matrix->values[s * b * b], *v = &x[(size_t)matrix->columns[s] * b];
        for (size_t r = 0; r < b; r++)
            for (size_t c = 0; c < b; c++) sum[r] += a[r * b + c] * v[c];
    }

    for (size_t r = 0; r < b; r++) y[r] = sum[r];
}

static inline void multiply_rows(const product *p, size_t b, size_t begin, size_t end) {
    for (size_t row = begin; row < end; row++) row_sum(p->matrix, b, row, p->x, p->y + row * b);
}

static void multiply_1(void *context, size_t begin, size_t end) { multiply_rows(context, 1, begin, end); }
static void multiply_2(void *context, size_t begin, size_t end) { multiply_rows(context, 2, begin, end); }

void st_bsr_multiply(const st_bsr *matrix, st_pool *pool, const st_real *x, st_real *y) {
    product p = {matrix, x, y};
    if (matrix->rows == 0) return;

    const st_bsr_kernels *kernels = ST_BEST_KERNELS(st_bsr_kernels, pool);
    const int32_t b = matrix->height;
    st_parallel_for(pool, (size_t)matrix->rows, ROWS_PER_TASK / (size_t)b,
                    b == 1   ? multiply_1
                    : b == 2 ? multiply_2
                    : b == 3 ? kernels->multiply_3
                             : kernels->multiply_6,
                    &p);
}
