// The sparse LDLᵀ factorization: residuals on positive definite and quasi-definite matrices in blocks of every size,
// with every ordering and with the kernels of every machine; the triangle that it reads; zero pivots; kept, grown and
// changed patterns; several right-hand sides, dense and sparse; same bits for any number of threads; where the
// numbers stand; matrices without entries.
//
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <tgmath.h>

#include <cmocka.h>

#include "base/array.h"
#include "linalg/ldl.h"
#include "linalg/ldl_factor.h"
#include "linalg/pattern.h"
#include "linalg/vector.h"

static uint32_t random_bits(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

static st_real random_real(uint64_t *seed) { return (st_real)random_bits(seed) / (st_real)2147483648.0 * 2 - 1; }

static st_real *random_vector(size_t count, uint64_t *seed) {
    st_real *x = st_alloc(count, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < count; i++) x[i] = random_real(seed);
    return x;
}

// A scalar matrix with the given entries, dense, without its zeros.
static st_bsr from_dense(int32_t n, const st_real *dense) {
    st_pattern pattern = {0};
    st_bsr matrix;
    assert_int_equal(st_pattern_begin(&pattern, n, n), ST_OK);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            if (dense[i * n + j] != 0) assert_int_equal(st_pattern_record(&pattern, i, j), ST_OK);
    assert_int_equal(st_pattern_compress(&pattern), ST_OK);
    assert_int_equal(st_bsr_create(&matrix, 1, pattern.rows, pattern.cols, pattern.starts, pattern.columns), ST_OK);
    st_pattern_free(&pattern);
    for (int32_t i = 0; i < n; i++)
        for (size_t s = matrix.starts[i]; s < matrix.starts[i + 1]; s++)
            matrix.values[s] = dense[i * n + matrix.columns[s]];
    return matrix;
}

// Random symmetric couples; the diagonal outweighs its row, with sign -1 from unknown `negative` on: quasi-definite.
static st_real *random_symmetric(int32_t n, int32_t negative, uint64_t *seed) {
    st_real *dense = st_alloc((size_t)n * (size_t)n, sizeof *dense);
    assert_non_null(dense);
    for (int32_t k = 0; k < 3 * n; k++) {
        const int32_t i = (int32_t)(random_bits(seed) % (uint32_t)n), j = (int32_t)(random_bits(seed) % (uint32_t)n);
        dense[i * n + j] = dense[j * n + i] = random_real(seed);
    }
    for (int32_t i = 0; i < n; i++) {
        st_real sum = 1;
        for (int32_t j = 0; j < n; j++) sum += j == i ? 0 : fabs(dense[i * n + j]);
        dense[i * n + i] = i < negative ? sum : -sum;
    }
    return dense;
}

static void assert_solves(const st_bsr *matrix, const st_real *x, const st_real *b) {
    const size_t n = (size_t)matrix->rows;
    st_real *residual = st_alloc(n, sizeof *residual);
    st_bsr_multiply(matrix, NULL, x, residual);
    st_vector_axpy(NULL, n, -1, b, residual);
    const st_real norm = sqrt(st_vector_dot(NULL, n, residual, residual));
    const st_real bound = 16 * ST_REAL_EPSILON * st_bsr_norm(matrix) * sqrt(st_vector_dot(NULL, n, x, x));
    if (!(norm <= bound)) fail_msg("residual %g beyond %g", (double)norm, (double)bound);
    st_free(residual);
}

static void factor_and_check(st_ldl *ldl, const st_bsr *matrix, st_ordering ordering, st_ldl_couple couple,
                             uint64_t *seed) {
    const size_t n = (size_t)matrix->rows;
    st_real *b = random_vector(n, seed), *x = random_vector(n, seed);
    assert_int_equal(st_ldl_analyze(ldl, NULL, matrix, ordering, couple), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, NULL, matrix, NULL), ST_OK);
    assert_int_equal(st_ldl_solve(ldl, b, x), ST_OK);
    assert_solves(matrix, x, b);
    // In place, too.
    assert_int_equal(st_ldl_solve(ldl, b, b), ST_OK);
    assert_memory_equal(b, x, n * sizeof *x);
    st_free(b);
    st_free(x);
}

static void random_systems_are_solved(void **state) {
    (void)state;
    uint64_t seed = 1;
    st_ldl *ldl = st_ldl_create();
    for (int32_t n = 1; n < 150; n += 12) {
        for (int part = 0; part < 2; part++) {
            st_real *dense = random_symmetric(n, part ? n / 2 : n, &seed);
            st_bsr matrix = from_dense(n, dense);
            factor_and_check(ldl, &matrix, ST_ORDERING_AMD, ST_LDL_LATER_ROW, &seed);
            factor_and_check(ldl, &matrix, ST_ORDERING_NATURAL, ST_LDL_LATER_ROW, &seed);
            factor_and_check(ldl, &matrix, ST_ORDERING_AMD, ST_LDL_LOWER, &seed);
            st_bsr_free(&matrix);
            st_free(dense);
        }
    }
    st_ldl_free(ldl);
}

