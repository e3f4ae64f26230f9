// Sinks give the same matrix whichever way it is taken: dense, by recorded pattern and known slots (blocks of 1, 2, 3
// and 6), or as a product with a vector. Additions outside of a component's own block are refused; streams of
// additions that change are followed.
//
// SPDX-License-Identifier: Apache-2.0
#include "assembly/matrix_sink.h"
#include "base/pool.h"
#include "dense_accumulator.h"
#include "dense_sink.h"
#include "linalg/block_product.h"
#include "math/pack.h"
#include "system_scene.h"

#ifdef SETTEE_REAL_FLOAT
#define TIGHT ((st_real)1e-5)
#else
#define TIGHT ((st_real)1e-13)
#endif

enum { SIZE = 36, FIRST = 12, OWN_ROWS = 18, OWN_COLS = 12 }; // a window of 18 x 12 at (12, 24) of a 36 x 36 matrix

static const st_window window = {FIRST, 24, OWN_ROWS, OWN_COLS};

// A stream of blocks of all sizes at all places, aligned or not; `length` additions from the given seed.
static void stream(st_sink *sink, uint64_t seed, size_t length) {
    for (size_t n = 0; n < length; n++) {
        const int rows = 1 + (int)((test_random(&seed) + 1) * 3), cols = 1 + (int)((test_random(&seed) + 1) * 3);
        const size_t row = (size_t)((test_random(&seed) + 1) / 2 * (st_real)(OWN_ROWS - rows));
        const size_t col = (size_t)((test_random(&seed) + 1) / 2 * (st_real)(OWN_COLS - cols));
        st_real block[49];
        for (int i = 0; i < rows * cols; i++) block[i] = test_random(&seed);
        sink->add(sink, row, col, rows, cols, block);
    }
}

static void to_dense(st_real *values, uint64_t seed, size_t length, st_real factor) {
    dense_sink sink;
    memset(values, 0, SIZE * SIZE * sizeof *values);
    dense_sink_init(&sink, window, factor, values, SIZE);
    stream(&sink.sink, seed, length);
    assert_int_equal(sink.refusals.count, 0);
}

static void record(st_assembly *assembly, int32_t block, uint64_t seed, size_t length, bool keep) {
    st_matrix_sink sink;
    assert_int_equal(st_assembly_begin_record(assembly, block, SIZE, 1, keep), ST_OK);
    st_matrix_sink_init(&sink, assembly, window, 1);
    st_assembly_part(assembly, 0);
    stream(&sink.sink, seed, length);
    assert_int_equal(sink.refusals.count, 0);
    assert_int_equal(st_assembly_end_record(assembly), ST_OK);
}

static void add(st_assembly *assembly, uint64_t seed, size_t length, st_real factor) {
    st_matrix_sink sink;
    st_assembly_begin_add(assembly, NULL);
    st_matrix_sink_init(&sink, assembly, window, factor);
    st_assembly_part(assembly, 0);
    stream(&sink.sink, seed, length);
}

static void same_as_dense(const st_assembly *assembly, uint64_t seed, size_t length, st_real factor) {
    st_real expected[SIZE * SIZE], got[SIZE * SIZE];
    to_dense(expected, seed, length, factor);
    st_bsr_to_dense(&assembly->matrix, got);
    test_equal(SIZE * SIZE, expected, got, 0); // the same additions in the same order: the same bits
}

static void test_slots_equal_dense(void **unused) {
    (void)unused;
    const int32_t blocks[] = {1, 2, 3, 6};
    for (size_t i = 0; i < 4; i++) {
        st_assembly assembly = {0};
        record(&assembly, blocks[i], 7, 60, false);
        for (int pass = 0; pass < 3; pass++) {
            add(&assembly, 7, 60, (st_real)-0.25 * (st_real)pass);
            assert_int_equal(assembly.misses, 0);
            assert_false(assembly.grown);
            same_as_dense(&assembly, 7, 60, (st_real)-0.25 * (st_real)pass);
        }
        st_assembly_free(&assembly);
    }
}

