// Sparse matrices in square blocks: products with a vector. See bsr.h for the order of the sums.
//
// A product streams the matrix once and is bound by memory, provided that the additions keep up: each scalar of the
// result is one chain of dependent additions. The 3 × 3 kernel therefore keeps the three chains of a block row in
// registers and asks for the blocks of the following rows ahead of time.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "linalg/bsr.h"

enum {
    LARGEST_BLOCK = 6,
    ROWS_PER_TASK = 1024,   // scalar rows that are worth handing to another thread
    PREFETCH_DISTANCE = 16, // blocks
};

typedef struct product {
    const st_bsr *matrix;
    st_real alpha;
    bool add;
    const st_real *x;
    st_real *y;
} product;

// sum = Σ A[row, col] x[col] for one block row of b × b blocks; b is a constant at every call.
static inline void row_sum(const st_bsr *matrix, size_t b, size_t row, const st_real *restrict x, st_real *sum) {
    for (size_t r = 0; r < b; r++) sum[r] = 0;
    for (size_t s = matrix->starts[row]; s < matrix->starts[row + 1]; s++) {
        const st_real *a = &matrix->values[s * b * b], *v = &x[(size_t)matrix->columns[s] * b];
        for (size_t r = 0; r < b; r++)
            for (size_t c = 0; c < b; c++) sum[r] += a[r * b + c] * v[c];
    }
}

static inline void row_sum_3(const st_bsr *matrix, size_t row, const st_real *restrict x, st_real *sum) {
    const int32_t *columns = matrix->columns;
    const size_t end = matrix->starts[row + 1], count = matrix->starts[matrix->rows];
    const st_real *a = &matrix->values[9 * matrix->starts[row]];
    st_real s0 = 0, s1 = 0, s2 = 0;
    for (size_t s = matrix->starts[row]; s < end; s++, a += 9) {
        if (s + PREFETCH_DISTANCE < count) __builtin_prefetch(a + 9 * PREFETCH_DISTANCE);
        const st_real *v = &x[3 * (size_t)columns[s]];
        const st_real v0 = v[0], v1 = v[1], v2 = v[2];
        s0 += a[0] * v0;
        s1 += a[3] * v0;
        s2 += a[6] * v0;
        s0 += a[1] * v1;
        s1 += a[4] * v1;
        s2 += a[7] * v1;
        s0 += a[2] * v2;
        s1 += a[5] * v2;
        s2 += a[8] * v2;
    }
    sum[0] = s0;
    sum[1] = s1;
    sum[2] = s2;
}

static inline void store(const product *p, size_t b, size_t row, const st_real *sum) {
    st_real *y = &p->y[row * b];
    if (p->add)
        for (size_t r = 0; r < b; r++) y[r] += p->alpha * sum[r];
    else
        for (size_t r = 0; r < b; r++) y[r] = sum[r];
}

static inline void multiply_rows(const product *p, size_t b, size_t begin, size_t end) {
    st_real sum[LARGEST_BLOCK];
    for (size_t row = begin; row < end; row++) {
        row_sum(p->matrix, b, row, p->x, sum);
        store(p, b, row, sum);
    }
}

static void multiply_rows_3(const product *p, size_t begin, size_t end) {
    st_real sum[3];
    for (size_t row = begin; row < end; row++) {
        row_sum_3(p->matrix, row, p->x, sum);
        store(p, 3, row, sum);
    }
}

static void multiply_body(void *context, size_t begin, size_t end) {
    const product *p = context;
    switch (p->matrix->block) {
    case 1: multiply_rows(p, 1, begin, end); break;
    case 2: multiply_rows(p, 2, begin, end); break;
    case 3: multiply_rows_3(p, begin, end); break;
    default: multiply_rows(p, 6, begin, end); break;
    }
}

static void run(const st_bsr *matrix, st_pool *pool, product p) {
    if (matrix->rows == 0) return;
    st_parallel_for(pool, (size_t)matrix->rows, ROWS_PER_TASK / (size_t)matrix->block, multiply_body, &p);
}

void st_bsr_multiply(const st_bsr *matrix, st_pool *pool, const st_real *x, st_real *y) {
    run(matrix, pool, (product){.matrix = matrix, .x = x, .y = y});
}

void st_bsr_multiply_add(const st_bsr *matrix, st_pool *pool, st_real alpha, const st_real *x, st_real *y) {
    run(matrix, pool, (product){.matrix = matrix, .alpha = alpha, .add = true, .x = x, .y = y});
}

static inline void scatter_row(const st_bsr *matrix, size_t b, size_t row, const st_real *v, st_real *y) {
    for (size_t s = matrix->starts[row]; s < matrix->starts[row + 1]; s++) {
        const st_real *a = &matrix->values[s * b * b];
        st_real *target = &y[(size_t)matrix->columns[s] * b];
        for (size_t r = 0; r < b; r++)
            for (size_t c = 0; c < b; c++) target[c] += a[r * b + c] * v[r];
    }
}

void st_bsr_multiply_transpose_add(const st_bsr *matrix, st_real alpha, const st_real *x, st_real *y) {
    const size_t b = (size_t)matrix->block;
    st_real v[LARGEST_BLOCK] = {0};
    for (size_t row = 0; row < (size_t)matrix->rows; row++) {
        for (size_t r = 0; r < b; r++) v[r] = alpha * x[row * b + r];
        switch (b) {
        case 1: scatter_row(matrix, 1, row, v, y); break;
        case 2: scatter_row(matrix, 2, row, v, y); break;
        case 3: scatter_row(matrix, 3, row, v, y); break;
        default: scatter_row(matrix, 6, row, v, y); break;
        }
    }
}

void st_bsr_multiply_transpose(const st_bsr *matrix, const st_real *x, st_real *y) {
    const size_t scalars = st_bsr_scalar_cols(matrix);
    if (scalars > 0) memset(y, 0, scalars * sizeof *y);
    st_bsr_multiply_transpose_add(matrix, 1, x, y);
}
