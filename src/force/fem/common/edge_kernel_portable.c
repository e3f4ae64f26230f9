// The loops over tetrahedra by edges for any machine. See edge_kernel.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "math/simd_loops.h"

#include "force/fem/common/edge_kernel.h"

const st_edge_kernels st_edge_kernels_portable = KERNELS;
st_element_kernel *const st_edge_product_portable = product_loop;
