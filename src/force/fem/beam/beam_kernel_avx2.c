// The loops over beams with the registers of AVX2. See beam_kernel.h and math/simd.h.
//
// SPDX-License-Identifier: Apache-2.0
#ifdef __x86_64__
#include "math/simd_avx2.h"
#include "math/simd_loops.h"

#include "force/fem/beam/beam_kernel.h"

const st_beam_kernels st_beam_kernels_avx2 = KERNELS;
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
typedef int st_no_avx2; // a file must not be empty
#endif
