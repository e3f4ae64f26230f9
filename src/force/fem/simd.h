// Which instruction set a loop may use: chosen when the program runs, the same bits in each.
//
// A file that is compiled for AVX2 begins with
//     #include "force/fem/simd_avx2.h"
// and is only ever called where st_has_avx2() holds.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_SIMD_H
#define SETTEE_FORCE_FEM_SIMD_H

#include <stdbool.h>

#ifdef __x86_64__
static inline bool st_has_avx2(void) { return __builtin_cpu_supports("avx2"); }
#define ST_SIMD_CHOICE(portable, avx2) (st_has_avx2() ? &(avx2) : &(portable))
#else
#define ST_SIMD_CHOICE(portable, avx2) (&(portable))
#endif

#endif
