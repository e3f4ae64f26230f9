// Which instruction set a loop may use: chosen when the program runs, the same bits in each.
//
// A loop is written once, as an inline function on packs (math/pack.h), and instantiated twice:
//
//     ST_PACK_INLINE st_real dot(const st_real *x, const st_real *y, size_t count) { ... }
//     static st_real dot_portable(...) { return dot(...); }
//     ST_AVX2 static st_real dot_avx2(...) { return dot(...); }
//     ... ST_HAS_AVX2() ? dot_avx2(...) : dot_portable(...)
//
// Contraction into fused multiply-add stays off, and AVX2 alone does not have it.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MATH_SIMD_H
#define SETTEE_MATH_SIMD_H

#include <stdbool.h>

#ifdef __x86_64__
#define ST_AVX2 __attribute__((target("avx2")))
#define ST_HAS_AVX2() (__builtin_cpu_supports("avx2") != 0)
#else
#define ST_AVX2
#define ST_HAS_AVX2() false
#endif

#endif
