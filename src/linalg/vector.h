// Flat vectors: the few operations that iterative solvers are made of.
//
// Sums are taken in chunks of ST_VECTOR_CHUNK scalars. Within a chunk there are ST_VECTOR_LANES sums side by side,
// scalar i going to sum i mod ST_VECTOR_LANES; they are added at its end, the upper half to the lower half until one is
// left. The sums of the chunks are added in order. All this depends on the length alone, so a sum has the same bits
// with any number of threads, and on any instruction set.
//
// A pool may be NULL: the work is then done by the caller's thread.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_VECTOR_H
#define SETTEE_LINALG_VECTOR_H

#include "base/pool.h"
#include "settee/types.h"

enum { ST_VECTOR_CHUNK = 16384, ST_VECTOR_LANES = 16 };

void st_vector_zero(st_pool *pool, size_t count, st_real *x);                              // x = 0
void st_vector_scale(st_pool *pool, size_t count, st_real a, st_real *x);                  // x = a x
void st_vector_axpy(st_pool *pool, size_t count, st_real a, const st_real *x, st_real *y); // y = y + a x
void st_vector_xpay(st_pool *pool, size_t count, const st_real *x, st_real a, st_real *y); // y = x + a y
st_real st_vector_dot(st_pool *pool, size_t count, const st_real *x, const st_real *y);    // xᵀy

bool st_vector_is_finite(size_t count, const st_real *x); // neither NaN nor infinite

// The two updates of a conjugate gradient and the next residual in one pass: x = x + a p, r = r - a q, gives rᵀr. Same
// bits as st_vector_axpy twice and st_vector_dot.
st_real st_vector_cg_step(st_pool *pool, size_t count, st_real a, const st_real *p, const st_real *q, st_real *x,
                          st_real *r);

#endif