// Springs between the nodes of a side³ grid, three unknowns a node coupled by a full block, as elasticity has them.
static st_bsr grid_matrix(int32_t side) {
    const int32_t nodes = side * side * side, steps[] = {1, side, side * side};
    st_pattern pattern = {0};
    st_bsr blocks, matrix = {0};
    assert_int_equal(st_pattern_begin(&pattern, nodes, nodes), ST_OK);
    assert_int_equal(st_pattern_record_diagonal(&pattern), ST_OK);
    for (int32_t i = 0; i < nodes; i++)
        for (int k = 0; k < 3; k++)
            if (i + steps[k] < nodes) {
                assert_int_equal(st_pattern_record(&pattern, i, i + steps[k]), ST_OK);
                assert_int_equal(st_pattern_record(&pattern, i + steps[k], i), ST_OK);
            }
    assert_int_equal(st_pattern_compress(&pattern), ST_OK);
    assert_int_equal(st_bsr_create(&blocks, 3, pattern.rows, pattern.cols, pattern.starts, pattern.columns), ST_OK);
    for (int32_t i = 0; i < nodes; i++)
        for (size_t s = blocks.starts[i]; s < blocks.starts[i + 1]; s++)
            for (size_t e = 0; e < 9; e++)
                blocks.values[9 * s + e] = (st_real)(blocks.columns[s] == i ? (e % 4 ? 0.5 : 11) : (e % 4 ? -0.1 : -1));
    assert_int_equal(st_bsr_copy_nonzeros(&matrix, &blocks), ST_OK);
    st_bsr_free(&blocks);
    st_pattern_free(&pattern);
    return matrix;
}

static st_bsr copy_of(const st_bsr *matrix) {
    st_bsr copy;
    assert_int_equal(st_bsr_create(&copy, matrix->height, matrix->rows, matrix->cols, matrix->starts, matrix->columns),
                     ST_OK);
    const size_t scalars = st_bsr_area(matrix);
    memcpy(copy.values, matrix->values, st_bsr_count(matrix) * scalars * sizeof *copy.values);
    return copy;
}

static void grids_are_solved_with_little_fill(void **state) {
    (void)state;
    uint64_t seed = 2;
    st_bsr matrix = grid_matrix(8);
    st_ldl *ldl = st_ldl_create();
    factor_and_check(ldl, &matrix, ST_ORDERING_NATURAL, ST_LDL_LATER_ROW, &seed);
    const size_t natural = st_ldl_entries(ldl);
    factor_and_check(ldl, &matrix, ST_ORDERING_AMD, ST_LDL_LATER_ROW, &seed);
    assert_true(st_ldl_entries(ldl) < natural * 3 / 4);
    st_ldl_free(ldl);
    st_bsr_free(&matrix);
}

// Minimum degree within the domains and separators of a dissection costs less than either of the two alone.
static void the_best_order_is_cheaper(void **state) {
    (void)state;
    uint64_t seed = 3;
    st_bsr matrix = grid_matrix(14);
    st_ldl *ldl = st_ldl_create();
    static const st_ordering orderings[] = {ST_ORDERING_BEST, ST_ORDERING_AMD, ST_ORDERING_METIS};
    double cost[3];
    for (int k = 0; k < 3; k++) {
        factor_and_check(ldl, &matrix, orderings[k], ST_LDL_LATER_ROW, &seed);
        cost[k] = ldl->plan.e.cost;
    }
    assert_true(cost[0] < 0.95 * cost[1] && cost[0] < 0.95 * cost[2]);
    st_ldl_free(ldl);
    st_bsr_free(&matrix);
}

static void a_factor_worked_by_hand(void **state) {
    (void)state;
    // [4 2; 2 -3] = L D Lᵀ with l = 1/2, D = (4, -4).
    const st_real dense[] = {4, 2, 2, -3};
    st_bsr matrix = from_dense(2, dense);
    st_ldl *ldl = st_ldl_create();
    assert_false(ldl->factored);
    assert_int_equal(st_ldl_analyze(ldl, NULL, &matrix, ST_ORDERING_NATURAL, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, NULL, &matrix, NULL), ST_OK);
    assert_true(ldl->factored);
    assert_int_equal(st_ldl_entries(ldl), 1);
    assert_true(st_ldl_inverse_pivot(ldl, 0) == (st_real)0.25);
    assert_true(st_ldl_inverse_pivot(ldl, 1) == (st_real)-0.25);
    st_ldl_free(ldl);
    st_bsr_free(&matrix);
}

