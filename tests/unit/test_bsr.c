// Block matrices, their patterns and flat vectors: products against dense loops with the same order of operations
// (equal to the bit), Dirichlet conditions, conversions, recorded slots, and independence of the number of threads.
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
#include "linalg/bsr.h"
#include "linalg/pattern.h"
#include "linalg/vector.h"

static const int32_t block_sizes[] = {1, 2, 3, 6};
enum { BLOCK_SIZES = 4 };

// ---- random matrices ------------------------------------------------------------------------------------------------

static uint32_t random_bits(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

static int32_t random_below(uint64_t *seed, int32_t limit) { return (int32_t)(random_bits(seed) % (uint32_t)limit); }

static st_real random_real(uint64_t *seed) { return (st_real)random_bits(seed) / (st_real)2147483648.0 * 2 - 1; }

static void fill_randomly(st_real *values, size_t count, uint64_t *seed) {
    for (size_t i = 0; i < count; i++) values[i] = random_real(seed);
}

static st_real *random_vector(size_t count, uint64_t *seed) {
    st_real *x = st_alloc(count, sizeof *x);
    assert_non_null(x);
    fill_randomly(x, count, seed);
    return x;
}

static size_t scalars(const st_bsr *a) { return st_bsr_count(a) * st_bsr_area(a); }

// About `additions` blocks at random places; mirrored places and the diagonal on request.
static st_bsr random_matrix(int32_t block, int32_t rows, int32_t cols, int additions, bool symmetric, uint64_t *seed) {
    st_pattern pattern = {0};
    assert_int_equal(st_pattern_begin(&pattern, rows, cols), ST_OK);
    if (symmetric) assert_int_equal(st_pattern_record_diagonal(&pattern), ST_OK);
    for (int k = 0; k < additions; k++) {
        const int32_t row = random_below(seed, rows), col = random_below(seed, cols);
        assert_int_equal(st_pattern_record(&pattern, row, col), ST_OK);
        if (symmetric) assert_int_equal(st_pattern_record(&pattern, col, row), ST_OK);
    }
    st_bsr matrix;
    assert_int_equal(st_pattern_compress(&pattern), ST_OK);
    assert_int_equal(st_bsr_create(&matrix, block, pattern.rows, pattern.cols, pattern.starts, pattern.columns), ST_OK);
    st_pattern_free(&pattern);
    fill_randomly(matrix.values, scalars(&matrix), seed);
    return matrix;
}

static st_real *dense_of(const st_bsr *a) {
    st_real *dense = st_alloc(st_bsr_scalar_rows(a) * st_bsr_scalar_cols(a), sizeof *dense);
    assert_non_null(dense);
    st_bsr_to_dense(a, dense);
    return dense;
}

static void assert_same(const st_real *a, const st_real *b, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!(a[i] == b[i])) fail_msg("number %zu: %.17g, expected %.17g", i, (double)a[i], (double)b[i]);
}

// ---- entries and products -------------------------------------------------------------------------------------------

static void entries_are_found_where_they_are_stored(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int k = 0; k < BLOCK_SIZES; k++) {
        st_bsr a = random_matrix(block_sizes[k], 9, 13, 40, false, &seed);
        st_real *dense = dense_of(&a);
        const size_t height = st_bsr_scalar_rows(&a), width = st_bsr_scalar_cols(&a);
        size_t stored = 0;
        for (size_t i = 0; i < height; i++)
            for (size_t j = 0; j < width; j++) {
                assert_true(st_bsr_get(&a, i, j) == dense[i * width + j]);
                stored += st_bsr_at(&a, i, j) != NULL;
            }
        assert_int_equal(stored, scalars(&a));
        assert_null(st_bsr_at(&a, height, 0));
        assert_null(st_bsr_at(&a, 0, width));
        assert_int_equal(st_bsr_find(&a, -1, 0), SIZE_MAX);
        assert_int_equal(st_bsr_find(&a, 0, 13), SIZE_MAX);
        st_free(dense);
        st_bsr_free(&a);
    }
}

