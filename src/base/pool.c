// The worker pool.
//
// A loop is published through one 64-bit atomic, the ticket: (generation, chunks left). A thread takes a chunk by
// decreasing "chunks left" with compare-and-swap. Since the generation is part of the ticket, a thread that read the
// description of the loop too late (the loop ended, another began) fails to swap and looks again. The caller thus never
// waits for threads that did not wake up in time: a small loop costs no more than doing it alone.
// The caller waits until the number of chunks done equals the number of chunks.
//
// Who waits first spins for some microseconds (steps come in quick succession), then sleeps on a condition. Nobody
// misses a wake-up: the sleeper announces itself, then looks; the waker changes the state, then looks for sleepers,
// both with sequential consistency.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/array.h"

enum { MAX_THREADS = 1024, SPINS = 2000 };

typedef void chunk_function(void *context, size_t begin, size_t end);

struct st_pool {
    // The loop: written by the caller while no chunk is left, read by the threads that found some left.
    _Alignas(64) _Atomic(chunk_function *) body;
    _Atomic(void *) context;
    atomic_size_t count, grain, chunks;

    _Alignas(64) atomic_uint_fast64_t ticket; // generation << 32 | chunks left
    _Alignas(64) atomic_size_t done;
    _Alignas(64) atomic_bool busy; // a loop is running

    pthread_mutex_t mutex;
    pthread_cond_t work, finished;
    atomic_int sleepers;       // threads that wait for work
    atomic_bool caller_sleeps; // the caller waits for the last chunks
    atomic_bool stop;

    st_reals partials; // of sums
    int workers;       // threads besides the caller
    pthread_t threads[];
};

static uint32_t chunks_left(uint64_t ticket) { return (uint32_t)ticket; }

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// --- taking chunks
// ----------------------------------------------------------------------------------------------------

static void finish_chunk(st_pool *pool, size_t chunks) {
    if (atomic_fetch_add(&pool->done, 1) + 1 != chunks || !atomic_load(&pool->caller_sleeps)) return;
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_signal(&pool->finished);
    pthread_mutex_unlock(&pool->mutex);
}

// Takes and runs one chunk; false when none is left.
static bool run_chunk(st_pool *pool) {
    uint64_t ticket = atomic_load_explicit(&pool->ticket, memory_order_acquire);
    while (chunks_left(ticket) > 0) {
        chunk_function *body = atomic_load_explicit(&pool->body, memory_order_relaxed);
        void *context = atomic_load_explicit(&pool->context, memory_order_relaxed);
        const size_t count = atomic_load_explicit(&pool->count, memory_order_relaxed);
        const size_t grain = atomic_load_explicit(&pool->grain, memory_order_relaxed);
        const size_t chunks = atomic_load_explicit(&pool->chunks, memory_order_relaxed);
        if (!atomic_compare_exchange_weak_explicit(&pool->ticket, &ticket, ticket - 1, memory_order_acq_rel,
                                                   memory_order_acquire))
            continue;
        const size_t begin = (chunks - chunks_left(ticket)) * grain;
        body(context, begin, count - begin < grain ? count : begin + grain);
        finish_chunk(pool, chunks);
        return true;
    }
    return false;
}

static bool has_work(st_pool *pool) { return chunks_left(atomic_load(&pool->ticket)) > 0 || atomic_load(&pool->stop); }

static void wait_for_work(st_pool *pool) {
    for (int i = 0; i < SPINS; i++) {
        if (has_work(pool)) return;
        relax();
    }
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleepers, 1);
    while (!has_work(pool)) pthread_cond_wait(&pool->work, &pool->mutex);
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->mutex);
}

static void *work(void *argument) {
    st_pool *pool = argument;
    while (!atomic_load(&pool->stop)) {
        while (run_chunk(pool)) {}
        wait_for_work(pool);
    }
    return NULL;
}

// --- loops
// ------------------------------------------------------------------------------------------------------------

static void wake_workers(st_pool *pool) {
    if (atomic_load(&pool->sleepers) == 0) return;
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
}

static void wait_until_done(st_pool *pool, size_t chunks) {
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load(&pool->done) == chunks) return;
        relax();
    }
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->caller_sleeps, true);
    while (atomic_load(&pool->done) != chunks) pthread_cond_wait(&pool->finished, &pool->mutex);
    atomic_store(&pool->caller_sleeps, false);
    pthread_mutex_unlock(&pool->mutex);
}

