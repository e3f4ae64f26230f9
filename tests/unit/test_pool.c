// The worker pool: every index once, the same chunks and the same bits of a sum for any number of threads, loops in
// loops and beside each other, many small loops in a row. Meant to be run under the thread sanitizer as well.
//
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/pool.h"

enum { MAX_COUNT = 10007 };

typedef struct visits {
    unsigned char seen[MAX_COUNT]; // not atomic: two threads on one index are a race that the sanitizer sees
    size_t count, grain;
    atomic_size_t bad_chunks;
} visits;

static void visit(void *context, size_t begin, size_t end) {
    visits *v = context;
    const size_t expected = v->count - begin < v->grain ? v->count : begin + v->grain;
    if (begin % v->grain != 0 || end != expected) atomic_fetch_add(&v->bad_chunks, 1);
    for (size_t i = begin; i < end; i++) v->seen[i]++;
}

static void every_index_is_visited_once_in_fixed_chunks(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 2, 63, 64, 65, 1000, MAX_COUNT}, grains[] = {1, 7, 64, 5000, 20000};
    static visits v;
    for (int threads = 0; threads <= 5; threads++) {
        st_pool *pool = threads == 5 ? NULL : st_pool_create(threads);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t g = 0; g < sizeof grains / sizeof *grains; g++) {
                memset(v.seen, 0, sizeof v.seen);
                v.count = counts[c];
                v.grain = grains[g];
                st_parallel_for(pool, v.count, v.grain, visit, &v);
                for (size_t i = 0; i < MAX_COUNT; i++) assert_int_equal(v.seen[i], i < v.count);
            }
        st_pool_destroy(pool);
    }
    assert_int_equal(atomic_load(&v.bad_chunks), 0);
}

static void a_grain_of_zero_means_one(void **state) {
    (void)state;
    static visits v = {.count = 100, .grain = 1};
    st_pool *pool = st_pool_create(2);
    st_parallel_for(pool, 100, 0, visit, &v);
    for (size_t i = 0; i < 100; i++) assert_int_equal(v.seen[i], 1);
    st_pool_destroy(pool);
}

static st_real sum_range(void *context, size_t begin, size_t end) {
    const st_real *values = context;
    st_real sum = 0;
    for (size_t i = begin; i < end; i++) sum += values[i];
    return sum;
}

// Values of very different sizes, so that any change in the order of additions shows.
static void sums_have_the_same_bits_for_any_number_of_threads(void **state) {
    (void)state;
    st_real *values = st_alloc(MAX_COUNT, sizeof *values);
    uint64_t seed = 7;
    for (size_t i = 0; i < MAX_COUNT; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        values[i] = (st_real)((double)(int32_t)(seed >> 32) * (i % 3 == 0 ? 1e-9 : 1e3));
    }
    static const size_t grains[] = {1, 13, 256, 4096, 20000};
    for (size_t g = 0; g < sizeof grains / sizeof *grains; g++) {
        const st_real expected = st_parallel_sum(NULL, MAX_COUNT, grains[g], sum_range, values);
        st_real by_hand = 0;
        for (size_t i = 0; i < MAX_COUNT; i += grains[g])
            by_hand += sum_range(values, i, i + grains[g] < MAX_COUNT ? i + grains[g] : MAX_COUNT);
        assert_memory_equal(&by_hand, &expected, sizeof expected);
        for (int threads = 1; threads <= 4; threads++) {
            st_pool *pool = st_pool_create(threads);
            for (int repeat = 0; repeat < 20; repeat++) {
                const st_real sum = st_parallel_sum(pool, MAX_COUNT, grains[g], sum_range, values);
                assert_memory_equal(&sum, &expected, sizeof expected);
            }
            assert_true(st_parallel_sum(pool, 0, grains[g], sum_range, values) == 0);
            st_pool_destroy(pool);
        }
    }
    st_free(values);
}

typedef struct nest {
    st_pool *pool;
    atomic_size_t total;
} nest;

static void inner(void *context, size_t begin, size_t end) {
    nest *n = context;
    atomic_fetch_add(&n->total, end - begin);
}

