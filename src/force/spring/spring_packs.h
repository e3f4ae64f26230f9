// Springs in space, four at a time (spring_kernel.c).
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_SPRING_SPRING_PACKS_H
#define SETTEE_FORCE_SPRING_SPRING_PACKS_H

#include "force/spring/spring.h"
#include "math/simd.h"

// The vectors of both ends. For a product, x is dx and f is df.
typedef struct st_spring_ends {
    const st_real *x1, *x2, *v1, *v2;
    st_real *f1, *f2;
    size_t coord, deriv; // scalars from one DOF to the next
    size_t size1, size2;
    const st_pool *pool; // which says how to round
} st_spring_ends;

// Both begin with the spring `first`, a multiple of four, and go on until a pack is incomplete or has an end out of range;
// they return the first spring that is left. Matrices are kept entry by entry, each for four springs.
typedef struct st_spring_packs {
    size_t (*evaluate)(const st_spring_kernel *kernel, size_t first, const st_spring_ends *ends);
    size_t (*multiply)(const st_spring_kernel *kernel, size_t first, const st_spring_ends *ends, st_real before,
                       st_real after);
} st_spring_packs;
ST_KERNEL_TABLES(st_spring_packs);

#endif