// An unsymmetric matrix: with the natural order both choices read the lower triangle; the lower triangle alone, the
// whole matrix and the mirrored lower triangle give the same bits with ST_LDL_LOWER.
static void one_triangle_is_read(void **state) {
    (void)state;
    uint64_t seed = 3;
    enum { N = 60 };
    st_real *dense = random_symmetric(N, N, &seed);
    st_bsr mirrored = from_dense(N, dense);
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++) dense[i * N + j] *= (st_real)1.5;
    st_bsr whole = from_dense(N, dense);
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++) dense[i * N + j] = 0;
    st_bsr lower = from_dense(N, dense);
    st_real *b = random_vector(N, &seed), *x = random_vector(N, &seed), *expected = random_vector(N, &seed);
    st_ldl *ldl = st_ldl_create();
    const st_bsr *matrices[] = {&mirrored, &whole, &lower};
    for (int k = 0; k < 3; k++) {
        for (int couple = 0; couple < 2; couple++) {
            if (k == 2 && couple == ST_LDL_LATER_ROW) continue;
            const st_ldl_couple choice = couple ? ST_LDL_LOWER : ST_LDL_LATER_ROW;
            assert_int_equal(st_ldl_analyze(ldl, NULL, matrices[k], ST_ORDERING_NATURAL, choice), ST_OK);
            assert_int_equal(st_ldl_factor(ldl, NULL, matrices[k], NULL), ST_OK);
            assert_int_equal(st_ldl_solve(ldl, b, k + couple ? x : expected), ST_OK);
            if (k + couple) assert_memory_equal(x, expected, N * sizeof *x);
        }
        // The order of the lower triangle alone is that of the whole pattern.
        factor_and_check(ldl, &mirrored, ST_ORDERING_AMD, ST_LDL_LOWER, &seed);
        assert_int_equal(st_ldl_analyze(ldl, NULL, matrices[k], ST_ORDERING_AMD, ST_LDL_LOWER), ST_OK);
        assert_int_equal(st_ldl_factor(ldl, NULL, matrices[k], NULL), ST_OK);
        assert_int_equal(st_ldl_solve(ldl, b, x), ST_OK);
        assert_solves(&mirrored, x, b);
    }
    st_ldl_free(ldl);
    st_bsr_free(&mirrored);
    st_bsr_free(&whole);
    st_bsr_free(&lower);
    st_free(dense);
    st_free(b);
    st_free(x);
    st_free(expected);
}

// Of each couple of an unsymmetric matrix, the entry in the row that is eliminated later is read.
static void the_later_row_is_read(void **state) {
    (void)state;
    uint64_t seed = 31;
    enum { N = 40 };
    st_real *dense = random_symmetric(N, N, &seed);
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++) dense[i * N + j] *= (st_real)1.5;
    st_bsr matrix = from_dense(N, dense);
    st_ldl *ldl = st_ldl_create();
    assert_int_equal(st_ldl_analyze(ldl, NULL, &matrix, ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_OK);
    bool turned = false;
    for (int k = 0; k < N; k++)
        for (int later = k + 1; later < N; later++) {
            const int32_t i = st_ldl_permutation(ldl)[k], j = st_ldl_permutation(ldl)[later];
            dense[i * N + j] = dense[j * N + i];
            turned = turned || j < i;
        }
    assert_true(turned); // else the upper triangle is never read
    st_bsr symmetric = from_dense(N, dense);
    st_real *b = random_vector(N, &seed), *x = random_vector(N, &seed);
    assert_int_equal(st_ldl_factor(ldl, NULL, &matrix, NULL), ST_OK);
    assert_int_equal(st_ldl_solve(ldl, b, x), ST_OK);
    assert_solves(&symmetric, x, b);
    st_ldl_free(ldl);
    st_bsr_free(&matrix);
    st_bsr_free(&symmetric);
    st_free(dense);
    st_free(b);
    st_free(x);
}

static void zero_pivots_are_reported(void **state) {
    (void)state;
    // Rows 1 and 3 are equal up to their common couple: the Schur complement of 3 vanishes exactly.
    const st_real singular[] = {2, 0, 0, 0, 0, 1, 0, 1, 0, 0, 3, 0, 0, 1, 0, 1};
    st_bsr matrix = from_dense(4, singular);
    st_ldl *ldl = st_ldl_create();
    size_t column = 99;
    st_real x[] = {7, 7, 7, 7};
    const st_real b[] = {1, 1, 1, 1};
    assert_int_equal(st_ldl_solve(ldl, b, x), ST_FAILED);
    assert_int_equal(st_ldl_factor(ldl, NULL, &matrix, &column), ST_INVALID);
    assert_int_equal(st_ldl_analyze(ldl, NULL, &matrix, ST_ORDERING_NATURAL, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, NULL, &matrix, &column), ST_FAILED);
    assert_int_equal(column, 3);
    assert_int_equal(st_ldl_solve(ldl, b, x), ST_FAILED);
    assert_int_equal(st_ldl_solve_many(ldl, NULL, 1, b, x), ST_FAILED);
    assert_true(x[0] == 7 && x[3] == 7);
    // A failed factorization leaves nothing behind.
    matrix.values[st_bsr_find(&matrix, 3, 3)] = 2;
    assert_int_equal(st_ldl_factor(ldl, NULL, &matrix, &column), ST_OK);
    assert_int_equal(st_ldl_solve(ldl, b, x), ST_OK);
    assert_solves(&matrix, x, b);
    matrix.values[st_bsr_find(&matrix, 2, 2)] = (st_real)NAN;
    assert_int_equal(st_ldl_factor(ldl, NULL, &matrix, &column), ST_FAILED);
    assert_int_equal(column, 2);
    st_ldl_free(ldl);
    st_bsr_free(&matrix);
}

