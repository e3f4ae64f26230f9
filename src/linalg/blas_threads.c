// One thread in the BLAS. See blas_threads.h.
//
// The number of threads belongs to OpenBLAS and holds for the whole process: who comes first keeps it, who leaves last
// puts it back. Another BLAS has no such functions, and nothing is done.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/blas_threads.h"

#include <pthread.h>

extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int) __attribute__((weak));

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int users, threads;

void st_blas_begin(void) {
    if (!openblas_get_num_threads || !openblas_set_num_threads) return;
    pthread_mutex_lock(&mutex);

    if (users++ == 0) {
        threads = openblas_get_num_threads();
        if (threads > 1) openblas_set_num_threads(1);
    }

    pthread_mutex_unlock(&mutex);
}

void st_blas_end(void) {
    if (!openblas_get_num_threads || !openblas_set_num_threads) return;
    pthread_mutex_lock(&mutex);
    if (--users == 0 && threads > 1) openblas_set_num_threads(threads);
    pthread_mutex_unlock(&mutex);
}
