// Blocks of memory that outlive whoever allocated them: arrays that a program views while the scene resizes them.
//
// Retained blocks are in one table for the whole process, as those of malloc are. While there is none, which is one
// atomic read, freeing costs nothing more.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/retained.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/array.h"

enum { BUCKETS = 1024 };

typedef struct retained {
    void *block;
    size_t count;
    bool orphan; // its owner has freed it
    struct retained *next;
} retained;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static retained *buckets[BUCKETS];
static atomic_size_t total;

// The place of a block's entry in its chain: it points at NULL when there is none.
static retained **place_of(const void *block) {
    retained **at = &buckets[(uintptr_t)block / 64 % BUCKETS]; // blocks are aligned to 64 bytes
    while (*at && (*at)->block != block) at = &(*at)->next;
    return at;
}

bool st_retain(void *block) {
    pthread_mutex_lock(&mutex);
    retained **at = place_of(block);

    if (!*at && (*at = calloc(1, sizeof **at))) {
        (*at)->block = block;
        atomic_fetch_add(&total, 1);
    }

    const bool ok = *at != NULL;
    if (ok) (*at)->count++;
    pthread_mutex_unlock(&mutex);
    return ok;
}

void st_release(void *block) {
    pthread_mutex_lock(&mutex);
    retained **at = place_of(block), *entry = *at;

    // the last one: the entry goes, and the memory, too, when its owner has gone
    bool gone = false;
    if (entry && --entry->count == 0) {
        gone = entry->orphan;
        *at = entry->next;
        free(entry);
        atomic_fetch_sub(&total, 1);
    }

    pthread_mutex_unlock(&mutex);
    if (gone) free(block);
}

bool st_orphan(void *block) {
    if (!block || atomic_load(&total) == 0) return false;

    pthread_mutex_lock(&mutex);
    retained *entry = *place_of(block);
    if (entry) entry->orphan = true;
    pthread_mutex_unlock(&mutex);
    return entry != NULL;
}
