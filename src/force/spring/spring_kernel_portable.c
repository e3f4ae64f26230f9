// Four springs at once for any machine. See spring_kernel.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "math/simd_loops.h"

#include "force/spring/spring_kernel.h"

const st_spring_packs st_spring_packs_portable = KERNELS;
