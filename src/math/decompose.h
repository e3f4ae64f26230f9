// Decompositions of 3x3 (and 2x2) matrices: frames from edges, polar decompositions, eigenvalues, projections.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MATH_DECOMPOSE_H
#define SETTEE_MATH_DECOMPOSE_H

#include "math/mat3.h"

// The frame that has x along ex and y in the plane of ex and ey (the QR method of corotational elements):
// x = ex / |ex|, z = x x ey normalized, y = z x x. The axes are the rows (world to local).
void st_frame_rows(st_real axes[9], const st_real ex[3], const st_real ey[3]);

// The orthogonal factor Q of M = Q S by a scaled Newton iteration. Q has the sign of det M: an inverted matrix gives a
// reflection. False when M is singular (Q is then the current iterate, not orthogonal) or not finite.
bool st_polar(st_real q[9], const st_real m[9]);
bool st_polar_2(st_real q[4], const st_real m[4]);

// The rotation nearest to M by a singular value decomposition that survives flat and inverted matrices. With two
// vanishing singular values the result is no rotation; it is SOFA's all the same.
void st_polar_stable(st_real q[9], const st_real m[9]);
void st_polar_stable_2(st_real q[4], const st_real m[4]);

// Eigenvalues and eigenvectors (columns of `vectors`) of a symmetric matrix by implicit QL, not sorted. Only the upper
// triangle is read. False when the iteration does not end (numbers that are not finite).
bool st_mat3_eigen(st_real values[3], st_real vectors[9], const st_real m[9]);

// The nearest negative semidefinite matrix to a symmetric one: positive eigenvalues become zero. A matrix that has none
// is copied bit for bit. True when something was changed.
bool st_mat3_project_negative(st_real r[9], const st_real m[9]);

#endif