static void test_diagonal_is_always_stored(void **unused) {
    (void)unused;
    st_assembly assembly = {0};
    record(&assembly, 3, 7, 0, false);
    for (size_t i = 0; i < SIZE; i++) assert_non_null(st_bsr_at(&assembly.matrix, i, i));
    st_assembly_free(&assembly);
}

static void test_size_must_fit_the_blocks(void **unused) {
    (void)unused;
    st_assembly assembly = {0};
    assert_int_equal(st_assembly_begin_record(&assembly, 3, 10, 1, false), ST_INVALID);
    assert_int_equal(st_assembly_begin_record(&assembly, 0, 9, 1, false), ST_INVALID);
    st_assembly_free(&assembly);
}

// Another stream than the recorded one: additions are looked up, and those without a place are noticed.
static void test_changed_stream(void **unused) {
    (void)unused;
    st_assembly assembly = {0};
    record(&assembly, 3, 7, 20, false);
    add(&assembly, 7, 15, 1); // fewer of the same: no harm
    assert_int_equal(assembly.misses, 0);
    same_as_dense(&assembly, 7, 15, 1);

    add(&assembly, 8, 80, 1);
    assert_true(assembly.grown);
    record(&assembly, 3, 8, 80, true);
    add(&assembly, 8, 80, 1);
    assert_false(assembly.grown);
    same_as_dense(&assembly, 8, 80, 1);

    // The former pattern is part of the new one, so the first stream needs a search, but no new place.
    add(&assembly, 7, 20, 1);
    assert_false(assembly.grown);
    assert_true(assembly.misses > 0);
    same_as_dense(&assembly, 7, 20, 1);
    st_assembly_free(&assembly);
}

// A part that is left out, or longer than recorded, leaves the others in step.
static void test_parts_are_independent(void **unused) {
    (void)unused;
    st_assembly assembly = {0};
    st_matrix_sink sink;
    assert_int_equal(st_assembly_begin_record(&assembly, 3, SIZE, 3, false), ST_OK);
    st_matrix_sink_init(&sink, &assembly, window, 1);
    for (uint64_t part = 0; part < 3; part++) {
        st_assembly_part(&assembly, part);
        stream(&sink.sink, part + 1, 30);
    }
    assert_int_equal(st_assembly_end_record(&assembly), ST_OK);

    st_assembly_begin_add(&assembly, NULL);
    st_matrix_sink_init(&sink, &assembly, window, 1);
    st_assembly_part(&assembly, 2);
    stream(&sink.sink, 3, 30);
    assert_int_equal(assembly.misses, 0);
    assert_false(st_assembly_is_stale(&assembly));
    same_as_dense(&assembly, 3, 30, 1);
    st_assembly_part(&assembly, 1); // a part that runs in another part's place
    stream(&sink.sink, 3, 30);
    assert_true(st_assembly_is_stale(&assembly));
    st_assembly_free(&assembly);
}

static void test_product_equals_dense(void **unused) {
    (void)unused;
    uint64_t seed = 3;
    st_real a[SIZE * SIZE], dx[OWN_COLS], df[OWN_ROWS], expected[OWN_ROWS];
    to_dense(a, 5, 40, (st_real)0.5);
    for (int j = 0; j < OWN_COLS; j++) dx[j] = test_random(&seed);
    for (int i = 0; i < OWN_ROWS; i++) {
        df[i] = expected[i] = (st_real)i;
        for (int j = 0; j < OWN_COLS; j++) expected[i] += a[(12 + i) * SIZE + 24 + j] * dx[j];
    }
    st_product_sink sink;
    st_product_sink_init(&sink, (st_real)0.5, OWN_COLS, dx, OWN_ROWS, df);
    stream(&sink.sink, 5, 40);
    test_equal(OWN_ROWS, expected, df, 100 * TIGHT);
}

