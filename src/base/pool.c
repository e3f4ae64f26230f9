// The worker pool.
//
// A loop lives on the stack of its caller. While it has chunks left it is in the pool's list of open loops, oldest
// first, where idle threads find it:
//
//     pool ──▶ loop of a step ──▶ loop in one of its chunks ──▶ ...
//
// A thread takes a chunk by increasing `next`. Who takes the last one takes the loop off the list, before running it; a
// thread takes its next chunk before it says that the former one is done. So a loop whose chunks are all done is in
// nobody's hands, and its caller may return. The caller never waits for threads that did not wake up in time: a small
// loop costs no more than doing it alone.
//
// A caller whose last chunks are run by others helps with loops that were opened after its own: those that these chunks
// have started are among them. Nobody can wait in a circle: who runs a chunk of a loop waits at most for a loop that
// was opened later. (Older loops are left alone, so that the stack does not grow with their chunks.)
//
// Who waits first spins for some microseconds (steps come in quick succession), then sleeps on a condition. Loops are
// opened under the mutex, which a sleeper holds when it looks for them. The end of a loop is announced without it: the
// sleeper announces itself, then looks; the waker counts, then looks for sleepers, both with sequential consistency.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/array.h"

enum { MAX_THREADS = 1024, SPINS = 2000, PARTIAL_SUMS = 512 };

typedef void chunk_function(void *context, size_t begin, size_t end);

typedef struct loop {
    chunk_function *body;
    void *context;
    size_t count, grain, chunks;
    uint64_t number;             // loops are numbered as they are opened
    struct loop *before, *after; // in the list
    _Alignas(64) atomic_size_t next;
    _Alignas(64) atomic_size_t done;
} loop;

struct st_pool {
    pthread_mutex_t mutex;
    pthread_cond_t work, finished;                 // for idle threads; for callers
    loop *oldest, *newest;                         // with chunks left
    bool fast;                                     // loops may round otherwise
    uint64_t opened;                               // number of the newest loop so far
    int idle;                                      // threads that sleep until there is work
    _Alignas(64) atomic_uint_fast64_t newest_open; // number of the newest loop in the list; 0: it is empty
    _Alignas(64) atomic_int callers_asleep;
    atomic_bool stop;

    int workers; // threads besides the caller
    pthread_t threads[];
};

static void pool_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// ---------------------------------------------------------------------------------------------------
// The list of open loops; the caller holds the mutex
// ---------------------------------------------------------------------------------------------------

static void link_loop(st_pool *pool, loop *l) {
    l->number = ++pool->opened;
    l->before = pool->newest;
    l->after = NULL;

    if (l->before) l->before->after = l;
    else pool->oldest = l;
    pool->newest = l;

    atomic_store(&pool->newest_open, l->number);
}

static void unlink_loop(st_pool *pool, loop *l) {
    if (l->before) l->before->after = l->after;
    else pool->oldest = l->after;
    if (l->after) l->after->before = l->before;
    else pool->newest = l->before;

    atomic_store(&pool->newest_open, pool->newest ? pool->newest->number : 0);
}

// ---------------------------------------------------------------------------------------------------
// Taking chunks
// ---------------------------------------------------------------------------------------------------

// A chunk number; SIZE_MAX: none is left.
static size_t pool_take(loop *l) {
    // without this look, threads that come late would count beyond the end again and again
    if (atomic_load_explicit(&l->next, memory_order_relaxed) >= l->chunks) return SIZE_MAX;
    const size_t chunk = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
    return chunk < l->chunks ? chunk : SIZE_MAX;
}

static void run_chunk(const loop *l, size_t chunk) {
    const size_t begin = chunk * l->grain;
    l->body(l->context, begin, l->count - begin < l->grain ? l->count : begin + l->grain);
}

// Counts the chunks that were run; the last one wakes the caller, if it sleeps.
static void pool_finish(st_pool *pool, loop *l, size_t ran) {
    const size_t chunks = l->chunks;
    if (atomic_fetch_add(&l->done, ran) + ran != chunks) return;

    // the loop may be gone from here on
    if (atomic_load(&pool->callers_asleep) == 0) return;

    pthread_mutex_lock(&pool->mutex);
    pthread_cond_broadcast(&pool->finished);
    pthread_mutex_unlock(&pool->mutex);
}

// Runs the chunk and all that it can get after it.
static void run_chunks(st_pool *pool, loop *l, size_t chunk, bool linked) {
    size_t ran = 0;
    for (; chunk != SIZE_MAX; chunk = pool_take(l), linked = true) {
        // who takes the last chunk takes the loop off the list, before running it
        if (linked && chunk == l->chunks - 1) {
            pthread_mutex_lock(&pool->mutex);
            unlink_loop(pool, l);
            pthread_mutex_unlock(&pool->mutex);
        }

        run_chunk(l, chunk);
        ran++;
    }

    if (ran > 0) pool_finish(pool, l, ran);
}

// Helps with the oldest of the loops that were opened after number `after`; false: there is none.
static bool help(st_pool *pool, uint64_t after) {
    if (atomic_load(&pool->newest_open) <= after) return false;

    size_t chunk = SIZE_MAX;
    pthread_mutex_lock(&pool->mutex);

    // the oldest one that has a chunk left
    loop *l = pool->oldest;
    for (; l; l = l->after)
        if (l->number > after && (chunk = pool_take(l)) != SIZE_MAX) break;

    if (l && chunk == l->chunks - 1) unlink_loop(pool, l);
    pthread_mutex_unlock(&pool->mutex);

    if (l) run_chunks(pool, l, chunk, false);
    return l != NULL;
}

