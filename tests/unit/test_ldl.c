// The sparse LDLᵀ factorization: residuals on positive definite and quasi-definite matrices, the triangle that it
// reads, zero pivots, kept and changed patterns, several right-hand sides, same bits every time.
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
    assert_int_equal(st_pattern_create_matrix(&pattern, 1, &matrix), ST_OK);
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
    const st_real norm = st_vector_norm(NULL, n, residual);
    const st_real bound = 16 * ST_REAL_EPSILON * st_bsr_norm(matrix) * st_vector_norm(NULL, n, x);
    if (!(norm <= bound)) fail_msg("residual %g beyond %g", (double)norm, (double)bound);
    st_free(residual);
}

static void factor_and_check(st_ldl *ldl, const st_bsr *matrix, st_ordering ordering, st_ldl_couple couple,
                             uint64_t *seed) {
    const size_t n = (size_t)matrix->rows;
    st_real *b = random_vector(n, seed), *x = random_vector(n, seed);
    assert_int_equal(st_ldl_analyze(ldl, matrix, ordering, couple), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, matrix, NULL), ST_OK);
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
    assert_int_equal(st_pattern_create_matrix(&pattern, 3, &blocks), ST_OK);
    for (int32_t i = 0; i < nodes; i++)
        for (size_t s = blocks.starts[i]; s < blocks.starts[i + 1]; s++)
            for (size_t e = 0; e < 9; e++)
                blocks.values[9 * s + e] = (st_real)(blocks.columns[s] == i ? (e % 4 ? 0.5 : 11) : (e % 4 ? -0.1 : -1));
    assert_int_equal(st_bsr_copy_nonzeros(&matrix, &blocks), ST_OK);
    st_bsr_free(&blocks);
    st_pattern_free(&pattern);
    return matrix;
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
    assert_int_equal(st_ldl_size(ldl), matrix.rows);
    st_ldl_free(ldl);
    st_bsr_free(&matrix);
}