static void matrices_without_a_factor_are_refused(void **state) {
    (void)state;
    const st_real good[] = {2, 1, 1, 2}, empty_row[] = {2, 0, 0, 0};
    const size_t starts[] = {0, 1};
    const int32_t columns[] = {0};
    st_bsr matrix = from_dense(2, good), lame = from_dense(2, empty_row), wide;
    assert_int_equal(st_bsr_create(&wide, 1, 1, 2, starts, columns), ST_OK);
    st_ldl *ldl = st_ldl_create();
    assert_int_equal(st_ldl_analyze(ldl, NULL, &matrix, ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, NULL, &matrix, NULL), ST_OK);
    assert_int_equal(st_ldl_analyze(ldl, NULL, &wide, ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_INVALID);
    assert_int_equal(st_ldl_factor(ldl, NULL, &lame, NULL), ST_INVALID);
    // The former factor still stands.
    const st_real b[] = {1, 5};
    st_real x[2];
    assert_int_equal(st_ldl_solve(ldl, b, x), ST_OK);
    assert_solves(&matrix, x, b);
    size_t column = 9;
    for (int couple = 0; couple < 2; couple++) {
        assert_int_equal(st_ldl_analyze(ldl, NULL, &lame, ST_ORDERING_AMD, couple ? ST_LDL_LOWER : ST_LDL_LATER_ROW),
                         ST_OK);
        assert_int_equal(st_ldl_factor(ldl, NULL, &lame, &column), ST_FAILED);
        assert_int_equal(column, 1);
    }
    st_ldl_free(ldl);
    st_ldl_free(NULL);
    st_bsr_free(&matrix);
    st_bsr_free(&lame);
    st_bsr_free(&wide);
}

static void results_do_not_depend_on_former_matrices(void **state) {
    (void)state;
    uint64_t seed = 4;
    st_bsr first = grid_matrix(5), other = grid_matrix(4);
    const size_t n = (size_t)first.rows;
    st_real *b = random_vector(n, &seed), *x = random_vector(n, &seed), *expected = random_vector(n, &seed);
    st_ldl *ldl = st_ldl_create();
    assert_int_equal(st_ldl_analyze(ldl, NULL, &first, ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, NULL, &first, NULL), ST_OK);
    assert_int_equal(st_ldl_solve(ldl, b, expected), ST_OK);
    // Other values with the same pattern keep the analysis.
    const int32_t *permutation = st_ldl_permutation(ldl);
    for (size_t s = 0; s < st_bsr_count(&first); s++) first.values[s] *= 2;
    assert_int_equal(st_ldl_analyze(ldl, NULL, &first, ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_OK);
    assert_ptr_equal(st_ldl_permutation(ldl), permutation);
    factor_and_check(ldl, &first, ST_ORDERING_AMD, ST_LDL_LATER_ROW, &seed);
    factor_and_check(ldl, &other, ST_ORDERING_AMD, ST_LDL_LATER_ROW, &seed);
    assert_int_equal(ldl->plan.n * ldl->plan.block, other.rows);
    for (size_t s = 0; s < st_bsr_count(&first); s++) first.values[s] /= 2;
    assert_int_equal(st_ldl_analyze(ldl, NULL, &first, ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, NULL, &first, NULL), ST_OK);
    assert_int_equal(st_ldl_solve(ldl, b, x), ST_OK);
    assert_memory_equal(x, expected, n * sizeof *x);
    st_ldl_free(ldl);
    st_bsr_free(&first);
    st_bsr_free(&other);
    st_free(b);
    st_free(x);
    st_free(expected);
}

static void assert_close(size_t count, const st_real *a, const st_real *b) {
    st_real largest = 0;
    for (size_t i = 0; i < count; i++) largest = fabs(b[i]) > largest ? fabs(b[i]) : largest;
    for (size_t i = 0; i < count; i++)
        if (!(fabs(a[i] - b[i]) <= 1000 * ST_REAL_EPSILON * largest))
            fail_msg("%zu: %.17g is not %.17g", i, (double)a[i], (double)b[i]);
}

static void many_right_hand_sides_equal_single_ones(void **state) {
    (void)state;
    uint64_t seed = 5;
    enum { COUNT = 31 };
    st_bsr matrix = grid_matrix(6);
    const size_t n = (size_t)matrix.rows;
    st_real *b = random_vector(COUNT * n, &seed), *x = random_vector(COUNT * n, &seed);
    st_real *expected = random_vector(COUNT * n, &seed), *first = random_vector(COUNT * n, &seed);
    st_ldl *ldl = st_ldl_create();
    assert_int_equal(st_ldl_analyze(ldl, NULL, &matrix, ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, NULL, &matrix, NULL), ST_OK);
    for (size_t c = 0; c < COUNT; c++) assert_int_equal(st_ldl_solve(ldl, b + c * n, expected + c * n), ST_OK);
    assert_int_equal(st_ldl_solve_many(ldl, NULL, 0, b, x), ST_OK);
    for (int threads = 0; threads <= 3; threads++) {
        st_pool *pool = threads ? st_pool_create(threads) : NULL;
        memset(x, 0, COUNT * n * sizeof *x);
        assert_int_equal(st_ldl_solve_many(ldl, pool, COUNT, b, x), ST_OK);
        st_pool_destroy(pool);
        assert_close(COUNT * n, x, expected);
        if (threads) assert_memory_equal(x, first, COUNT * n * sizeof *x);
        else memcpy(first, x, COUNT * n * sizeof *x);
    }
    // In place.
    assert_int_equal(st_ldl_solve_many(ldl, NULL, COUNT, b, b), ST_OK);
    assert_memory_equal(b, first, COUNT * n * sizeof *b);
    st_ldl_free(ldl);
    st_bsr_free(&matrix);
    st_free(b);
    st_free(x);
    st_free(expected);
    st_free(first);
}

// Sparse rows: some near each other, some far, one empty, one with the same column twice.
enum { ROWS = 40, ENTRIES = 5 };
typedef struct sparse_rows {
    size_t starts[ROWS + 1];
    int32_t columns[ROWS * ENTRIES];
    st_real values[ROWS * ENTRIES];
} sparse_rows;

static st_sparse_rows random_rows(sparse_rows *rows, size_t n, uint64_t *seed) {
    size_t next = 0;
    for (size_t r = 0; r < ROWS; r++) {
        rows->starts[r] = next;
        for (size_t k = 0; r != 7 && k < ENTRIES; k++, next++) {
            rows->columns[next] = (int32_t)(random_bits(seed) % (r % 2 ? n : n / 4));
            if (r == 9) rows->columns[next] = 5;
            rows->values[next] = random_real(seed);
        }
    }
    rows->starts[ROWS] = next;
    return (st_sparse_rows){ROWS, rows->starts, rows->columns, rows->values};
}

// W = H A⁻¹ Hᵀ from the reach alone equals H times full solves; the addition is symmetric to the last bit.
static void sparse_right_hand_sides_equal_full_ones(void **state) {
    (void)state;
    uint64_t seed = 6;
    st_bsr matrix = grid_matrix(6);
    const size_t n = (size_t)matrix.rows;
    static sparse_rows room;
    const st_sparse_rows h = random_rows(&room, n, &seed);
    st_real *b = st_alloc(n, sizeof *b), *y = st_alloc(n, sizeof *y);
    static st_real w[ROWS * ROWS], expected[ROWS * ROWS], first[ROWS * ROWS];
    st_ldl *ldl = st_ldl_create();
    assert_int_equal(st_ldl_compliance(ldl, NULL, &h, 1, w), ST_FAILED);
    assert_int_equal(st_ldl_analyze(ldl, NULL, &matrix, ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, NULL, &matrix, NULL), ST_OK);
    for (size_t r = 0; r < ROWS; r++) {
        memset(b, 0, n * sizeof *b);
        for (size_t k = h.starts[r]; k < h.starts[r + 1]; k++) b[h.columns[k]] += h.values[k];
        assert_int_equal(st_ldl_solve(ldl, b, y), ST_OK);
        for (size_t o = 0; o < ROWS; o++) {
            expected[o * ROWS + r] = o == r ? 3 : 0;
            for (size_t k = h.starts[o]; k < h.starts[o + 1]; k++)
                expected[o * ROWS + r] += (st_real)0.5 * h.values[k] * y[h.columns[k]];
        }
    }
    for (int threads = 0; threads <= 3; threads++) {
        st_pool *pool = threads ? st_pool_create(threads) : NULL;
        for (size_t k = 0; k < ROWS * ROWS; k++) w[k] = k % (ROWS + 1) ? 0 : 3;
        assert_int_equal(st_ldl_compliance(ldl, pool, &h, (st_real)0.5, w), ST_OK);
        st_pool_destroy(pool);
        assert_close(ROWS * ROWS, w, expected);
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < i; j++) assert_true(w[i * ROWS + j] == w[j * ROWS + i]);
        if (threads) assert_memory_equal(w, first, sizeof w);
        else memcpy(first, w, sizeof w);
    }
    const size_t nothing[2] = {0};
    assert_int_equal(st_ldl_compliance(ldl, NULL, &(st_sparse_rows){.count = 1, .starts = nothing}, 1, w), ST_OK);
    assert_int_equal(st_ldl_compliance(ldl, NULL, &(st_sparse_rows){.count = 0}, 1, w), ST_OK);
    st_ldl_free(ldl);
    st_bsr_free(&matrix);
    st_free(b);
    st_free(y);
}

// The matrix of springs between random nodes in blocks, positive definite and symmetric.
static st_bsr block_matrix(int32_t block, int32_t nodes, int couples, uint64_t *seed) {
    st_pattern pattern = {0};
    st_bsr matrix;
    assert_int_equal(st_pattern_begin(&pattern, nodes, nodes), ST_OK);
    assert_int_equal(st_pattern_record_diagonal(&pattern), ST_OK);
    for (int k = 0; k < couples; k++) {
        const int32_t i = (int32_t)(random_bits(seed) % (uint32_t)nodes);
        const int32_t j = (i + 1 + (int32_t)(random_bits(seed) % 9)) % nodes;
        assert_int_equal(st_pattern_record(&pattern, i, j), ST_OK);
        assert_int_equal(st_pattern_record(&pattern, j, i), ST_OK);
    }
    assert_int_equal(st_pattern_compress(&pattern), ST_OK);
    assert_int_equal(st_bsr_create(&matrix, block, pattern.rows, pattern.cols, pattern.starts, pattern.columns), ST_OK);
    st_pattern_free(&pattern);
    const size_t n = st_bsr_scalar_rows(&matrix);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            st_real *lower = st_bsr_at(&matrix, i, j), *upper = st_bsr_at(&matrix, j, i);
            if (lower) *lower = *upper = random_real(seed);
        }
    for (size_t i = 0; i < n; i++) {
        st_real sum = 1;
        for (size_t j = 0; j < n; j++) sum += fabs(st_bsr_get(&matrix, i, j));
        *st_bsr_at(&matrix, i, i) = sum;
    }
    return matrix;
}

