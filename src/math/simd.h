// Which instruction set a loop may use: chosen when the program runs, the same bits in each.
//
// A file of loops on packs (math/pack.h) is named *_kernel.c. The build compiles it once for each instruction set
// (cmake/Kernels.cmake), and it ends with a table of its functions:
//
//     const st_beam_kernels ST_KERNEL(st_beam_kernels) = {.product = product_loop, .matrix = matrix_loop};
//
// Its header declares the table of each set with ST_KERNEL_TABLES(st_beam_kernels), and
// ST_BEST_KERNELS(st_beam_kernels, pool) points to the one for this machine.
//
// A single loop within another file is an inline function that is instantiated twice:
//
//     ST_PACK_INLINE st_real dot(const st_real *x, const st_real *y, size_t count) { ... }
//     static st_real dot_portable(...) { return dot(...); }
//     ST_AVX2 static st_real dot_avx2(...) { return dot(...); }
//     ... ST_HAS_AVX2() ? dot_avx2(...) : dot_portable(...)
//
// ST_BEST_KERNELS(type, pool) takes a table compiled with fused multiply-add where the scene asks for speed
// (st_pool_is_fast). Otherwise contraction stays off, and AVX2 alone does not have it. AVX-512 works on packs of four, too:
// what it adds are 32 registers, in which the numbers of an element stay.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MATH_SIMD_H
#define SETTEE_MATH_SIMD_H

#include <stdbool.h>

#include "base/pool.h"

// The name with the instruction set that the build gives to the kernel file: name_portable, name_avx2, name_avx512,
// name_fma, name_fast_avx2, name_fast_avx512.
#define ST_KERNEL(name) ST_KERNEL_JOIN(name, ST_KERNEL_SET)
#define ST_KERNEL_JOIN(name, set) ST_KERNEL_PASTE(name, set)
#define ST_KERNEL_PASTE(name, set) name##_##set

#ifdef __x86_64__
#define ST_AVX2 __attribute__((target("avx2")))
#define ST_HAS_AVX2() (__builtin_cpu_supports("avx2") != 0)
#define ST_HAS_AVX512()                                                                                                \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
#define ST_HAS_FMA() (ST_HAS_AVX2() && __builtin_cpu_supports("fma"))
#define ST_KERNEL_TABLES(type)                                                                                         \
    extern const type type##_portable, type##_avx2, type##_avx512, type##_fast_avx2, type##_fast_avx512
#define ST_BEST_KERNELS(type, pool)                                                                                    \
    (st_pool_is_fast(pool) && ST_HAS_FMA() ? (ST_HAS_AVX512() ? &type##_fast_avx512 : &type##_fast_avx2)               \
     : ST_HAS_AVX512()                     ? &type##_avx512                                                            \
     : ST_HAS_AVX2()                       ? &type##_avx2                                                              \
                                           : &type##_portable)
#else
#define ST_AVX2
#define ST_HAS_AVX2() false
#define ST_HAS_AVX512() false
#define ST_KERNEL_TABLES(type) extern const type type##_portable
#define ST_BEST_KERNELS(type, pool) ((void)(pool), &type##_portable)
#endif

#endif
