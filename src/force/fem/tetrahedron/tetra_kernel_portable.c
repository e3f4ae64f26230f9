// The loops over tetrahedra for any machine. See tetra_kernel.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "math/simd_loops.h"

#include "force/fem/tetrahedron/tetra_kernel.h"

const st_tetra_kernels st_tetra_kernels_portable = KERNELS;
