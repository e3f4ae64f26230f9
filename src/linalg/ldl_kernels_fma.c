// The kernels of the LDLᵀ factorization with the registers of AVX2 and fused multiply-add. See ldl_kernels.h.
//
// SPDX-License-Identifier: Apache-2.0
#ifdef __x86_64__
#include <immintrin.h>
#include <tgmath.h>

#include "linalg/ldl_kernels.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#ifdef __OPTIMIZE__
#pragma GCC optimize("O3")
#endif
#endif

#ifdef SETTEE_REAL_FLOAT
typedef __m256 vec;
#define splat(value) _mm256_set1_ps(value)
#define fnma(a, b, c) _mm256_fnmadd_ps(a, b, c)
#define fma_(a, b, c) _mm256_fmadd_ps(a, b, c)
#else
typedef __m256d vec;
#define splat(value) _mm256_set1_pd(value)
#define fnma(a, b, c) _mm256_fnmadd_pd(a, b, c)
#define fma_(a, b, c) _mm256_fmadd_pd(a, b, c)
#endif

#include "linalg/ldl_kernels.inc"

const st_ldl_kernels st_ldl_kernels_fma = KERNELS;
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
typedef int st_no_fma; // a file must not be empty
#endif
