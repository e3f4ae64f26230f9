// How close to the memory bandwidth does one iteration of the conjugate gradient run?
//
// The matrix has 3 × 3 blocks in the pattern of a 27-point stencil on a grid of 60³ nodes, 420 MB in double: far
// beyond the caches. An iteration is q = A p, d = pᵀq, x += a p, r -= a q, rᵀr, p = r + b p. The bytes that it must
// move are those of the matrix (values, column numbers, row starts) and of the vectors, each counted once per pass.
// The yardstick is the triad a[i] = b[i] + s c[i], measured in between on the same core. Best of several tries.
//
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/array.h"
#include "linalg/bsr.h"
#include "linalg/vector.h"

enum { SIDE = 60, TRIAD_COUNT = 8 << 20, TRIES = 7, ITERATIONS = 3 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Neighbors of a node in increasing order; counts only when columns is NULL.
static size_t neighbors(int node, int32_t *columns) {
    const int x = node % SIDE, y = node / SIDE % SIDE, z = node / SIDE / SIDE;
    size_t count = 0;
    for (int k = z - 1; k <= z + 1; k++)
        for (int j = y - 1; j <= y + 1; j++)
            for (int i = x - 1; i <= x + 1; i++) {
                if (i < 0 || j < 0 || k < 0 || i >= SIDE || j >= SIDE || k >= SIDE) continue;
                if (columns) columns[count] = i + SIDE * (j + SIDE * k);
                count++;
            }
    return count;
}

static bool make_matrix(st_bsr *matrix) {
    const int nodes = SIDE * SIDE * SIDE;
    size_t *starts = st_alloc((size_t)nodes + 1, sizeof *starts);
    int32_t *columns = st_alloc((size_t)nodes * 27, sizeof *columns);
    bool made = starts && columns;
    if (made) {
        for (int i = 0; i < nodes; i++) starts[i + 1] = starts[i] + neighbors(i, columns + starts[i]);
        made = st_bsr_create(matrix, 3, nodes, nodes, starts, columns) == ST_OK;
    }
    st_free(starts);
    st_free(columns);
    if (!made) return false;
    // Diagonally dominant: 60 on the diagonal, -1 / (1 + number of the scalar in its block) elsewhere.
    for (int row = 0; row < nodes; row++)
        for (size_t s = matrix->starts[row]; s < matrix->starts[row + 1]; s++)
            for (int e = 0; e < 9; e++)
                matrix->values[9 * s + (size_t)e] =
                    matrix->columns[s] == row && e % 4 == 0 ? (st_real)60 : (st_real)-1 / (st_real)(1 + e);
    return true;
}

static double triad_gbs(st_real *a, const st_real *b, const st_real *c) {
    const double begin = now();
    for (size_t i = 0; i < TRIAD_COUNT; i++) a[i] = b[i] + 3 * c[i];
    return 3.0 * sizeof *a * TRIAD_COUNT / (now() - begin) / 1e9;
}

typedef struct vectors {
    st_real *p, *q, *x, *r;
} vectors;

static double iteration_gbs(const st_bsr *matrix, const vectors *v) {
    const size_t n = st_bsr_scalar_rows(matrix), count = st_bsr_count(matrix);
    // Passes over vectors: product 2 (p, q), pᵀq 2, step 6 (p, q, x twice, r twice), new direction 3.
    const double bytes = (double)count * (9 * sizeof(st_real) + sizeof(int32_t)) +
                         (double)matrix->rows * sizeof(size_t) + 13.0 * (double)n * sizeof(st_real);
    st_real rho = st_vector_dot(NULL, n, v->r, v->r);
    const double begin = now();
    for (int k = 0; k < ITERATIONS; k++) {
        st_bsr_multiply(matrix, NULL, v->p, v->q);
        const st_real alpha = rho / st_vector_dot(NULL, n, v->p, v->q), former = rho;
        rho = st_vector_cg_step(NULL, n, alpha, v->p, v->q, v->x, v->r);
        st_vector_xpay(NULL, n, v->r, rho / former, v->p);
    }
    return ITERATIONS * bytes / (now() - begin) / 1e9;
}

static int measure(const st_bsr *matrix, const vectors *v, st_real *a, st_real *b, st_real *c) {
    for (size_t i = 0; i < TRIAD_COUNT; i++) {
        b[i] = 1;
        c[i] = 2;
    }
    for (size_t i = 0; i < st_bsr_scalar_rows(matrix); i++) v->r[i] = v->p[i] = (st_real)(1 + i % 7);
    double triad = 0, cg = 0;
    for (int k = 0; k < TRIES; k++) {
        const double t = triad_gbs(a, b, c), g = iteration_gbs(matrix, v);
        if (t > triad) triad = t;
        if (g > cg) cg = g;
    }
    printf("cg_iteration_3x3: %.2f GB/s, triad %.2f GB/s, ratio %.2f\n", cg, triad, cg / triad);
    return a[TRIAD_COUNT / 2] == 7 && v->x[0] > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(void) {
    st_bsr matrix;
    if (!make_matrix(&matrix)) return EXIT_FAILURE;
    const size_t n = st_bsr_scalar_rows(&matrix);
    const vectors v = {.p = st_alloc(n, sizeof(st_real)),
                       .q = st_alloc(n, sizeof(st_real)),
                       .x = st_alloc(n, sizeof(st_real)),
                       .r = st_alloc(n, sizeof(st_real))};
    st_real *a = st_alloc(TRIAD_COUNT, sizeof *a), *b = st_alloc(TRIAD_COUNT, sizeof *b);
    st_real *c = st_alloc(TRIAD_COUNT, sizeof *c);
    int result = EXIT_FAILURE;
    if (v.p && v.q && v.x && v.r && a && b && c) result = measure(&matrix, &v, a, b, c);
    st_free(a);
    st_free(b);
    st_free(c);
    st_free(v.p);
    st_free(v.q);
    st_free(v.x);
    st_free(v.r);
    st_bsr_free(&matrix);
    return result;
}
