// The loops over tetrahedra by edges with the registers of AVX2. See edge_kernel.h and math/simd.h.
//
// SPDX-License-Identifier: Apache-2.0
#ifdef __x86_64__
#include "math/simd_avx2.h"
#include "math/simd_loops.h"

#include "force/fem/common/edge_kernel.h"

const st_edge_kernels st_edge_kernels_avx2 = KERNELS;
st_element_kernel *const st_edge_product_avx2 = product_loop;
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
typedef int st_no_avx2; // a file must not be empty
#endif
