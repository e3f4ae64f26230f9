// The kernels of the LDLᵀ factorization for any machine. See ldl_kernels.h.
//
// SPDX-License-Identifier: Apache-2.0
#if !defined(__clang__) && defined(__OPTIMIZE__)
#pragma GCC optimize("O3")
#endif
#include "linalg/ldl_kernels.h"

#include <tgmath.h>

typedef st_real vec __attribute__((vector_size(ST_LDL_TILE * sizeof(st_real))));

#define splat(value) ((vec){0} + (st_real)(value))
#define fnma(a, b, c) ((c) - (a) * (b))
#define fma_(a, b, c) ((c) + (a) * (b))

#include "linalg/ldl_kernels.inc"

const st_ldl_kernels st_ldl_kernels_portable = KERNELS;