static void assert_block_solves(const st_bsr *matrix, const st_real *x, const st_real *b) {
    const size_t n = st_bsr_scalar_rows(matrix);
    st_real *residual = st_alloc(n, sizeof *residual);
    st_bsr_multiply(matrix, NULL, x, residual);
    st_vector_axpy(NULL, n, -1, b, residual);
    const st_real norm = sqrt(st_vector_dot(NULL, n, residual, residual));
    assert_true(norm <= 64 * ST_REAL_EPSILON * st_bsr_norm(matrix) * sqrt(st_vector_dot(NULL, n, x, x)));
    st_free(residual);
}

static void every_block_size_ordering_and_kernel(void **state) {
    (void)state;
    uint64_t seed = 7;
    const int32_t blocks[] = {1, 2, 3, 6};
    const st_ordering orderings[] = {ST_ORDERING_BEST, ST_ORDERING_AMD, ST_ORDERING_COLAMD, ST_ORDERING_METIS,
                                     ST_ORDERING_NATURAL};
    st_ldl *best = st_ldl_create(), *portable = st_ldl_create();
    portable->kernels = &st_ldl_kernels_portable;
    st_ldl *const ldls[] = {best, portable};
    for (int k = 0; k < 4; k++)
        for (int32_t nodes = 1; nodes < 60; nodes += 19) {
            st_bsr matrix = block_matrix(blocks[k], nodes, nodes > 1 ? 3 * nodes : 0, &seed);
            const size_t n = st_bsr_scalar_rows(&matrix);
            st_real *b = random_vector(5 * n, &seed), *x = random_vector(5 * n, &seed);
            for (int o = 0; o < 10; o++) {
                st_ldl *ldl = ldls[o % 2];
                assert_int_equal(st_ldl_analyze(ldl, NULL, &matrix, orderings[o / 2], ST_LDL_LATER_ROW), ST_OK);
                assert_int_equal(st_ldl_factor(ldl, NULL, &matrix, NULL), ST_OK);
                assert_int_equal(ldl->plan.n * ldl->plan.block, n);
                assert_int_equal(st_ldl_solve(ldl, b, x), ST_OK);
                assert_block_solves(&matrix, x, b);
                assert_int_equal(st_ldl_solve_many(ldl, NULL, 5, b, x), ST_OK);
                for (size_t c = 0; c < 5; c++) assert_block_solves(&matrix, x + c * n, b + c * n);
            }
            st_bsr_free(&matrix);
            st_free(b);
            st_free(x);
        }
    st_ldl_free(best);
    st_ldl_free(portable);
}