// y = A x by the plain loops that the specification of the order asks for.
static void dense_multiply(const st_real *a, size_t height, size_t width, const st_real *x, st_real *y) {
    for (size_t i = 0; i < height; i++) {
        y[i] = 0;
        for (size_t j = 0; j < width; j++) y[i] += a[i * width + j] * x[j];
    }
}

// The same for blocks of 3 x 3, in the order that bsr.h gives.
static void blocks_of_3_multiply(const st_bsr *a, const st_real *x, st_real *y) {
    for (size_t i = 0; i < st_bsr_scalar_rows(a); i++) {
        st_real even[3] = {0}, odd[3] = {0};
        const size_t begin = a->starts[i / 3], end = a->starts[i / 3 + 1];
        for (size_t s = begin; s < end; s++) {
            st_real *sums = (s - begin) % 2 || s + 1 == end ? odd : even;
            for (size_t c = 0; c < 3; c++) sums[c] += a->values[9 * s + i % 3 * 3 + c] * x[3 * a->columns[s] + c];
        }
        y[i] = (even[0] + odd[0]) + (even[1] + odd[1]) + (even[2] + odd[2]);
    }
}

static void products_equal_dense_ones_to_the_bit(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int k = 0; k < BLOCK_SIZES; k++) {
        st_bsr a = random_matrix(block_sizes[k], 31, 17, 200, false, &seed);
        const size_t height = st_bsr_scalar_rows(&a), width = st_bsr_scalar_cols(&a);
        st_real *dense = dense_of(&a), *x = random_vector(width, &seed), *y = random_vector(height, &seed);
        st_real *expected = random_vector(height, &seed);
        dense_multiply(dense, height, width, x, expected);
        if (a.height == 3) {
            blocks_of_3_multiply(&a, x, y);
            for (size_t i = 0; i < height; i++) assert_true(fabs(y[i] - expected[i]) <= 100 * ST_REAL_EPSILON);
            memcpy(expected, y, height * sizeof *y);
        }
        st_bsr_multiply(&a, NULL, x, y);
        if (a.height == 6)
            for (size_t i = 0; i < height; i++) assert_true(fabs(y[i] - expected[i]) <= 100 * ST_REAL_EPSILON);
        else assert_same(y, expected, height);
        st_free(dense);
        st_free(x);
        st_free(y);
        st_free(expected);
        st_bsr_free(&a);
    }
}

// After the last block there is nothing to read, whether it is in the last row or empty rows follow. Eight blocks
// fill their memory to the end, so that the sanitizer sees a step beyond it.
static void rows_may_be_empty_at_the_end(void **state) {
    (void)state;
    enum { BLOCKS = 8, ROWS = BLOCKS + 2 };
    size_t starts[ROWS + 1];
    int32_t columns[BLOCKS];
    for (size_t i = 0; i <= ROWS; i++) starts[i] = i < BLOCKS ? i : BLOCKS;
    for (int32_t i = 0; i < BLOCKS; i++) columns[i] = i;
    st_bsr a;
    assert_int_equal(st_bsr_create(&a, 3, ROWS, ROWS, starts, columns), ST_OK);
    for (size_t i = 0; i < 9 * BLOCKS; i++) a.values[i] = (st_real)(i % 9);
    st_real x[3 * ROWS], y[3 * ROWS], expected[3 * ROWS];
    for (size_t i = 0; i < 3 * ROWS; i++) x[i] = (st_real)i;
    st_bsr_multiply(&a, NULL, x, y);
    blocks_of_3_multiply(&a, x, expected);
    assert_same(y, expected, 3 * ROWS);
    st_bsr_free(&a);
}

