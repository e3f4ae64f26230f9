// The loops over triangles with the registers of AVX2. See triangle_kernel.h and math/simd.h.
//
// SPDX-License-Identifier: Apache-2.0
#ifdef __x86_64__
#include "math/simd_avx2.h"

#include "force/fem/triangle/triangle_kernel.h"

const st_triangle_kernels st_triangle_kernels_avx2 = KERNELS;
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
typedef int st_no_avx2; // a file must not be empty
#endif
