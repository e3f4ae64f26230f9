// Packs of four reals: four elements of a loop handled side by side.
//
// A pack is a vector of the compiler (gcc, clang): + - * / and comparisons work on it directly, lane by lane. Each
// lane does exactly the operations of the scalar code, in the same order, so a loop written with packs gives the bits
// of the loop written without, on any instruction set.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MATH_PACK_H
#define SETTEE_MATH_PACK_H

#include <string.h>
#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "math/real.h"

enum { ST_PACK_SIZE = 4 };

typedef st_real st_pack __attribute__((vector_size(ST_PACK_SIZE * sizeof(st_real))));

// What a comparison of packs gives: all bits of a lane set where it holds.
#ifdef SETTEE_REAL_FLOAT
typedef int32_t st_pack_mask __attribute__((vector_size(ST_PACK_SIZE * sizeof(int32_t))));
#else
typedef int64_t st_pack_mask __attribute__((vector_size(ST_PACK_SIZE * sizeof(int64_t))));
#endif

// Packs wider than the machine's registers have no stable calling convention (-Wpsabi); everything here is inlined, so
// none is needed. Do not pass packs by value between files.
#pragma GCC diagnostic ignored "-Wpsabi"
#define ST_PACK_INLINE static inline __attribute__((always_inline))

ST_PACK_INLINE st_pack st_pack_splat(st_real value) { return (st_pack){value, value, value, value}; }

ST_PACK_INLINE st_pack st_pack_set(st_real a, st_real b, st_real c, st_real d) { return (st_pack){a, b, c, d}; }

// Four consecutive reals; any alignment.
ST_PACK_INLINE st_pack st_pack_load(const st_real *source) {
    st_pack pack;
    memcpy(&pack, source, sizeof pack);
    return pack;
}

ST_PACK_INLINE void st_pack_store(st_real *target, st_pack pack) { memcpy(target, &pack, sizeof pack); }

// From [entry][lane] to [lane][entry].
ST_PACK_INLINE void st_pack_separate(st_real *separate, const st_pack *packs, size_t count) {
    size_t k = 0;

    // four entries at a time: a 4 x 4 matrix is transposed
    for (; k + 4 <= count; k += 4) {
        const st_pack *p = packs + k;
        const st_pack a = __builtin_shufflevector(p[0], p[1], 0, 4, 2, 6);
        const st_pack b = __builtin_shufflevector(p[0], p[1], 1, 5, 3, 7);
        const st_pack c = __builtin_shufflevector(p[2], p[3], 0, 4, 2, 6);
        const st_pack d = __builtin_shufflevector(p[2], p[3], 1, 5, 3, 7);

        st_pack_store(separate + k, __builtin_shufflevector(a, c, 0, 1, 4, 5));
        st_pack_store(separate + count + k, __builtin_shufflevector(b, d, 0, 1, 4, 5));
        st_pack_store(separate + 2 * count + k, __builtin_shufflevector(a, c, 2, 3, 6, 7));
        st_pack_store(separate + 3 * count + k, __builtin_shufflevector(b, d, 2, 3, 6, 7));
    }

    for (; k < count; k++)
        for (size_t lane = 0; lane < ST_PACK_SIZE; lane++) separate[lane * count + k] = packs[k][lane];
}

// Two reals that are handled together, the first two of a vector in space.
typedef st_real st_pack_pair __attribute__((vector_size(2 * sizeof(st_real))));

ST_PACK_INLINE st_pack_pair st_pair_load(const st_real *source) {
    st_pack_pair pair;
    memcpy(&pair, source, sizeof pair);
    return pair;
}

ST_PACK_INLINE void st_pair_store(st_real *target, st_pack_pair pair) { memcpy(target, &pair, sizeof pair); }

// Vectors of three reals, lane i from p[i].
ST_PACK_INLINE void st_pack3_load(st_pack r[3], const st_real *const p[4]) {
    // x and y of two lanes side by side: a = x0 y0 x2 y2, b = x1 y1 x3 y3
    const st_pack a = __builtin_shufflevector(st_pair_load(p[0]), st_pair_load(p[2]), 0, 1, 2, 3);
    const st_pack b = __builtin_shufflevector(st_pair_load(p[1]), st_pair_load(p[3]), 0, 1, 2, 3);
    r[0] = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    r[1] = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    r[2] = (st_pack){p[0][2], p[1][2], p[2][2], p[3][2]};
}