static void outer(void *context, size_t begin, size_t end) {
    nest *n = context;
    for (size_t i = begin; i < end; i++) st_parallel_for(n->pool, 50, 4, inner, n);
}

static void outermost(void *context, size_t begin, size_t end) {
    nest *n = context;
    for (size_t i = begin; i < end; i++) st_parallel_for(n->pool, 7, 1, outer, n);
}

static void loops_nest(void **state) {
    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        nest n = {.pool = st_pool_create(threads)};
        for (int repeat = 0; repeat < 50; repeat++) st_parallel_for(n.pool, 20, 1, outer, &n);
        assert_int_equal(atomic_load(&n.total), 50 * 20 * 50);
        for (int repeat = 0; repeat < 20; repeat++) st_parallel_for(n.pool, 9, 2, outermost, &n);
        assert_int_equal(atomic_load(&n.total), 50 * 20 * 50 + 20 * 9 * 7 * 50);
        st_pool_destroy(n.pool);
    }
}

// Two chunks that both wait for the other one to begin: in one thread alone they would never end.
typedef struct meeting {
    st_pool *pool;
    atomic_int arrived, missed;
} meeting;

static void meet(void *context, size_t begin, size_t end) {
    meeting *m = context;
    (void)begin;
    (void)end;
    const int first = atomic_fetch_add(&m->arrived, 1) / 2 * 2;
    const double start = st_clock_seconds();
    while (atomic_load(&m->arrived) < first + 2)
        if (st_clock_seconds() - start > 20) {
            atomic_fetch_add(&m->missed, 1);
            return;
        }
}

// The first task ends at once; the second one's loop needs the thread that ran the first.
static void unequal_task(void *context, size_t begin, size_t end) {
    meeting *m = context;
    (void)end;
    if (begin == 1) st_parallel_for(m->pool, 2, 1, meet, m);
}

static void equal_task(void *context, size_t begin, size_t end) {
    (void)begin;
    (void)end;
    meeting *m = context;
    meeting own = {.pool = m->pool};
    st_parallel_for(m->pool, 2, 1, meet, &own);
    atomic_fetch_add(&m->missed, atomic_load(&own.missed));
}

static void a_loop_in_a_task_is_shared_by_who_is_idle(void **state) {
    (void)state;
    for (int threads = 2; threads <= 4; threads++) {
        meeting m = {.pool = st_pool_create(threads)};
        for (int repeat = 0; repeat < 200; repeat++) st_parallel_for(m.pool, 2, 1, unequal_task, &m);
        assert_int_equal(atomic_load(&m.arrived), 400);
        assert_int_equal(atomic_load(&m.missed), 0);
        st_pool_destroy(m.pool);
    }
}

// Two tasks whose loops both need a second thread: with four there is one for each, whoever started it.
static void loops_of_two_tasks_are_shared_at_the_same_time(void **state) {
    (void)state;
    meeting m = {.pool = st_pool_create(4)};
    for (int repeat = 0; repeat < 100; repeat++) st_parallel_for(m.pool, 2, 1, equal_task, &m);
    assert_int_equal(atomic_load(&m.missed), 0);
    st_pool_destroy(m.pool);
}

static void *loop_from_thread(void *argument) {
    nest *n = argument;
    for (int repeat = 0; repeat < 200; repeat++) st_parallel_for(n->pool, 50, 4, inner, n);
    for (int repeat = 0; repeat < 20; repeat++) st_parallel_for(n->pool, 5, 1, outer, n);
    return NULL;
}

static void several_threads_may_share_a_pool(void **state) {
    (void)state;
    nest n = {.pool = st_pool_create(3)};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) assert_int_equal(pthread_create(&threads[i], NULL, loop_from_thread, &n), 0);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&n.total), 3 * (200 * 50 + 20 * 5 * 50));
    st_pool_destroy(n.pool);
}

// Sums in tasks, each with partial sums of its own, more of them than there is room for at a time.
typedef struct sums {
    st_pool *pool;
    const st_real *values;
    st_real results[6];
} sums;

