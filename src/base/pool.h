// A pool of threads for loops, whose results do not depend on the number of threads.
//
//     [0, count)  =  | grain | grain | grain | ... | rest |      chunks, the same for any number of threads
//
// Threads take chunks one after the other, in no fixed order. A loop whose chunks write to different places therefore
// gives the same bits on 1 or 8 threads; sums are made of one partial sum a chunk, added in the order of the chunks.
// Without threads the chunks are run one by one, so the body sees the same ranges in every case.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BASE_POOL_H
#define SETTEE_BASE_POOL_H

#include "settee/types.h"

typedef struct st_pool st_pool;

// threads = 0: one for each core; 1: no further threads, loops run in the caller. The caller counts as one of them.
// NULL when out of memory; fewer threads than requested when the system refuses them.
st_pool *st_pool_create(int threads);
void st_pool_destroy(st_pool *pool);      // NULL is allowed; no loop may be running
int st_pool_threads(const st_pool *pool); // 1 for NULL

// May loops round otherwise than SOFA does, where that is faster (docs/speed.md)? The same bits for any number of threads
// hold in both cases. Set before the first loop; NULL: no.
void st_pool_set_fast(st_pool *pool, bool fast);
bool st_pool_is_fast(const st_pool *pool);

// Calls body(context, begin, end) for each chunk and returns when all are done. Never allocates. Loops may be started
// inside of loops and by several threads at the same time: whatever threads are idle share them. Different tasks run at
// once as a loop over them with a grain of 1.
void st_parallel_for(st_pool *pool, size_t count, size_t grain, void (*body)(void *context, size_t begin, size_t end),
                     void *context);

// The sum of body(context, begin, end) over the chunks, in their order. Never allocates.
st_real st_parallel_sum(st_pool *pool, size_t count, size_t grain,
                        st_real (*body)(void *context, size_t begin, size_t end), void *context);

#endif
