// Which instruction set a loop may use: chosen when the program runs, the same bits in each.
//
// A loop is written once, as an inline function on packs (math/pack.h), and instantiated twice:
//
//     ST_PACK_INLINE st_real dot(const st_real *x, const st_real *y, size_t count) { ... }
//     static st_real dot_portable(...) { return dot(...); }
//     ST_AVX2 static st_real dot_avx2(...) { return dot(...); }
//     ... ST_HAS_AVX2() ? dot_avx2(...) : dot_portable(...)
//
// Many loops stand in a file of their own that two others include, one of them behind simd_avx2.h; each of the two
// gives a table of its functions, and ST_SIMD_CHOICE(table_portable, table_avx2) points to the one to be used.
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
#define ST_SIMD_CHOICE(portable, avx2) (ST_HAS_AVX2() ? &(avx2) : &(portable))
#else
#define ST_AVX2
#define ST_HAS_AVX2() false
#define ST_SIMD_CHOICE(portable, avx2) (&(portable)) // there is no other table
#endif

#endif