static void test_element(void **unused) {
    (void)unused;
    const uint32_t nodes[3] = {3, 0, 2};
    st_real matrix[81], values[144] = {0};
    for (int i = 0; i < 81; i++) matrix[i] = (st_real)i;
    dense_sink sink;
    dense_sink_init(&sink, (st_window){.rows = 12, .cols = 12}, 2, values, 12);
    st_add_element(&sink.sink, 3, nodes, 3, matrix);
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
            const size_t row = nodes[i / 3] * 3u + (size_t)(i % 3), col = nodes[j / 3] * 3u + (size_t)(j % 3);
            assert_true(values[row * 12 + col] == 2 * matrix[i * 9 + j]);
        }
    assert_true(values[3 * 12 + 3] == 0);
}

// Rectangular blocks, in a window that stands on their grid or not; with a whole element after the stream.
static void test_assembly_equals_dense(void **unused) {
    (void)unused;
    static const int32_t sizes[][2] = {{3, 3}, {1, 1}, {2, 3}, {3, 1}, {1, 2}};
    static const st_window windows[] = {{12, 24, OWN_ROWS, OWN_COLS}, {11, 23, OWN_ROWS, OWN_COLS}};
    const uint32_t nodes[3] = {3, 0, 2};
    st_real element[81];
    for (int i = 0; i < 81; i++) element[i] = (st_real)i;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t w = 0; w < 2; w++) {
            const size_t height = (size_t)sizes[i][0], width = (size_t)sizes[i][1];
            st_real expected[SIZE * SIZE] = {0}, got[SIZE * SIZE] = {0};
            st_assembly m = {0};
            st_matrix_sink sink;
            dense_sink dense;
            dense_sink_init(&dense, windows[w], 2, expected, SIZE);
            stream(&dense.sink, 5, 40);
            st_add_element(&dense.sink, 3, nodes, 3, element);
            assert_int_equal(
                st_assembly_begin_record_blocks(&m, sizes[i][0], sizes[i][1], SIZE / height, SIZE / width, 1, false),
                ST_OK);
            for (int pass = 0; pass < 2; pass++) { // recording, adding
                st_matrix_sink_init(&sink, &m, windows[w], 2);
                st_assembly_part(&m, 0);
                stream(&sink.sink, 5, 40);
                st_add_element(&sink.sink, 3, nodes, 3, element);
                assert_int_equal(sink.refusals.count, 0);
                if (pass > 0) break;
                st_assembly_end_stream(&m);
                assert_int_equal(st_assembly_end_record(&m), ST_OK);
                st_assembly_begin_add(&m, NULL);
            }
            assert_false(m.grown);
            assert_int_equal(m.misses, 0);
            sink.sink.add(&sink.sink, OWN_ROWS - 1, 0, 2, 1, element);
            assert_int_equal(sink.refusals.count, 1); // inside of the matrix, outside of the window
            for (size_t r = 0; r < (size_t)m.matrix.rows; r++)
                for (size_t s = m.matrix.starts[r]; s < m.matrix.starts[r + 1]; s++)
                    for (size_t k = 0; k < height * width; k++)
                        got[(r * height + k / width) * SIZE + (size_t)m.matrix.columns[s] * width + k % width] =
                            m.matrix.values[s * height * width + k];
            test_equal(SIZE * SIZE, expected, got, TIGHT);
            st_assembly_free(&m);
        }
}

enum { MANY = 256, LARGE = ST_ELEMENT_SCALARS / 3 + 1 };

static void large_matrices(void *context, size_t begin, size_t end, st_real *matrices) {
    (void)context;
    memset(matrices, 0, (end - begin) * ST_PACK_SIZE * (3 * LARGE) * (3 * LARGE) * sizeof *matrices);
}

