// Random numbers that depend on their seed alone (splitmix64): no state is shared between components or scenes.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ENGINE_RANDOM_H
#define SETTEE_ENGINE_RANDOM_H

#include "settee/types.h"

typedef struct st_random {
    uint64_t state; // the seed
} st_random;

// Even in [0, 1).
static inline st_real st_random_real(st_random *random) {
    uint64_t z = (random->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (st_real)(z >> 40) * (st_real)0x1p-24; // 24 bits are exact in single precision, too
}

#endif
