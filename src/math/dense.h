// Small dense matrices, row by row: LU, inverse, symmetric eigenvalues. For tests and systems of a few unknowns.
// Nothing here allocates.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MATH_DENSE_H
#define SETTEE_MATH_DENSE_H

#include "math/real.h"

enum { ST_DENSE_SMALL = 16 };

// P A = L U in place, with partial pivoting: row k was exchanged with row pivots[k] >= k. False when a pivot is zero or
// not a number.
bool st_dense_factor(st_real *a, uint32_t *pivots, size_t size);
// x <- A^-1 x with the factors of st_dense_factor.
void st_dense_solve_factored(st_real *x, const st_real *factors, const uint32_t *pivots, size_t size);

// A^-1 by Gauss-Jordan with full pivoting, for size <= ST_DENSE_SMALL. Refused when a pivot is not larger than epsilon
// or the size is too large: the result is then left as it was. The result may be a.
bool st_dense_inverse(st_real *inverse, const st_real *a, size_t size);

// Eigenvalues in ascending order, and eigenvectors as columns, of a symmetric matrix by Jacobi's rotations; a is
// overwritten. False when the rotations do not end (numbers that are not finite).
bool st_dense_eigen(st_real *values, st_real *vectors, st_real *a, size_t size);

// The symmetric part of a matrix without its positive eigenvalues, in place; for size <= ST_DENSE_SMALL. What is not
// finite becomes zero.
void st_dense_project_negative(st_real *a, size_t size);

void st_dense_multiply(st_real *r, const st_real *a, const st_real *b, size_t rows, size_t inner, size_t columns);

#endif
