// The loops over triangles for any machine. See triangle_kernel.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/triangle/triangle_kernel.h"

const st_triangle_kernels st_triangle_kernels_portable = KERNELS;