// ---------------------------------------------------------------------------------------------------
// Waiting
// ---------------------------------------------------------------------------------------------------

static bool has_work(st_pool *pool) { return atomic_load(&pool->newest_open) > 0 || atomic_load(&pool->stop); }

static void wait_for_work(st_pool *pool) {
    // steps come in quick succession: spin before going to sleep
    for (int i = 0; i < SPINS; i++) {
        if (has_work(pool)) return;
        pool_relax();
    }

    pthread_mutex_lock(&pool->mutex);
    pool->idle++;
    while (!has_work(pool)) pthread_cond_wait(&pool->work, &pool->mutex);
    pool->idle--;
    pthread_mutex_unlock(&pool->mutex);
}

static void *work(void *argument) {
    st_pool *pool = argument;
    while (!atomic_load(&pool->stop))
        if (!help(pool, 0)) wait_for_work(pool);
    return NULL;
}

static bool is_done(loop *l) { return atomic_load(&l->done) == l->chunks; }

static void wait_until_done(st_pool *pool, loop *l) {
    for (;;) {
        // spin, and help with loops that were opened later
        for (int i = 0; i < SPINS; i++) {
            if (is_done(l)) return;
            if (help(pool, l->number)) i = 0;
            pool_relax();
        }

        // sleep until the loop is done, or until there is a later one to help with
        pthread_mutex_lock(&pool->mutex);
        atomic_fetch_add(&pool->callers_asleep, 1);
        while (!is_done(l) && atomic_load(&pool->newest_open) <= l->number)
            pthread_cond_wait(&pool->finished, &pool->mutex);
        atomic_fetch_sub(&pool->callers_asleep, 1);
        pthread_mutex_unlock(&pool->mutex);
    }
}

// ---------------------------------------------------------------------------------------------------
// Loops
// ---------------------------------------------------------------------------------------------------

// Opens the loop, runs chunks of it like everybody else, and waits for the others.
static void share(st_pool *pool, loop *l) {
    // idle threads want its chunks; sleeping callers may help with it
    pthread_mutex_lock(&pool->mutex);
    link_loop(pool, l);
    if (pool->idle > 0) pthread_cond_broadcast(&pool->work);
    if (atomic_load(&pool->callers_asleep) > 0) pthread_cond_broadcast(&pool->finished);
    pthread_mutex_unlock(&pool->mutex);

    run_chunks(pool, l, pool_take(l), true);
    wait_until_done(pool, l);
}

void st_parallel_for(st_pool *pool, size_t count, size_t grain, void (*body)(void *context, size_t begin, size_t end),
                     void *context) {
    if (grain == 0) grain = 1;

    loop l = {.body = body, .context = context, .count = count, .grain = grain};
    l.chunks = count / grain + (count % grain != 0);

    if (pool && pool->workers > 0 && l.chunks > 1) share(pool, &l);
    else
        for (size_t chunk = 0; chunk < l.chunks; chunk++) run_chunk(&l, chunk);
}

typedef struct sum_loop {
    st_real (*body)(void *context, size_t begin, size_t end);
    void *context;
    size_t first, grain;
    st_real *partials;
} sum_loop;

static void sum_chunk(void *context, size_t begin, size_t end) {
    sum_loop *sum = context;
    sum->partials[begin / sum->grain] = sum->body(sum->context, sum->first + begin, sum->first + end);
}

// As many chunks at a time as there is room for partial sums.
st_real st_parallel_sum(st_pool *pool, size_t count, size_t grain,
                        st_real (*body)(void *context, size_t begin, size_t end), void *context) {
    if (grain == 0) grain = 1;
    if (count <= grain) return count ? 0 + body(context, 0, count) : 0; // one chunk: the same sum without the pool

    st_real partials[PARTIAL_SUMS];
    sum_loop l = {.body = body, .context = context, .grain = grain, .partials = partials};
    const size_t most = grain < SIZE_MAX / PARTIAL_SUMS ? grain * PARTIAL_SUMS : count;
    st_real sum = 0;

    while (l.first < count) {
        const size_t part = count - l.first < most ? count - l.first : most;
        st_parallel_for(pool, part, grain, sum_chunk, &l);

        // in the order of the chunks, whoever ran them
        for (size_t i = 0; i * grain < part; i++) sum += partials[i];
        l.first += part;
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------------
// Life
// ---------------------------------------------------------------------------------------------------

static int core_count(void) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > MAX_THREADS ? MAX_THREADS : (int)cores;
}

st_pool *st_pool_create(int threads) {
    if (threads <= 0) threads = core_count();
    if (threads > MAX_THREADS) threads = MAX_THREADS;
    st_pool *pool = st_alloc(1, sizeof *pool + sizeof pool->threads[0] * (size_t)threads);
    if (!pool) return NULL;

    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->finished, NULL);

    // fewer threads than requested where the system refuses them
    int started = 0;
    while (started < threads - 1 && pthread_create(&pool->threads[started], NULL, work, pool) == 0) started++;
    pool->workers = started;
    return pool;
}

void st_pool_destroy(st_pool *pool) {
    if (!pool) return;

    // the flag is set under the mutex, so that no worker misses it on its way to sleep
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->stop, true);
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);

    for (int i = 0; i < pool->workers; i++) pthread_join(pool->threads[i], NULL);

    pthread_cond_destroy(&pool->finished);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->mutex);
    st_free(pool);
}

int st_pool_threads(const st_pool *pool) { return pool ? pool->workers + 1 : 1; }
void st_pool_set_fast(st_pool *pool, bool fast) { pool->fast = fast; }
bool st_pool_is_fast(const st_pool *pool) { return pool && pool->fast; }
