// Products of some rows of a large dense matrix with a vector, at the speed of memory: W of the constraints,
// which is full.
//
// Each sum runs in eight lanes, which are added in a fixed order: one row or three at once, with SSE2 or AVX2, the bits
// are the same.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_DENSE_ROWS_H
#define SETTEE_LINALG_DENSE_ROWS_H

#include "settee/types.h"

// d[l] += Σ_k w[l · stride + k] f[k] for `count` rows of n numbers.
void st_dense_rows_product(size_t count, const st_real *w, size_t stride, const st_real *f, size_t n, st_real *d);

#endif