static void a_factor_worked_by_hand(void **state) {
    (void)state;
    // [4 2; 2 -3] = L D Lᵀ with l = 1/2, D = (4, -4).
    const st_real dense[] = {4, 2, 2, -3};
    st_bsr matrix = from_dense(2, dense);
    st_ldl *ldl = st_ldl_create();
    assert_false(st_ldl_is_factored(ldl));
    assert_int_equal(st_ldl_analyze(ldl, &matrix, ST_ORDERING_NATURAL, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, &matrix, NULL), ST_OK);
    assert_true(st_ldl_is_factored(ldl));
    assert_int_equal(st_ldl_entries(ldl), 1);
    assert_true(st_ldl_inverse_pivots(ldl)[0] == (st_real)0.25);
    assert_true(st_ldl_inverse_pivots(ldl)[1] == (st_real)-0.25);
    const int32_t backward[] = {1, 0};
    assert_int_equal(st_ldl_analyze_permuted(ldl, &matrix, backward, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_permutation(ldl)[0], 1);
    assert_int_equal(st_ldl_factor(ldl, &matrix, NULL), ST_OK);
    assert_true(st_ldl_inverse_pivots(ldl)[0] == (st_real)1 / (st_real)-3);
    const int32_t wrong[] = {1, 1};
    assert_int_equal(st_ldl_analyze_permuted(ldl, &matrix, wrong, ST_LDL_LATER_ROW), ST_INVALID);
    assert_true(st_ldl_is_factored(ldl));
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
            assert_int_equal(st_ldl_analyze(ldl, matrices[k], ST_ORDERING_NATURAL, choice), ST_OK);
            assert_int_equal(st_ldl_factor(ldl, matrices[k], NULL), ST_OK);
            assert_int_equal(st_ldl_solve(ldl, b, k + couple ? x : expected), ST_OK);
            if (k + couple) assert_memory_equal(x, expected, N * sizeof *x);
        }
        // The order of the lower triangle alone is that of the whole pattern.
        factor_and_check(ldl, &mirrored, ST_ORDERING_AMD, ST_LDL_LOWER, &seed);
        assert_int_equal(st_ldl_analyze(ldl, matrices[k], ST_ORDERING_AMD, ST_LDL_LOWER), ST_OK);
        assert_int_equal(st_ldl_factor(ldl, matrices[k], NULL), ST_OK);
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

// With the order 2, 0, 1 the couple (0, 2) is read in row 0 and (1, 2) in row 1, (0, 1) in row 1.
static void the_later_row_is_read(void **state) {
    (void)state;
    const st_real dense[] = {5, 9, 1, 2, 6, 3, 9, 9, 7}, read[] = {5, 2, 1, 2, 6, 3, 1, 3, 7};
    const int32_t order[] = {2, 0, 1};
    st_bsr matrix = from_dense(3, dense), symmetric = from_dense(3, read);
    const st_real b[] = {1, 2, 3};
    st_real x[3];
    st_ldl *ldl = st_ldl_create();
    assert_int_equal(st_ldl_analyze_permuted(ldl, &matrix, order, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, &matrix, NULL), ST_OK);
    assert_int_equal(st_ldl_solve(ldl, b, x), ST_OK);
    assert_solves(&symmetric, x, b);
    st_ldl_free(ldl);
    st_bsr_free(&matrix);
    st_bsr_free(&symmetric);
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
    assert_int_equal(st_ldl_factor(ldl, &matrix, &column), ST_INVALID);
    assert_int_equal(st_ldl_analyze(ldl, &matrix, ST_ORDERING_NATURAL, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, &matrix, &column), ST_FAILED);
    assert_int_equal(column, 3);
    const int32_t order[] = {3, 2, 1, 0};
    assert_int_equal(st_ldl_analyze_permuted(ldl, &matrix, order, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, &matrix, &column), ST_FAILED);
    assert_int_equal(column, 1);
    assert_int_equal(st_ldl_solve(ldl, b, x), ST_FAILED);
    assert_int_equal(st_ldl_solve_many(ldl, NULL, 1, b, x), ST_FAILED);
    assert_true(x[0] == 7 && x[3] == 7);
    // A failed factorization leaves nothing behind.
    matrix.values[st_bsr_find(&matrix, 3, 3)] = 2;
    assert_int_equal(st_ldl_factor(ldl, &matrix, &column), ST_OK);
    assert_int_equal(st_ldl_solve(ldl, b, x), ST_OK);
    assert_solves(&matrix, x, b);
    matrix.values[st_bsr_find(&matrix, 2, 2)] = (st_real)NAN;
    assert_int_equal(st_ldl_factor(ldl, &matrix, &column), ST_FAILED);
    assert_int_equal(column, 2);
    st_ldl_free(ldl);
    st_bsr_free(&matrix);
}

static void matrices_without_a_factor_are_refused(void **state) {
    (void)state;
    const st_real good[] = {2, 1, 1, 2}, empty_row[] = {2, 0, 0, 0};
    const size_t starts[] = {0, 1};
    const int32_t columns[] = {0};
    st_bsr matrix = from_dense(2, good), lame = from_dense(2, empty_row), none = {0}, wide, block;
    assert_int_equal(st_bsr_create(&wide, 1, 1, 2, starts, columns), ST_OK);
    assert_int_equal(st_bsr_create(&block, 3, 1, 1, starts, columns), ST_OK);
    st_ldl *ldl = st_ldl_create();
    assert_int_equal(st_ldl_analyze(ldl, &matrix, ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, &matrix, NULL), ST_OK);
    const st_bsr *refused[] = {&lame, &none, &wide, &block};
    for (int k = 0; k < 4; k++)
        assert_int_equal(st_ldl_analyze(ldl, refused[k], ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_INVALID);
    assert_int_equal(st_ldl_factor(ldl, &lame, NULL), ST_INVALID);
    // The former factor still stands.
    const st_real b[] = {1, 5};
    st_real x[2];
    assert_int_equal(st_ldl_solve(ldl, b, x), ST_OK);
    assert_solves(&matrix, x, b);
    size_t column = 9;
    assert_int_equal(st_ldl_analyze(ldl, &lame, ST_ORDERING_AMD, ST_LDL_LOWER), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, &lame, &column), ST_FAILED);
    assert_int_equal(column, 1);
    st_ldl_free(ldl);
    st_ldl_free(NULL);
    st_bsr_free(&matrix);
    st_bsr_free(&lame);
    st_bsr_free(&wide);
    st_bsr_free(&block);
}

static void results_do_not_depend_on_former_matrices(void **state) {
    (void)state;
    uint64_t seed = 4;
    st_bsr first = grid_matrix(5), other = grid_matrix(4);
    const size_t n = (size_t)first.rows;
    st_real *b = random_vector(n, &seed), *x = random_vector(n, &seed), *expected = random_vector(n, &seed);
    st_ldl *ldl = st_ldl_create();
    assert_int_equal(st_ldl_analyze(ldl, &first, ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, &first, NULL), ST_OK);
    assert_int_equal(st_ldl_solve(ldl, b, expected), ST_OK);
    // Other values with the same pattern keep the analysis.
    const int32_t *permutation = st_ldl_permutation(ldl);
    for (size_t s = 0; s < st_bsr_count(&first); s++) first.values[s] *= 2;
    assert_int_equal(st_ldl_analyze(ldl, &first, ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_OK);
    assert_ptr_equal(st_ldl_permutation(ldl), permutation);
    factor_and_check(ldl, &first, ST_ORDERING_AMD, ST_LDL_LATER_ROW, &seed);
    factor_and_check(ldl, &other, ST_ORDERING_AMD, ST_LDL_LATER_ROW, &seed);
    assert_int_equal(st_ldl_size(ldl), other.rows);
    for (size_t s = 0; s < st_bsr_count(&first); s++) first.values[s] /= 2;
    assert_int_equal(st_ldl_analyze(ldl, &first, ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, &first, NULL), ST_OK);
    assert_int_equal(st_ldl_solve(ldl, b, x), ST_OK);
    assert_memory_equal(x, expected, n * sizeof *x);
    st_ldl_free(ldl);
    st_bsr_free(&first);
    st_bsr_free(&other);
    st_free(b);
    st_free(x);
    st_free(expected);
}

static void many_right_hand_sides_equal_single_ones(void **state) {
    (void)state;
    uint64_t seed = 5;
    enum { COUNT = 11 };
    st_bsr matrix = grid_matrix(6);
    const size_t n = (size_t)matrix.rows;
    st_real *b = random_vector(COUNT * n, &seed), *x = random_vector(COUNT * n, &seed);
    st_real *expected = random_vector(COUNT * n, &seed);
    st_ldl *ldl = st_ldl_create();
    assert_int_equal(st_ldl_analyze(ldl, &matrix, ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, &matrix, NULL), ST_OK);
    for (size_t c = 0; c < COUNT; c++) assert_int_equal(st_ldl_solve(ldl, b + c * n, expected + c * n), ST_OK);
    assert_int_equal(st_ldl_solve_many(ldl, NULL, 0, b, x), ST_OK);
    for (int threads = 0; threads <= 3; threads++) {
        st_pool *pool = threads ? st_pool_create(threads) : NULL;
        memset(x, 0, COUNT * n * sizeof *x);
        assert_int_equal(st_ldl_solve_many(ldl, pool, COUNT, b, x), ST_OK);
        st_pool_destroy(pool);
        assert_memory_equal(x, expected, COUNT * n * sizeof *x);
    }
    st_ldl_free(ldl);
    st_bsr_free(&matrix);
    st_free(b);
    st_free(x);
    st_free(expected);
}

// jᵀA⁻¹j from the forward half alone equals jᵀx with x = A⁻¹j, and the backward half completes the solve.
static void the_halves_of_a_solve_fit(void **state) {
    (void)state;
    st_bsr matrix = grid_matrix(5);
    const size_t n = (size_t)matrix.rows;
    st_real *j = st_alloc(n, sizeof *j), *u = st_alloc(n, sizeof *u), *x = st_alloc(n, sizeof *x);
    st_real *y = st_alloc(n, sizeof *y);
    j[10] = 1;
    j[200] = -2;
    st_ldl *ldl = st_ldl_create();
    assert_int_equal(st_ldl_analyze(ldl, &matrix, ST_ORDERING_AMD, ST_LDL_LATER_ROW), ST_OK);
    assert_int_equal(st_ldl_factor(ldl, &matrix, NULL), ST_OK);
    assert_int_equal(st_ldl_solve(ldl, j, x), ST_OK);
    st_ldl_forward(ldl, j, u);
    st_real product = 0;
    for (size_t k = 0; k < n; k++) product += u[k] * (u[k] * st_ldl_inverse_pivots(ldl)[k]);
    const st_real expected = st_vector_dot(NULL, n, j, x);
    assert_true(fabs(product - expected) <= 100 * ST_REAL_EPSILON * fabs(expected));
    for (size_t k = 0; k < n; k++) u[k] *= st_ldl_inverse_pivots(ldl)[k];
    st_ldl_backward(ldl, u, y);
    assert_memory_equal(x, y, n * sizeof *x);
    st_ldl_free(ldl);
    st_bsr_free(&matrix);
    st_free(j);
    st_free(u);
    st_free(x);
    st_free(y);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_systems_are_solved),
        cmocka_unit_test(grids_are_solved_with_little_fill),
        cmocka_unit_test(a_factor_worked_by_hand),
        cmocka_unit_test(one_triangle_is_read),
        cmocka_unit_test(the_later_row_is_read),
        cmocka_unit_test(zero_pivots_are_reported),
        cmocka_unit_test(matrices_without_a_factor_are_refused),
        cmocka_unit_test(results_do_not_depend_on_former_matrices),
        cmocka_unit_test(many_right_hand_sides_equal_single_ones),
        cmocka_unit_test(the_halves_of_a_solve_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