// Large enough for several subtrees and for shared fronts; with a pivot that vanishes, the same one is named.
static void threads_give_the_same_bits(void **state) {
    (void)state;
    uint64_t seed = 8;
    st_bsr matrix = grid_matrix(17);
    const size_t n = (size_t)matrix.rows;
    st_real *b = random_vector(n, &seed), *x = random_vector(n, &seed), *expected = random_vector(n, &seed);
    size_t failed[4];
    for (int threads = 1; threads <= 4; threads++) {
        st_pool *pool = st_pool_create(threads);
        st_ldl *ldl = st_ldl_create();
        assert_int_equal(st_ldl_analyze(ldl, pool, &matrix, ST_ORDERING_BEST, ST_LDL_LATER_ROW), ST_OK);
        assert_true(threads == 1 || ldl->plan.group_count > 2);
        assert_int_equal(st_ldl_factor(ldl, pool, &matrix, NULL), ST_OK);
        assert_int_equal(st_ldl_solve(ldl, b, threads == 1 ? expected : x), ST_OK);
        if (threads > 1) assert_memory_equal(x, expected, n * sizeof *x);
        // Many diagonal entries that are not there.
        st_bsr singular = copy_of(&matrix);
        for (size_t i = 0; i < n; i += 97)
            for (size_t s = singular.starts[i]; s < singular.starts[i + 1]; s++) singular.values[s] = (st_real)NAN;
        assert_int_equal(st_ldl_factor(ldl, pool, &singular, &failed[threads - 1]), ST_FAILED);
        assert_int_equal(failed[threads - 1], failed[0]);
        st_bsr_free(&singular);
        st_ldl_free(ldl);
        st_pool_destroy(pool);
    }
    st_bsr_free(&matrix);
    st_free(b);
    st_free(x);
    st_free(expected);
}

// Who uses a number: the group that ever does, and whether it is in use at the moment.
typedef struct cell {
    int32_t group; // plus 1; 0: none yet
    bool used;
} cell;

static void use(cell *cells, size_t at, size_t size, int32_t group, bool used) {
    for (size_t k = at; k < at + size; k++) {
        assert_true(cells[k].used != used);
        assert_true(cells[k].group == 0 || cells[k].group == group + 1);
        cells[k] = (cell){group + 1, used};
    }
}

