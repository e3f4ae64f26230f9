// Everything after this line in the file is compiled for AVX2 (see simd.h). Contraction into fused multiply-add stays
// off, and AVX2 alone does not have it.
//
// SPDX-License-Identifier: Apache-2.0
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