static void products_do_not_depend_on_threads(void **state) {
    (void)state;
    uint64_t seed = 4;
    for (int k = 0; k < BLOCK_SIZES; k++) {
        st_bsr a = random_matrix(block_sizes[k], 3000, 3000, 20000, true, &seed);
        const size_t n = st_bsr_scalar_rows(&a);
        st_real *x = random_vector(n, &seed), *y = random_vector(n, &seed), *expected = random_vector(n, &seed);
        st_bsr_multiply(&a, NULL, x, expected);
        for (int threads = 1; threads <= 4; threads++) {
            st_pool *pool = st_pool_create(threads);
            st_bsr_multiply(&a, pool, x, y);
            st_pool_destroy(pool);
            assert_memory_equal(y, expected, n * sizeof *y);
        }
        st_free(x);
        st_free(y);
        st_free(expected);
        st_bsr_free(&a);
    }
}

// ---- Dirichlet conditions -------------------------------------------------------------------------------------------

static void clear_dense(st_real *dense, size_t n, size_t i) {
    for (size_t j = 0; j < n; j++) dense[i * n + j] = dense[j * n + i] = 0;
    dense[i * n + i] = 1;
}

static void check_clearing(int32_t block, bool symmetric, uint64_t *seed) {
    st_bsr a = random_matrix(block, 15, 15, symmetric ? 30 : 120, symmetric, seed);
    assert_int_equal(a.symmetric_pattern, symmetric);
    const size_t n = st_bsr_scalar_rows(&a);
    st_real *dense = dense_of(&a);
    bool *mask = st_alloc(n, sizeof *mask);
    for (int k = 0; k < 8; k++) {
        const size_t i = (size_t)random_below(seed, (int32_t)n);
        if (!st_bsr_at(&a, i, i)) continue;
        clear_dense(dense, n, i);
        mask[i] = true;
    }
    assert_true(st_bsr_clear_rows_cols(&a, mask));
    st_real *cleared = dense_of(&a);
    assert_same(cleared, dense, n * n);
    st_free(cleared);
    st_free(mask);
    st_free(dense);
    st_bsr_free(&a);
}

static void clearing_leaves_identity_rows_and_columns(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int k = 0; k < BLOCK_SIZES; k++) {
        check_clearing(block_sizes[k], true, &seed);
        check_clearing(block_sizes[k], false, &seed);
    }
}

static void clearing_without_a_diagonal_changes_nothing(void **state) {
    (void)state;
    const size_t starts[] = {0, 1, 2};
    const int32_t columns[] = {1, 0};
    st_bsr a;
    assert_int_equal(st_bsr_create(&a, 1, 2, 2, starts, columns), ST_OK);
    assert_true(a.symmetric_pattern);
    a.values[0] = a.values[1] = 3;
    const bool mask[] = {true, false};
    assert_false(st_bsr_clear_rows_cols(&a, mask));
    assert_true(a.values[0] == 3 && a.values[1] == 3);
    st_bsr_free(&a);
}

// ---- conversions and norms ------------------------------------------------------------------------------------------

static void copies_without_zeros_keep_everything_else(void **state) {
    (void)state;
    uint64_t seed = 6;
    st_bsr target = {0};
    for (int k = BLOCK_SIZES - 1; k >= 0; k--) {
        st_bsr a = random_matrix(block_sizes[k], 12, 10, 50, false, &seed);
        size_t zeros = 0;
        for (size_t e = 0; e < scalars(&a); e++)
            if (e % 3 == 1) a.values[e] = e % 2 ? (st_real)0 : -(st_real)0, zeros++;
        const st_real *former = target.values;
        assert_int_equal(st_bsr_copy_nonzeros(&target, &a), ST_OK);
        if (former) assert_ptr_equal(target.values, former);
        assert_int_equal(target.height, 1);
        assert_int_equal(st_bsr_count(&target), scalars(&a) - zeros);
        st_real *dense = dense_of(&a), *copied = dense_of(&target);
        assert_int_equal(st_bsr_scalar_cols(&target), st_bsr_scalar_cols(&a));
        assert_same(copied, dense, st_bsr_scalar_rows(&a) * st_bsr_scalar_cols(&a));
        for (size_t e = 0; e < st_bsr_count(&target); e++) assert_true(target.values[e] != 0);
        st_free(dense);
        st_free(copied);
        st_bsr_free(&a);
    }
    st_bsr_free(&target);
}

