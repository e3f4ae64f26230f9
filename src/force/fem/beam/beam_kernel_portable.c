// The loops over beams for any machine. See beam_kernel.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "math/simd_loops.h"

#include "force/fem/beam/beam_kernel.h"

const st_beam_kernels st_beam_kernels_portable = KERNELS;