// Elements that have more scalars than a source may have are left to be added one by one.
static void test_large_elements(void **unused) {
    (void)unused;
    uint32_t nodes[LARGE], packed[MANY * LARGE];
    for (uint32_t i = 0; i < LARGE; i++) nodes[i] = i;
    for (size_t i = 0; i < MANY * LARGE; i++) packed[i] = (uint32_t)(i / ST_PACK_SIZE % LARGE);
    const st_real matrix[9 * LARGE * LARGE] = {0};
    const st_window whole = {.rows = 3 * LARGE, .cols = 3 * LARGE};
    st_assembly assembly = {0};
    st_matrix_sink sink;
    st_pool *pool = st_pool_create(2);
    assert_int_equal(st_assembly_begin_record(&assembly, 3, 3 * LARGE, 1, false), ST_OK);
    st_matrix_sink_init(&sink, &assembly, whole, 1);
    for (int i = 0; i < MANY; i++) st_add_element_blocks(&sink.sink, LARGE, nodes, 3, matrix);
    assert_int_equal(st_assembly_end_record(&assembly), ST_OK);
    st_assembly_begin_add(&assembly, NULL);
    st_matrix_sink_init(&sink, &assembly, whole, 1);
    const st_element_source source = {MANY, LARGE, 3, packed, large_matrices, NULL};
    assert_false(sink.sink.add_elements(&sink.sink, pool, &source));
    st_pool_destroy(pool);
    st_assembly_free(&assembly);
}

// Multiples of the identity on many DOFs: what a sink does at once equals what it does one by one, with any number of
// threads, when DOFs repeat, and when the stream is not the recorded one.
enum { POINTS = 5000 };

static void add_points(st_assembly *assembly, st_assembly *matrix, st_pool *pool, const st_diagonals *points) {
    const st_window part = {.row = 6, .col = 6, .rows = 3 * POINTS, .cols = 3 * POINTS};
    st_matrix_sink sink;
    st_matrix_sink blocks;
    st_matrix_sink_init(&sink, assembly, part, (st_real)0.3);
    st_matrix_sink_init(&blocks, matrix, part, (st_real)0.3);
    st_assembly_part(assembly, 0);
    st_assembly_part(matrix, 0);
    if (!pool) blocks.sink.add_diagonals = sink.sink.add_diagonals = NULL; // one by one
    st_add_diagonals(&sink.sink, pool, points);
    st_add_diagonals(&blocks.sink, pool, points);
    assert_int_equal(sink.refusals.count + blocks.refusals.count, 0);
}

static void test_many_diagonals(void **unused) {
    (void)unused;
    static uint32_t repeated[POINTS], moved[POINTS];
    static st_real values[POINTS];
    const size_t size = 3 * (POINTS + 3);
    for (uint32_t i = 0; i < POINTS; i++) {
        values[i] = (st_real)(1 + i % 13) / 7;
        repeated[i] = i / 2;
        moved[i] = POINTS - 1 - i;
    }
    const st_diagonals cases[] = {
        {POINTS, 3, NULL, values, false}, {POINTS, 3, NULL, values, true}, {POINTS, 3, repeated, values, false}};
    for (size_t c = 0; c < 3; c++) {
        st_assembly assembly = {0};
        st_assembly matrix = {0};
        assert_int_equal(st_assembly_begin_record(&assembly, 3, size, 1, false), ST_OK);
        assert_int_equal(st_assembly_begin_record_blocks(&matrix, 3, 3, size / 3, size / 3, 1, false), ST_OK);
        add_points(&assembly, &matrix, NULL, &cases[c]);
        st_assembly_end_stream(&matrix);
        for (int32_t i = 0; i < POINTS; i++) st_pattern_record(&matrix.pattern, i + 2, i + 2);
        assert_int_equal(st_assembly_end_record(&assembly), ST_OK);
        assert_int_equal(st_assembly_end_record(&matrix), ST_OK);
        const size_t bytes = 9 * POINTS * sizeof(st_real);
        st_real *expected = st_alloc(2, bytes);
        for (int threads = 0; threads <= 3; threads++) { // 0: one by one
            st_pool *pool = threads ? st_pool_create(threads) : NULL;
            for (int other = 0; other < 2; other++) { // the recorded DOFs, then others
                st_diagonals points = cases[c];
                if (other) points.dofs = moved;
                st_assembly_begin_add(&assembly, pool);
                st_assembly_begin_add(&matrix, pool);
                add_points(&assembly, &matrix, pool, &points);
                assert_false(assembly.grown || matrix.grown);
                assert_true((assembly.misses == 0) == (other == 0));
                st_real *to = expected + (size_t)other * 9 * POINTS;
                const size_t first = st_bsr_find(&assembly.matrix, 2, 2);
                if (threads == 0) memcpy(to, assembly.matrix.values + 9 * first, bytes);
                assert_memory_equal(to, assembly.matrix.values + 9 * first, bytes);
                assert_memory_equal(to, matrix.matrix.values, bytes);
            }
            st_pool_destroy(pool);
        }
        assert_true(expected[0] != 0);
        st_free(expected);
        st_assembly_free(&assembly);
        st_assembly_free(&matrix);
    }
}