static size_t chunk_count(size_t count, size_t grain) { return count / grain + (count % grain != 0); }

// The caller becomes the owner of the pool, unless the loop is not worth it or the pool has an owner.
static bool acquire(st_pool *pool, size_t chunks) {
    if (!pool || pool->workers == 0 || chunks < 2 || chunks > UINT32_MAX) return false;
    return !atomic_exchange_explicit(&pool->busy, true, memory_order_acquire);
}

static void release(st_pool *pool) { atomic_store_explicit(&pool->busy, false, memory_order_release); }

static void run_shared(st_pool *pool, size_t count, size_t grain, chunk_function *body, void *context) {
    const size_t chunks = chunk_count(count, grain);
    atomic_store_explicit(&pool->body, body, memory_order_relaxed);
    atomic_store_explicit(&pool->context, context, memory_order_relaxed);
    atomic_store_explicit(&pool->count, count, memory_order_relaxed);
    atomic_store_explicit(&pool->grain, grain, memory_order_relaxed);
    atomic_store_explicit(&pool->chunks, chunks, memory_order_relaxed);
    atomic_store_explicit(&pool->done, 0, memory_order_relaxed);
    const uint64_t generation = (atomic_load_explicit(&pool->ticket, memory_order_relaxed) >> 32) + 1;
    atomic_store(&pool->ticket, generation << 32 | chunks);
    wake_workers(pool);
    while (run_chunk(pool)) {}
    wait_until_done(pool, chunks);
}

void st_parallel_for(st_pool *pool, size_t count, size_t grain, void (*body)(void *context, size_t begin, size_t end),
                     void *context) {
    if (grain == 0) grain = 1;
    if (acquire(pool, chunk_count(count, grain))) {
        run_shared(pool, count, grain, body, context);
        release(pool);
        return;
    }
    for (size_t begin = 0; begin < count;) {
        const size_t end = count - begin < grain ? count : begin + grain;
        body(context, begin, end);
        begin = end;
    }
}

// --- sums
// -------------------------------------------------------------------------------------------------------------

typedef struct sum_loop {
    st_real (*body)(void *context, size_t begin, size_t end);
    void *context;
    st_real *partials;
    size_t grain;
} sum_loop;

static void sum_chunk(void *context, size_t begin, size_t end) {
    const sum_loop *loop = context;
    loop->partials[begin / loop->grain] = loop->body(loop->context, begin, end);
}

static st_real sum_shared(st_pool *pool, size_t count, sum_loop *loop) {
    st_real sum = 0;
    run_shared(pool, count, loop->grain, sum_chunk, loop);
    for (size_t i = 0; i < chunk_count(count, loop->grain); i++) sum += loop->partials[i];
    return sum;
}

st_real st_parallel_sum(st_pool *pool, size_t count, size_t grain,
                        st_real (*body)(void *context, size_t begin, size_t end), void *context) {
    if (grain == 0) grain = 1;
    const size_t chunks = chunk_count(count, grain);
    st_real sum = 0;
    if (acquire(pool, chunks)) {
        const bool room = st_list_reserve(&pool->partials, chunks, 1);
        if (room) {
            sum_loop loop = {.body = body, .context = context, .partials = pool->partials.data, .grain = grain};
            sum = sum_shared(pool, count, &loop);
        }
        release(pool);
        if (room) return sum;
    }
    // The same additions, without a place to keep them.
    for (size_t begin = 0; begin < count;) {
        const size_t end = count - begin < grain ? count : begin + grain;
        sum += body(context, begin, end);
        begin = end;
    }
    return sum;
}

// --- life
// -------------------------------------------------------------------------------------------------------------

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
    int started = 0;
    while (started < threads - 1 && pthread_create(&pool->threads[started], NULL, work, pool) == 0) started++;
    pool->workers = started;
    return pool;
}

void st_pool_destroy(st_pool *pool) {
    if (!pool) return;
    atomic_store(&pool->stop, true);
    wake_workers(pool);
    for (int i = 0; i < pool->workers; i++) pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->finished);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->mutex);
    st_list_free(&pool->partials);
    st_free(pool);
}

int st_pool_threads(const st_pool *pool) { return pool ? pool->workers + 1 : 1; }