static void norms_equal_dense_ones(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int k = 0; k < BLOCK_SIZES; k++) {
        st_bsr a = random_matrix(block_sizes[k], 14, 14, 60, k % 2 == 0, &seed);
        const size_t n = st_bsr_scalar_rows(&a);
        st_real *dense = dense_of(&a), square = 0, difference = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                const st_real d = dense[i * n + j] - dense[j * n + i];
                square += dense[i * n + j] * dense[i * n + j];
                difference += d * d;
            }
        const st_real tolerance = (st_real)(n * n) * ST_REAL_EPSILON;
        assert_true(fabs(st_bsr_norm(&a) - sqrt(square)) <= tolerance * sqrt(square));
        assert_true(fabs(st_bsr_symmetry_error(&a) - sqrt(difference)) <= tolerance * sqrt(difference));
        for (size_t e = 0; e < scalars(&a); e++) a.values[e] = 2;
        if (a.symmetric_pattern) assert_true(st_bsr_symmetry_error(&a) == 0);
        st_free(dense);
        st_bsr_free(&a);
    }
}

static void wrong_patterns_are_refused(void **state) {
    (void)state;
    const size_t starts[] = {0, 2, 3}, shifted[] = {1, 2, 3}, falling[] = {0, 2, 1};
    const int32_t good[] = {0, 1, 1}, twice[] = {1, 1, 0}, beyond[] = {0, 2, 1}, negative[] = {-1, 1, 0};
    st_bsr a;
    assert_int_equal(st_bsr_create(&a, 3, 2, 2, starts, good), ST_OK);
    assert_false(a.symmetric_pattern);
    st_bsr_free(&a);
    assert_int_equal(st_bsr_create(&a, 4, 2, 2, starts, good), ST_INVALID);
    assert_int_equal(st_bsr_create(&a, 3, -1, 2, starts, good), ST_INVALID);
    assert_int_equal(st_bsr_create(&a, 6, 2, INT32_MAX, starts, good), ST_INVALID);
    assert_int_equal(st_bsr_create(&a, 3, 2, 2, shifted, good), ST_INVALID);
    assert_int_equal(st_bsr_create(&a, 3, 2, 2, falling, good), ST_INVALID);
    assert_int_equal(st_bsr_create(&a, 3, 2, 2, starts, twice), ST_INVALID);
    assert_int_equal(st_bsr_create(&a, 3, 2, 2, starts, beyond), ST_INVALID);
    assert_int_equal(st_bsr_create(&a, 3, 2, 2, starts, negative), ST_INVALID);
    assert_null(a.values);
    st_bsr_free(&a);
}

static void empty_matrices_are_allowed(void **state) {
    (void)state;
    const size_t starts[] = {0};
    st_bsr none = {0}, a, copy = {0};
    st_bsr_multiply(&none, NULL, NULL, NULL);
    assert_true(st_bsr_norm(&none) == 0);
    assert_int_equal(st_bsr_copy_nonzeros(&copy, &none), ST_OK);
    assert_int_equal(copy.rows, 0);
    assert_int_equal(st_bsr_create(&a, 3, 0, 0, starts, NULL), ST_OK);
    assert_int_equal(st_bsr_count(&a), 0);
    st_bsr_free(&a);
    st_bsr_free(&copy);
}

// ---- patterns and slots ---------------------------------------------------------------------------------------------