// A matrix of one row of blocks, 3 x 3 each.
static void make_block_row(st_assembly *m, size_t cols, const st_real *blocks) {
    assert_int_equal(st_assembly_begin_record_blocks(m, 3, 3, 1, cols, 1, false), ST_OK);
    for (size_t c = 0; c < cols; c++) st_pattern_record(&m->pattern, 0, (int32_t)c);
    assert_int_equal(st_assembly_end_record(m), ST_OK);
    st_assembly_begin_add(m, NULL);
    memcpy(m->matrix.values, blocks, 9 * cols * sizeof *blocks);
}

// AᵀB where the blocks of B are weights times the identity: those of A are transposed all the same.
static void test_transposed_times_weights(void **unused) {
    (void)unused;
    const st_real left[18] = {1, 2, 3, 4, 5, 6, 7, 8, 9, -1, 0, 4, 2, 8, 1, 0, 3, 5},
                  right[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
    st_assembly a = {0}, b = {0}, c = {0};
    st_block_product product = {0};
    make_block_row(&a, 2, left);
    make_block_row(&b, 1, right);
    assert_int_equal(st_bsr_find_weights(&b.matrix), ST_OK);
    assert_non_null(b.matrix.weights);
    assert_int_equal(st_assembly_begin_record_blocks(&c, 3, 3, 2, 1, 1, false), ST_OK);
    assert_int_equal(st_block_product_record(&a.matrix, true, &b.matrix, &c.pattern), ST_OK);
    assert_int_equal(st_assembly_end_record(&c), ST_OK);
    assert_int_equal(st_block_product_plan(&product, &a.matrix, true, &b.matrix, &c.matrix), ST_OK);
    st_assembly_begin_add(&c, NULL);
    st_block_product_add(&product, NULL, &a.matrix, &b.matrix, &c.matrix);
    for (size_t s = 0; s < 2; s++)
        for (size_t k = 0; k < 9; k++) assert_true(c.matrix.values[9 * s + k] == 2 * left[9 * s + k % 3 * 3 + k / 3]);
    st_block_product_free(&product);
    st_assembly_free(&a);
    st_assembly_free(&b);
    st_assembly_free(&c);
}

// Every sink refuses what would leave the window, whatever the size of the numbers.
static void test_outside_is_refused(void **unused) {
    (void)unused;
    static const struct {
        size_t row, col;
        int rows, cols;
    } wrong[] = {
        {OWN_ROWS, 0, 1, 1},     {0, OWN_COLS, 1, 1}, {OWN_ROWS - 1, 0, 2, 1}, {0, OWN_COLS - 2, 3, 3},
        {SIZE_MAX, 0, 1, 1},     {0, SIZE_MAX, 3, 3}, {SIZE_MAX - 1, 1, 3, 3}, {0, 0, OWN_ROWS + 1, 1},
        {0, 0, 1, OWN_COLS + 1}, {0, 0, -1, 1},       {0, 0, 1, -1},
    };
    const st_real block[64] = {1};
    st_real values[SIZE * SIZE] = {0}, dx[OWN_COLS] = {0}, df[OWN_ROWS] = {0};
    dense_sink dense;
    st_product_sink product;
    st_matrix_sink recording, adding;
    st_assembly assembly = {0}, other = {0};
    record(&assembly, 3, 7, 5, false);
    assert_int_equal(st_assembly_begin_record(&other, 3, SIZE, 1, false), ST_OK);
    dense_sink_init(&dense, window, 1, values, SIZE);
    st_product_sink_init(&product, 1, OWN_COLS, dx, OWN_ROWS, df);
    st_assembly_begin_add(&assembly, NULL);
    st_matrix_sink_init(&adding, &assembly, window, 1);
    st_matrix_sink_init(&recording, &other, window, 1);
    st_sink *sinks[] = {&dense.sink, &product.sink, &adding.sink, &recording.sink, st_null_sink()};
    const size_t count = sizeof wrong / sizeof *wrong;
    for (size_t s = 0; s < 5; s++)
        for (size_t i = 0; i < count; i++)
            sinks[s]->add(sinks[s], wrong[i].row, wrong[i].col, wrong[i].rows, wrong[i].cols, block);
    assert_int_equal(dense.refusals.count, count);
    assert_int_equal(product.refusals.count, count);
    assert_int_equal(adding.refusals.count, count);
    assert_int_equal(recording.refusals.count, count);
    assert_int_equal(dense.refusals.row, OWN_ROWS); // the first one is remembered
    for (size_t i = 0; i < SIZE * SIZE; i++) assert_true(values[i] == 0);
    st_assembly_free(&assembly);
    st_assembly_free(&other);
}

static void test_check_reports_once(void **unused) {
    (void)unused;
    test_scene *test =
        test_scene_create("<MechanicalObject name=\"dofs\" template=\"Vec3\" position=\"0 0 0 1 0 0\"/>", false, 1);
    st_object *object = st_scene_find(test->scene, "/dofs");
    st_real values[36] = {0};
    dense_sink dense;
    st_check_sink check;
    dense_sink_init(&dense, (st_window){.rows = 6, .cols = 6}, 1, values, 6);
    st_check_sink_init(&check, &dense.sink, object, "stiffness", 6, 6, true, "refused");
    st_add_scalar(&check.sink, 2, 3, 5);
    test_clear_log(test);
    st_add_scalar(&check.sink, 6, 1, 5);
    st_add_scalar(&check.sink, 7, 1, 5);
    assert_int_equal(check.refused, 2);
    assert_int_equal(test->messages[ST_ERROR], 1);
    assert_int_equal(
        test_count(test, "row 6, column 1 to the stiffness matrix, whose valid rows are 0 to 5 and columns 0 to 5"), 1);

    st_forget_messages(object);
    st_add_scalar(&check.sink, 1, 1, (st_real)NAN);
    assert_int_equal(test_count(test, "not finite"), 1);
    check.finite = false; // then numbers are the component's own affair
    st_add_scalar(&check.sink, 1, 1, (st_real)INFINITY);
    assert_int_equal(check.refused, 3);
    assert_true(values[2 * 6 + 3] == 5);
    assert_true(isinf(values[7]));

    // without a key nothing is said
    st_forget_messages(object);
    check.key = NULL;
    test_clear_log(test);
    st_add_scalar(&check.sink, 6, 1, 5);
    assert_int_equal(check.refused, 4);
    assert_int_equal(test->messages[ST_ERROR], 0);
    test_scene_destroy(test);
}

static void test_pairs(void **unused) {
    (void)unused;
    st_state a = {0}, b = {0}, c = {0};
    st_real values[4] = {0};
    dense_sink sinks[4];
    st_pair_accumulator pairs;
    st_single_accumulator single;
    st_pair_accumulator_init(&pairs);
    for (size_t i = 0; i < 4; i++) {
        dense_sink_init(&sinks[i], (st_window){.rows = 1, .cols = 1}, 1, &values[i], 1);
        assert_true(st_pair_accumulator_put(&pairs, i / 2 ? &b : &a, i % 2 ? &b : &a, &sinks[i].sink));
    }
    assert_false(st_pair_accumulator_put(&pairs, &a, &a, st_null_sink()));
    st_sink *ab = st_stiffness_between((st_stiffness){&pairs.accumulator}, &a, &b);
    st_sink *ba = st_stiffness_between((st_stiffness){&pairs.accumulator}, &b, &a);
    st_sink *none = st_stiffness_between((st_stiffness){&pairs.accumulator}, &a, &c);
    st_add_scalar(ab, 0, 0, 2);
    st_add_scalar(ba, 0, 0, 3);
    st_add_scalar(none, 0, 0, 4);
    assert_true(values[0] == 0 && values[1] == 2 && values[2] == 3 && values[3] == 0);
    assert_int_equal(pairs.dropped, 1);
    st_single_accumulator_init(&single, &sinks[3].sink);
    st_add_scalar(st_inertia_of((st_inertia){&single.accumulator}, &c), 0, 0, 7);
    assert_true(values[3] == 7);
}

// Both ready-made accumulators on two states, against each other.
static void test_accumulators_of_states(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(
        "<Node name=\"a\"><MechanicalObject name=\"s\" template=\"Vec3\" position=\"0 0 0 1 0 0\"/></Node>"
        "<Node name=\"b\"><MechanicalObject name=\"s\" template=\"Vec3\" position=\"0 0 0 1 0 0 2 0 0\"/></Node>"
        "<TestPairForce name=\"pair\" object1=\"@a/s\" object2=\"@b/s\"/>",
        false, 1);
    st_force *force = (st_force *)st_scene_find(test->scene, "/pair");
    assert_non_null(force);
    uint64_t seed = 9;
    st_real matrix[225] = {0}, dx[15], expected[15], df[15];
    st_state *states[2] = {force->state, force->other};
    for (int i = 0; i < 15; i++) dx[i] = test_random(&seed);
    for (int s = 0, at = 0; s < 2; at += (int)st_state_scalars(states[s++])) {
        assert_true(st_state_make_deriv(states[s], ST_DX) && st_state_make_deriv(states[s], ST_DFORCE));
        memcpy(st_dx_of(states[s], ST_DX), dx + at, st_state_scalars(states[s]) * sizeof *dx);
        memset(st_dx_of(states[s], ST_DFORCE), 0, st_state_scalars(states[s]) * sizeof *dx);
    }
    const st_params params = test_params(0, 0, 1);
    dense_accumulator dense;
    dense_accumulator_init(&dense, (st_real)1.5, force->state, force->other, matrix);
    force->object.type->force->stiffness(force, &params, (st_stiffness){&dense.pairs.accumulator});
    st_product_accumulator product;
    st_product_accumulator_init(&product, &params, (st_real)1.5, force->state, force->other);
    force->object.type->force->stiffness(force, &params, (st_stiffness){&product.pairs.accumulator});
    for (int i = 0; i < 15; i++) {
        expected[i] = 0;
        for (int j = 0; j < 15; j++) expected[i] += matrix[i * 15 + j] * dx[j];
    }
    memcpy(df, st_dx_of(states[0], ST_DFORCE), 6 * sizeof *df);
    memcpy(df + 6, st_dx_of(states[1], ST_DFORCE), 9 * sizeof *df);
    test_equal(15, expected, df, 10 * TIGHT);
    test_scene_destroy(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slots_equal_dense),
        cmocka_unit_test(test_diagonal_is_always_stored),
        cmocka_unit_test(test_size_must_fit_the_blocks),
        cmocka_unit_test(test_changed_stream),
        cmocka_unit_test(test_parts_are_independent),
        cmocka_unit_test(test_product_equals_dense),
        cmocka_unit_test(test_element),
        cmocka_unit_test(test_assembly_equals_dense),
        cmocka_unit_test(test_large_elements),
        cmocka_unit_test(test_transposed_times_weights),
        cmocka_unit_test(test_many_diagonals),
        cmocka_unit_test(test_outside_is_refused),
        cmocka_unit_test(test_check_reports_once),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_accumulators_of_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