static void sum_task(void *context, size_t begin, size_t end) {
    sums *s = context;
    for (size_t i = begin; i < end; i++)
        s->results[i] = st_parallel_sum(s->pool, MAX_COUNT, i + 1, sum_range, (void *)s->values);
}

static void sums_at_the_same_time_keep_their_bits(void **state) {
    (void)state;
    static st_real values[MAX_COUNT];
    for (size_t i = 0; i < MAX_COUNT; i++) values[i] = (st_real)(i % 17 == 0 ? 1e7 + (double)i : 1e-5 * (double)i);
    sums expected = {.values = values}, s = {.values = values, .pool = st_pool_create(3)};
    sum_task(&expected, 0, 6);
    for (int repeat = 0; repeat < 20; repeat++) {
        st_parallel_for(s.pool, 6, 1, sum_task, &s);
        assert_memory_equal(s.results, expected.results, sizeof s.results);
    }
    st_pool_destroy(s.pool);
}

// Loops of a few chunks in quick succession, each reading what the one before wrote: late threads must neither lose
// chunks nor run those of a loop that has ended.
static void advance(void *context, size_t begin, size_t end) {
    uint32_t *values = context;
    for (size_t i = begin; i < end; i++) values[64 + (i + 1) % 64] = values[i];
}

static void settle(void *context, size_t begin, size_t end) {
    uint32_t *values = context;
    for (size_t i = begin; i < end; i++) values[i] = values[64 + i] + 1;
}

static void many_small_loops_in_a_row_are_exact(void **state) {
    (void)state;
    enum { LOOPS = 3000 };
    for (int threads = 2; threads <= 4; threads++) {
        uint32_t values[128];
        st_pool *pool = st_pool_create(threads);
        for (uint32_t i = 0; i < 64; i++) values[i] = 1000000 * i;
        for (int loop = 0; loop < LOOPS; loop++) {
            st_parallel_for(pool, 64, 16, advance, values);
            st_parallel_for(pool, 64, 16, settle, values);
        }
        for (uint32_t i = 0; i < 64; i++) assert_int_equal(values[(i + LOOPS) % 64], 1000000 * i + LOOPS);
        st_pool_destroy(pool);
    }
}

// A pause longer than the spinning sends everybody to sleep; they must come back, and end when told to.
static void sleepers_wake_up(void **state) {
    (void)state;
    static visits v = {.count = 1000, .grain = 10};
    st_pool *pool = st_pool_create(3);
    for (int repeat = 0; repeat < 5; repeat++) {
        const double start = st_clock_seconds();
        while (st_clock_seconds() - start < 0.02) {}
        st_parallel_for(pool, 1000, 10, visit, &v);
    }
    for (size_t i = 0; i < 1000; i++) assert_int_equal(v.seen[i], 5);
    st_pool_destroy(pool);
    for (int repeat = 0; repeat < 20; repeat++) st_pool_destroy(st_pool_create(3));
}

static void numbers_of_threads_are_reported(void **state) {
    (void)state;
    assert_int_equal(st_pool_threads(NULL), 1);
    st_pool *pool = st_pool_create(1);
    assert_int_equal(st_pool_threads(pool), 1);
    st_pool_destroy(pool);
    pool = st_pool_create(3);
    assert_int_equal(st_pool_threads(pool), 3);
    st_pool_destroy(pool);
    pool = st_pool_create(0);
    assert_true(st_pool_threads(pool) >= 1);
    st_pool_destroy(pool);
    st_pool_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_is_visited_once_in_fixed_chunks),
        cmocka_unit_test(a_grain_of_zero_means_one),
        cmocka_unit_test(sums_have_the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(loops_nest),
        cmocka_unit_test(a_loop_in_a_task_is_shared_by_who_is_idle),
        cmocka_unit_test(loops_of_two_tasks_are_shared_at_the_same_time),
        cmocka_unit_test(several_threads_may_share_a_pool),
        cmocka_unit_test(sums_at_the_same_time_keep_their_bits),
        cmocka_unit_test(many_small_loops_in_a_row_are_exact),
        cmocka_unit_test(sleepers_wake_up),
        cmocka_unit_test(numbers_of_threads_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