// p[i] += lane i and q[i] -= lane i, lane after lane: targets of different lanes may be the same.
ST_PACK_INLINE void st_pack3_exchange(st_real *const p[4], st_real *const q[4], const st_pack r[3]) {
    const st_pack a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6),
                  b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    const st_pack_pair xy[4] = {__builtin_shufflevector(a, a, 0, 1), __builtin_shufflevector(b, b, 0, 1),
                                __builtin_shufflevector(a, a, 2, 3), __builtin_shufflevector(b, b, 2, 3)};

    for (int lane = 0; lane < 4; lane++) {
        st_pair_store(p[lane], st_pair_load(p[lane]) + xy[lane]);
        p[lane][2] += r[2][lane];
        st_pair_store(q[lane], st_pair_load(q[lane]) - xy[lane]);
        q[lane][2] -= r[2][lane];
    }
}

// Vectors of three reals, lane i from element index[i] of an array of Vec3.
ST_PACK_INLINE void st_pack3_gather(st_pack r[3], const st_real *array, const uint32_t index[4]) {
    const st_real *const p[4] = {array + 3 * (size_t)index[0], array + 3 * (size_t)index[1],
                                 array + 3 * (size_t)index[2], array + 3 * (size_t)index[3]};
    st_pack3_load(r, p);
}

// Each lane of the mask has all its bits set or none.
ST_PACK_INLINE st_pack st_pack_select(st_pack_mask mask, st_pack yes, st_pack no) {
    return (st_pack)(((st_pack_mask)yes & mask) | ((st_pack_mask)no & ~mask));
}

ST_PACK_INLINE st_pack st_pack_max(st_pack a, st_pack b) {
#if defined(__AVX__) && !defined(SETTEE_REAL_FLOAT)
    return (st_pack)_mm256_max_pd((__m256d)b, (__m256d)a); // the second where they do not compare: the same choice
#else
    return st_pack_select((st_pack_mask)(a < b), b, a);
#endif
}

ST_PACK_INLINE bool st_pack_any(st_pack_mask mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) != 0; }

ST_PACK_INLINE bool st_pack_all(st_pack_mask mask) { return (mask[0] & mask[1] & mask[2] & mask[3]) != 0; }

// One bit for each lane, the first in the lowest.
ST_PACK_INLINE unsigned st_pack_bits(st_pack_mask mask) {
#if defined(__AVX__) && !defined(SETTEE_REAL_FLOAT)
    return (unsigned)_mm256_movemask_pd((__m256d)mask);
#else
    return (unsigned)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

// Square roots are rounded correctly by every instruction that computes them; sqrt() of the C library is that
// instruction and a branch for errno, lane by lane.
ST_PACK_INLINE st_pack st_pack_sqrt(st_pack a) {
#if defined(__clang__) && __has_builtin(__builtin_elementwise_sqrt)
    return __builtin_elementwise_sqrt(a);
#elif defined(__AVX__) && !defined(SETTEE_REAL_FLOAT)
    return (st_pack)_mm256_sqrt_pd((__m256d)a);
#elif defined(__SSE2__) && !defined(SETTEE_REAL_FLOAT)
    const __m128d low = _mm_sqrt_pd((__m128d){a[0], a[1]}), high = _mm_sqrt_pd((__m128d){a[2], a[3]});
    return (st_pack){low[0], low[1], high[0], high[1]};
#elif defined(__SSE2__)
    return (st_pack)_mm_sqrt_ps((__m128)a);
#else
    return (st_pack){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
#endif
}

ST_PACK_INLINE st_pack st_pack_abs(st_pack a) {
    return (st_pack)((st_pack_mask)a & ~(st_pack_mask)st_pack_splat(-ST_R(0.0)));
}

// The operations of vec3.h and mat3.h in the same order, on packs of vectors (three packs) and matrices (nine).
ST_PACK_INLINE st_pack st_pack3_dot(const st_pack a[3], const st_pack b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

ST_PACK_INLINE void st_pack3_sub(st_pack r[3], const st_pack a[3], const st_pack b[3]) {
    for (int k = 0; k < 3; k++) r[k] = a[k] - b[k];
}

// r must not be an operand.
ST_PACK_INLINE void st_pack3_cross(st_pack r[3], const st_pack a[3], const st_pack b[3]) {
    r[0] = a[1] * b[2] - a[2] * b[1];
    r[1] = a[2] * b[0] - a[0] * b[2];
    r[2] = a[0] * b[1] - a[1] * b[0];
}

ST_PACK_INLINE void st_pack9_times_vec(st_pack r[3], const st_pack m[9], const st_pack v[3]) {
    for (int i = 0; i < 3; i++) r[i] = st_pack3_dot(m + 3 * i, v);
}

ST_PACK_INLINE void st_pack9_transpose_times_vec(st_pack r[3], const st_pack m[9], const st_pack v[3]) {
    for (int i = 0; i < 3; i++) r[i] = m[i] * v[0] + m[3 + i] * v[1] + m[6 + i] * v[2];
}

#endif