static void slots_lead_to_the_recorded_blocks(void **state) {
    (void)state;
    uint64_t seed = 8;
    st_pattern pattern = {0};
    assert_int_equal(st_pattern_begin(&pattern, 50, 70), ST_OK);
    enum { COUNT = 5000 };
    st_real expected[50][70] = {{0}};
    for (int k = 0; k < COUNT; k++) {
        // Row 7 is left empty, row 3 gets most additions and so more columns than the insertion sort takes.
        int32_t row = random_below(&seed, 100), col = random_below(&seed, 70);
        row = row >= 50 || row == 7 ? 3 : row;
        expected[row][col] += (st_real)1;
        assert_int_equal(st_pattern_record(&pattern, row, col), ST_OK);
    }
    assert_int_equal(st_pattern_record(&pattern, 50, 0), ST_INVALID);
    assert_int_equal(st_pattern_record(&pattern, 0, -1), ST_INVALID);
    assert_int_equal(pattern.additions.count, COUNT);
    assert_int_equal(st_pattern_compress(&pattern), ST_OK);
    st_bsr a;
    assert_int_equal(st_bsr_create(&a, 1, pattern.rows, pattern.cols, pattern.starts, pattern.columns), ST_OK);
    for (int k = 0; k < COUNT; k++) a.values[pattern.additions.data[k].slot] += (st_real)1;
    st_real *dense = dense_of(&a);
    assert_same(dense, &expected[0][0], 50 * 70);
    for (size_t e = 0; e < st_bsr_count(&a); e++) assert_true(a.values[e] > 0);
    st_free(dense);
    st_bsr_free(&a);
    st_pattern_free(&pattern);
}

static void long_streams_are_compressed_quickly(void **state) {
    (void)state;
    enum { COUNT = 1000000 };
    st_pattern pattern = {0};
    assert_int_equal(st_pattern_begin(&pattern, 10, COUNT), ST_OK);
    for (int32_t k = 0; k < COUNT; k++) assert_int_equal(st_pattern_record(&pattern, 4, COUNT - 1 - k), ST_OK);
    for (int32_t k = 0; k < COUNT; k++) assert_int_equal(st_pattern_record(&pattern, 6, k % 3), ST_OK);
    assert_int_equal(st_pattern_compress(&pattern), ST_OK);
    assert_int_equal(pattern.starts[10], COUNT + 3);
    assert_int_equal(pattern.additions.data[0].slot, COUNT - 1);
    assert_int_equal(pattern.additions.data[2 * COUNT - 1].slot, COUNT + (COUNT - 1) % 3);
    st_pattern_free(&pattern);
}

static void record_stream(st_pattern *pattern, const int32_t (*stream)[2], size_t count) {
    for (size_t k = 0; k < count; k++) assert_int_equal(st_pattern_record(pattern, stream[k][0], stream[k][1]), ST_OK);
}

static void changed_streams_are_noticed(void **state) {
    (void)state;
    const int32_t stream[][2] = {{1, 1}, {0, 1}, {1, 0}, {1, 1}};
    st_pattern pattern = {0};
    st_slots slots = {0};
    assert_int_equal(st_slots_take(&slots, &pattern, 0, 0, NULL, NULL), ST_INVALID);
    assert_int_equal(st_pattern_begin(&pattern, 2, 2), ST_OK);
    assert_int_equal(st_pattern_record_diagonal(&pattern), ST_OK);
    record_stream(&pattern, stream, 4);
    assert_int_equal(st_pattern_compress(&pattern), ST_OK);
    assert_int_equal(st_slots_take(&slots, &pattern, 2, 7, pattern.starts, pattern.columns), ST_INVALID);
    assert_int_equal(st_slots_take(&slots, &pattern, 2, 6, pattern.starts, pattern.columns), ST_OK);

    // The same stream, twice.
    const uint32_t expected[] = {3, 1, 2, 3};
    for (int pass = 0; pass < 2; pass++) {
        slots.cursor = 0;
        for (int k = 0; k < 4; k++) assert_int_equal(st_slots_next(&slots, stream[k][0], stream[k][1]), expected[k]);
    }
    // One addition too many.
    assert_int_equal(st_slots_next(&slots, 0, 0), ST_INVALID_INDEX);
    // An addition elsewhere; the others keep their slots.
    slots.cursor = 0;
    assert_int_equal(st_slots_next(&slots, 1, 1), 3);
    assert_int_equal(st_slots_next(&slots, 0, 0), ST_INVALID_INDEX);
    assert_int_equal(st_slots_next(&slots, 0, 1), 1);
    // Fewer additions than recorded do no harm.
    slots.cursor = 0;
    assert_int_equal(st_slots_next(&slots, 1, 1), 3);
    st_slots_free(&slots);
    st_pattern_free(&pattern);
}

