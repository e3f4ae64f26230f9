// Products of dense rows with AVX2.
//
// SPDX-License-Identifier: Apache-2.0
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#define DENSE_ROWS st_dense_rows_avx2
#include "linalg/dense_rows.inc"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
typedef int st_no_avx2; // a file must not be empty
#endif
