// The loops over elements with a stored stiffness for any machine. See element_kernel.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "math/simd_loops.h"

#include "force/fem/generic/element_kernel.h"

const st_element_kernels st_element_kernels_portable = KERNELS;