static bool same_pattern(const st_bsr *a, const st_bsr *b) {
    const size_t count = st_bsr_count(a);
    return count == st_bsr_count(b) && memcmp(a->starts, b->starts, ((size_t)a->rows + 1) * sizeof *a->starts) == 0 &&
           memcmp(a->columns, b->columns, count * sizeof *a->columns) == 0;
}

static void patterns_grow_from_a_former_matrix(void **state) {
    (void)state;
    uint64_t seed = 9;
    st_bsr former = random_matrix(3, 20, 20, 40, false, &seed), grown;
    st_pattern pattern = {0};
    assert_int_equal(st_pattern_begin(&pattern, 20, 20), ST_OK);
    assert_int_equal(st_pattern_record_matrix(&pattern, &former), ST_OK);
    assert_int_equal(st_pattern_compress(&pattern), ST_OK);
    assert_int_equal(st_bsr_create(&grown, 3, pattern.rows, pattern.cols, pattern.starts, pattern.columns), ST_OK);
    assert_true(same_pattern(&former, &grown));
    st_bsr_free(&grown);
    assert_int_equal(st_pattern_record_diagonal(&pattern), ST_OK);
    assert_int_equal(st_pattern_compress(&pattern), ST_OK);
    assert_int_equal(st_bsr_create(&grown, 3, pattern.rows, pattern.cols, pattern.starts, pattern.columns), ST_OK);
    assert_false(same_pattern(&former, &grown));
    for (int32_t i = 0; i < 20; i++) assert_true(st_bsr_find(&grown, i, i) != SIZE_MAX);
    st_bsr_free(&grown);
    st_bsr_free(&former);
    st_pattern_free(&pattern);
}

// ---- vectors --------------------------------------------------------------------------------------------------------

// The sum of one chunk in the order that vector.h gives.
static st_real plain_dot(const st_real *x, const st_real *y, size_t count) {
    st_real sums[ST_VECTOR_LANES] = {0};
    for (size_t i = 0; i < count; i++) sums[i % ST_VECTOR_LANES] += x[i] * y[i];
    for (size_t half = ST_VECTOR_LANES / 2; half > 0; half /= 2)
        for (size_t i = 0; i < half; i++) sums[i] += sums[i + half];
    return sums[0];
}

static void sums_are_taken_in_fixed_chunks(void **state) {
    (void)state;
    uint64_t seed = 10;
    enum { COUNT = 3 * ST_VECTOR_CHUNK + 1234 };
    st_real *x = random_vector(COUNT, &seed), *y = random_vector(COUNT, &seed);
    assert_true(st_vector_dot(NULL, 0, x, y) == 0);
    assert_true(st_vector_dot(NULL, 1000, x, y) == plain_dot(x, y, 1000));
    assert_true(st_vector_dot(NULL, ST_VECTOR_CHUNK, x, y) == plain_dot(x, y, ST_VECTOR_CHUNK));
    st_real expected = 0;
    for (size_t i = 0; i < COUNT; i += ST_VECTOR_CHUNK)
        expected += plain_dot(x + i, y + i, COUNT - i < ST_VECTOR_CHUNK ? COUNT - i : ST_VECTOR_CHUNK);
    for (int threads = 0; threads <= 4; threads++) {
        st_pool *pool = threads ? st_pool_create(threads) : NULL;
        assert_true(st_vector_dot(pool, COUNT, x, y) == expected);
        st_pool_destroy(pool);
    }
    st_free(x);
    st_free(y);
}