static size_t update_size(const st_ldl_front *f) { return st_ldl_update_size((size_t)f->below); }

// Follows a factorization: no two things that are needed at the same time share a number, and groups, which may run
// side by side, share none at all. Next to nothing is lost to holes.
static void numbers_stand_apart(void **state) {
    (void)state;
    st_bsr matrix = grid_matrix(13);
    for (int threads = 1; threads <= 4; threads += 3) {
        st_pool *pool = st_pool_create(threads);
        st_ldl *ldl = st_ldl_create();
        assert_int_equal(st_ldl_analyze(ldl, pool, &matrix, ST_ORDERING_BEST, ST_LDL_LATER_ROW), ST_OK);
        const st_ldl_plan *plan = &ldl->plan;
        assert_true((plan->group_count > 1) == (threads > 1));
        cell *cells = st_alloc(plan->numbers, sizeof *cells);
        size_t needed = 0, most = 0; // numbers that are in use, of all groups
        for (int32_t s = 0; s < plan->e.supernodes; s++) {
            const st_ldl_front *f = &plan->fronts[s];
            const size_t panel = st_ldl_panel_size((size_t)f->pivots, (size_t)f->below);
            const size_t scratch = st_ldl_u_size((size_t)f->pivots, (size_t)f->below) + (size_t)f->pivots * ST_LDL_TILE;
            needed += panel + update_size(f);
            if (needed + scratch > most) most = needed + scratch;
            use(cells, f->panel, panel, f->group, true);
            use(cells, f->update, update_size(f), f->group, true);
            use(cells, f->scratch, scratch, f->group, true);
            use(cells, f->scratch, scratch, f->group, false);
            for (int32_t c = f->child; c >= 0; c = plan->fronts[c].next) {
                use(cells, plan->fronts[c].update, update_size(&plan->fronts[c]), plan->fronts[c].group, false);
                needed -= update_size(&plan->fronts[c]);
            }
        }
        for (size_t k = plan->vectors; k < plan->numbers; k++) assert_false(cells[k].used);
        const size_t solve = plan->padded + plan->most_below + plan->most_pivots * ST_LDL_TILE;
        assert_true(plan->vectors + solve <= plan->numbers);
        if (threads == 1) assert_true(plan->numbers * 100 <= most * 102);
        st_free(cells);
        st_ldl_free(ldl);
        st_pool_destroy(pool);
    }
    st_bsr_free(&matrix);
}

static void matrices_without_entries(void **state) {
    (void)state;
    st_ldl *ldl = st_ldl_create();
    st_bsr none = {0}, empty, hollow;
    const size_t starts[] = {0, 0, 0, 0};
    assert_int_equal(st_bsr_create(&empty, 3, 0, 0, starts, NULL), ST_OK);
    assert_int_equal(st_bsr_create(&hollow, 3, 3, 3, starts, NULL), ST_OK);
    st_real x[9] = {0}, w[1] = {0};
    size_t unknown = 99;
    const st_bsr *const nothing[] = {&none, &empty};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(st_ldl_analyze(ldl, NULL, nothing[k], ST_ORDERING_BEST, ST_LDL_LATER_ROW), ST_OK);
        assert_int_equal(st_ldl_factor(ldl, NULL, nothing[k], &unknown), ST_OK);
        assert_int_equal(st_ldl_solve(ldl, x, x), ST_OK);
        assert_int_equal(st_ldl_solve_many(ldl, NULL, 2, x, x), ST_OK);
        assert_int_equal(st_ldl_compliance(ldl, NULL, &(st_sparse_rows){.count = 1, .starts = starts}, 1, w), ST_OK);
        assert_int_equal(ldl->plan.n * ldl->plan.block, 0);
    }
    const st_ordering orderings[] = {ST_ORDERING_BEST, ST_ORDERING_COLAMD, ST_ORDERING_METIS, ST_ORDERING_NATURAL};
    for (int k = 0; k < 4; k++) {
        assert_int_equal(st_ldl_analyze(ldl, NULL, &hollow, orderings[k], ST_LDL_LOWER), ST_OK);
        assert_int_equal(st_ldl_factor(ldl, NULL, &hollow, &unknown), ST_FAILED);
        assert_true(unknown < 9);
        assert_int_equal(st_ldl_solve(ldl, x, x), ST_FAILED);
    }
    st_bsr_free(&empty);
    st_bsr_free(&hollow);
    st_ldl_free(ldl);
}

