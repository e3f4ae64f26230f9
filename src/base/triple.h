// Three places through which one thread hands its newest result to another, and neither waits.
//
//     writer   fills the place `back`, then publishes it: back and middle change places
//     reader   takes the middle one if it is new: front and middle change places
//
// Each place has one owner at any time. Several readers take turns by a lock of their own, and so do several writers.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BASE_TRIPLE_H
#define SETTEE_BASE_TRIPLE_H

#include <stdatomic.h>
#include <stdbool.h>

enum { ST_TRIPLE_NEW = 4 }; // beside the number of the middle place: nobody has taken it yet

typedef struct st_triple {
    _Alignas(64) atomic_uint middle;
    _Alignas(64) unsigned back;  // the writer's
    _Alignas(64) unsigned front; // the reader's
} st_triple;

static inline void st_triple_init(st_triple *t) {
    atomic_init(&t->middle, 1);
    t->back = 2;
    t->front = 0;
}

static inline void st_triple_publish(st_triple *t) {
    t->back = atomic_exchange_explicit(&t->middle, t->back | ST_TRIPLE_NEW, memory_order_acq_rel) & 3u;
}

// Is there something new? Then it is in front.
static inline bool st_triple_take(st_triple *t) {
    if (!(atomic_load_explicit(&t->middle, memory_order_relaxed) & ST_TRIPLE_NEW)) return false;
    t->front = atomic_exchange_explicit(&t->middle, t->front, memory_order_acq_rel) & 3u;
    return true;
}

#endif