static void vector_operations_do_what_they_say(void **state) {
    (void)state;
    uint64_t seed = 11;
    enum { COUNT = 2 * ST_VECTOR_CHUNK + 77 };
    st_real *x = random_vector(COUNT, &seed), *y = random_vector(COUNT, &seed), *z = random_vector(COUNT, &seed);
    const st_real a = (st_real)0.7;
    st_pool *pool = st_pool_create(3);
    memcpy(z, y, COUNT * sizeof *z);
    st_vector_axpy(pool, COUNT, a, x, z);
    for (size_t i = 0; i < COUNT; i++) assert_true(z[i] == y[i] + a * x[i]);
    memcpy(z, y, COUNT * sizeof *z);
    st_vector_xpay(pool, COUNT, x, a, z);
    for (size_t i = 0; i < COUNT; i++) assert_true(z[i] == x[i] + a * y[i]);
    memcpy(z, y, COUNT * sizeof *z);
    st_vector_scale(pool, COUNT, a, z);
    for (size_t i = 0; i < COUNT; i++) assert_true(z[i] == a * y[i]);
    st_pool_destroy(pool);
    st_free(x);
    st_free(y);
    st_free(z);
}

static void the_fused_step_equals_its_parts(void **state) {
    (void)state;
    uint64_t seed = 12;
    enum { COUNT = 2 * ST_VECTOR_CHUNK + 5 };
    st_real *p = random_vector(COUNT, &seed), *q = random_vector(COUNT, &seed);
    st_real *x = random_vector(COUNT, &seed), *r = random_vector(COUNT, &seed);
    st_real *x1 = random_vector(COUNT, &seed), *r1 = random_vector(COUNT, &seed);
    memcpy(x1, x, COUNT * sizeof *x1);
    memcpy(r1, r, COUNT * sizeof *r1);
    const st_real a = (st_real)0.31;
    st_vector_axpy(NULL, COUNT, a, p, x1);
    st_vector_axpy(NULL, COUNT, -a, q, r1);
    st_pool *pool = st_pool_create(2);
    const st_real rho = st_vector_cg_step(pool, COUNT, a, p, q, x, r);
    st_pool_destroy(pool);
    assert_same(x, x1, COUNT);
    assert_same(r, r1, COUNT);
    assert_true(rho == st_vector_dot(NULL, COUNT, r1, r1));
    st_free(p);
    st_free(q);
    st_free(x);
    st_free(r);
    st_free(x1);
    st_free(r1);
}

static void numbers_that_are_not_finite_are_found(void **state) {
    (void)state;
    const st_real wrong[] = {(st_real)NAN, (st_real)INFINITY, -(st_real)INFINITY};
    st_real x[37];
    for (size_t i = 0; i < 37; i++) x[i] = i % 2 ? ST_REAL_MAX : -ST_REAL_MAX;
    assert_true(st_vector_is_finite(0, NULL));
    assert_true(st_vector_is_finite(37, x));
    for (size_t i = 0; i < 37; i++)
        for (int k = 0; k < 3; k++) {
            const st_real kept = x[i];
            x[i] = wrong[k];
            assert_false(st_vector_is_finite(37, x));
            assert_true(st_vector_is_finite(i, x));
            x[i] = kept;
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_are_not_finite_are_found),
        cmocka_unit_test(entries_are_found_where_they_are_stored),
        cmocka_unit_test(products_equal_dense_ones_to_the_bit),
        cmocka_unit_test(rows_may_be_empty_at_the_end),
        cmocka_unit_test(products_do_not_depend_on_threads),
        cmocka_unit_test(clearing_leaves_identity_rows_and_columns),
        cmocka_unit_test(clearing_without_a_diagonal_changes_nothing),
        cmocka_unit_test(copies_without_zeros_keep_everything_else),
        cmocka_unit_test(norms_equal_dense_ones),
        cmocka_unit_test(wrong_patterns_are_refused),
        cmocka_unit_test(empty_matrices_are_allowed),
        cmocka_unit_test(slots_lead_to_the_recorded_blocks),
        cmocka_unit_test(long_streams_are_compressed_quickly),
        cmocka_unit_test(changed_streams_are_noticed),
        cmocka_unit_test(patterns_grow_from_a_former_matrix),
        cmocka_unit_test(sums_are_taken_in_fixed_chunks),
        cmocka_unit_test(vector_operations_do_what_they_say),
        cmocka_unit_test(the_fused_step_equals_its_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