// Zero blocks are left out; when one fills, the pattern grows once and stays, although the block becomes zero again.
static void patterns_only_grow(void **state) {
    (void)state;
    uint64_t seed = 9;
    st_bsr matrix = block_matrix(3, 30, 90, &seed);
    st_ldl *ldl = st_ldl_create();
    st_real *b = random_vector(90, &seed), *x = random_vector(90, &seed);
    // Node 4 is fixed: its rows and columns are those of the identity.
    bool fixed[90] = {0};
    for (int c = 12; c < 15; c++) fixed[c] = true;
    st_bsr full = copy_of(&matrix);
    assert_true(st_bsr_clear_rows_cols(&matrix, fixed));
    assert_int_equal(st_ldl_analyze(ldl, NULL, &matrix, ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_OK);
    const size_t small = st_ldl_entries(ldl);
    assert_int_equal(st_ldl_factor(ldl, NULL, &matrix, NULL), ST_OK);
    assert_int_equal(st_ldl_analyze(ldl, NULL, &full, ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_OK);
    const size_t large = st_ldl_entries(ldl);
    assert_true(large > small);
    const int32_t *kept = st_ldl_permutation(ldl);
    for (int round = 0; round < 2; round++) {
        const st_bsr *a = round ? &full : &matrix;
        assert_int_equal(st_ldl_analyze(ldl, NULL, a, ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_OK);
        assert_ptr_equal(st_ldl_permutation(ldl), kept);
        assert_int_equal(st_ldl_factor(ldl, NULL, a, NULL), ST_OK);
        assert_int_equal(st_ldl_solve(ldl, b, x), ST_OK);
        assert_block_solves(a, x, b);
    }
    st_ldl_forget(ldl);
    assert_int_equal(st_ldl_analyze(ldl, NULL, &matrix, ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_entries(ldl), small);
    st_ldl_free(ldl);
    st_bsr_free(&matrix);
    st_bsr_free(&full);
    st_free(b);
    st_free(x);
}

// A pattern that changes again and again is ordered quickly; when it stays, the best order is searched for.
static void changing_patterns_are_ordered_quickly(void **state) {
    (void)state;
    st_bsr first = grid_matrix(9), other = grid_matrix(8);
    st_ldl *ldl = st_ldl_create();
    for (int round = 0; round < 6; round++) {
        const st_bsr *matrix = round % 2 ? &other : &first;
        assert_int_equal(st_ldl_analyze(ldl, NULL, matrix, ST_ORDERING_BEST, ST_LDL_LATER_ROW), ST_OK);
        assert_int_equal(st_ldl_factor(ldl, NULL, matrix, NULL), ST_OK);
        assert_int_equal(ldl->plan.quick, round > 0);
    }
    const double cost = ldl->plan.e.cost;
    for (int round = 0; round < 20; round++) {
        assert_int_equal(st_ldl_analyze(ldl, NULL, &other, ST_ORDERING_BEST, ST_LDL_LATER_ROW), ST_OK);
        assert_int_equal(st_ldl_factor(ldl, NULL, &other, NULL), ST_OK);
    }
    assert_false(ldl->plan.quick);
    assert_true(ldl->plan.e.cost <= cost);
    st_ldl_free(ldl);
    st_bsr_free(&first);
    st_bsr_free(&other);
}

// Unknowns in units of 1e-12 to 1e12 are no reason to refuse; rounding of a diagonal entry is.
static void scales_do_not_matter(void **state) {
    (void)state;
    uint64_t seed = 10;
    enum { N = 40 };
    st_real *dense = random_symmetric(N, N, &seed), scale[N];
    for (int i = 0; i < N; i++) scale[i] = pow((st_real)10, (st_real)(i % 13 - 6));
    for (int i = 0; i < N * N; i++) dense[i] *= scale[i / N] * scale[i % N];
    st_bsr matrix = from_dense(N, dense);
    st_real *x = random_vector(N, &seed), b[N], y[N];
    st_bsr_multiply(&matrix, NULL, x, b);
    st_ldl *ldl = st_ldl_create();
    assert_int_equal(st_ldl_analyze(ldl, NULL, &matrix, ST_ORDERING_BEST, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, NULL, &matrix, NULL), ST_OK);
    assert_int_equal(st_ldl_solve(ldl, b, y), ST_OK);
    st_real r[N];
    st_bsr_multiply(&matrix, NULL, y, r);
    for (int i = 0; i < N; i++) assert_true(fabs(r[i] - b[i]) <= 1000 * ST_REAL_EPSILON * scale[i] * 1000000);
    st_bsr_free(&matrix);

    const st_real close[] = {1, 1, 1, 1 + ST_REAL_EPSILON};
    matrix = from_dense(2, close);
    size_t unknown = 9;
    assert_int_equal(st_ldl_analyze(ldl, NULL, &matrix, ST_ORDERING_NATURAL, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, NULL, &matrix, &unknown), ST_FAILED);
    assert_int_equal(unknown, 1);
    st_bsr_free(&matrix);
    st_ldl_free(ldl);
    st_free(dense);
    st_free(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_systems_are_solved),
        cmocka_unit_test(grids_are_solved_with_little_fill),
        cmocka_unit_test(the_best_order_is_cheaper),
        cmocka_unit_test(a_factor_worked_by_hand),
        cmocka_unit_test(one_triangle_is_read),
        cmocka_unit_test(the_later_row_is_read),
        cmocka_unit_test(zero_pivots_are_reported),
        cmocka_unit_test(matrices_without_a_factor_are_refused),
        cmocka_unit_test(results_do_not_depend_on_former_matrices),
        cmocka_unit_test(many_right_hand_sides_equal_single_ones),
        cmocka_unit_test(sparse_right_hand_sides_equal_full_ones),
        cmocka_unit_test(every_block_size_ordering_and_kernel),
        cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(numbers_stand_apart),
        cmocka_unit_test(matrices_without_entries),
        cmocka_unit_test(patterns_only_grow),
        cmocka_unit_test(changing_patterns_are_ordered_quickly),
        cmocka_unit_test(scales_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
