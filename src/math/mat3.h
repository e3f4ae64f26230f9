// 3x3 matrices: nine reals, row by row, so that m[3 * row + column]. Conventions as in vec3.h: the result comes
// first and may be one of the operands; products are summed in the order of the index.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MATH_MAT3_H
#define SETTEE_MATH_MAT3_H

#include <string.h>

#include "math/vec3.h"

static inline void st_mat3_copy(st_real r[9], const st_real a[9]) { memmove(r, a, 9 * sizeof *r); }

static inline void st_mat3_zero(st_real r[9]) { memset(r, 0, 9 * sizeof *r); }

static inline void st_mat3_diagonal(st_real r[9], st_real a, st_real b, st_real c) {
    st_mat3_zero(r);
    r[0] = a;
    r[4] = b;
    r[8] = c;
}

static inline void st_mat3_identity(st_real r[9]) { st_mat3_diagonal(r, 1, 1, 1); }

static inline void st_mat3_add(st_real r[9], const st_real a[9], const st_real b[9]) {
    for (int i = 0; i < 9; i++) r[i] = a[i] + b[i];
}

static inline void st_mat3_sub(st_real r[9], const st_real a[9], const st_real b[9]) {
    for (int i = 0; i < 9; i++) r[i] = a[i] - b[i];
}

static inline void st_mat3_scale(st_real r[9], const st_real a[9], st_real k) {
    for (int i = 0; i < 9; i++) r[i] = a[i] * k;
}

// r = a + b k
static inline void st_mat3_add_scaled(st_real r[9], const st_real a[9], const st_real b[9], st_real k) {
    for (int i = 0; i < 9; i++) r[i] = a[i] + b[i] * k;
}

static inline void st_mat3_transpose(st_real r[9], const st_real a[9]) {
    const st_real t[9] = {a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]};
    st_mat3_copy(r, t);
}

// r = A v
static inline void st_mat3_times_vec(st_real r[3], const st_real a[9], const st_real v[3]) {
    st_vec3_set(r, st_vec3_dot(a, v), st_vec3_dot(a + 3, v), st_vec3_dot(a + 6, v));
}

// r = A^T v
static inline void st_mat3_transpose_times_vec(st_real r[3], const st_real a[9], const st_real v[3]) {
    st_vec3_set(r, a[0] * v[0] + a[3] * v[1] + a[6] * v[2], a[1] * v[0] + a[4] * v[1] + a[7] * v[2],
                a[2] * v[0] + a[5] * v[1] + a[8] * v[2]);
}

// r = A B
static inline void st_mat3_multiply(st_real r[9], const st_real a[9], const st_real b[9]) {
    st_real t[9];
    for (int i = 0; i < 3; i++) st_mat3_transpose_times_vec(t + 3 * i, b, a + 3 * i);
    st_mat3_copy(r, t);
}

// r = A^T B
static inline void st_mat3_transpose_multiply(st_real r[9], const st_real a[9], const st_real b[9]) {
    st_real t[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) t[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
    st_mat3_copy(r, t);
}

// r = A B^T
static inline void st_mat3_multiply_transpose(st_real r[9], const st_real a[9], const st_real b[9]) {
    st_real t[9];
    for (int i = 0; i < 3; i++) st_mat3_times_vec(t + 3 * i, b, a + 3 * i);
    st_mat3_copy(r, t);
}

// r = a b^T
static inline void st_mat3_outer(st_real r[9], const st_real a[3], const st_real b[3]) {
    st_real t[9];
    for (int i = 0; i < 3; i++) st_vec3_scale(t + 3 * i, b, a[i]);
    st_mat3_copy(r, t);
}

// The matrix [v]x of the cross product: [v]x a = v x a.
static inline void st_mat3_cross(st_real r[9], const st_real v[3]) {
    const st_real t[9] = {0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0};
    st_mat3_copy(r, t);
}

// Rows of the cofactor matrix: cross products of the other two rows, so that A cof(A)^T = det(A) I.
static inline void st_mat3_cofactor(st_real r[9], const st_real a[9]) {
    st_real t[9];
    st_vec3_cross(t, a + 3, a + 6);
    st_vec3_cross(t + 3, a + 6, a);
    st_vec3_cross(t + 6, a, a + 3);
    st_mat3_copy(r, t);
}

// The six products in SOFA's order, which inverses and with them whole chaotic scenes show.
static inline st_real st_mat3_determinant(const st_real a[9]) {
    return a[0] * a[4] * a[8] + a[3] * a[7] * a[2] + a[6] * a[1] * a[5] - a[0] * a[7] * a[5] - a[3] * a[1] * a[8] -
           a[6] * a[4] * a[2];
}

static inline st_real st_mat3_trace(const st_real a[9]) { return a[0] + a[4] + a[8]; }

// r = adjugate / det. Refused when |det| <= smallest or det is not a number: r is then left as it was.
static inline bool st_mat3_inverse_above(st_real r[9], const st_real a[9], st_real smallest) {
    st_real c[9];
    st_mat3_cofactor(c, a);
    const st_real det = st_mat3_determinant(a);
    if (!(fabs(det) > smallest)) return false;
    st_mat3_transpose(c, c);
    for (int i = 0; i < 9; i++) r[i] = c[i] / det;
    return true;
}

// The usual inverse: the absolute limit on |det| is epsilon, whatever the size of the entries.
static inline bool st_mat3_inverse(st_real r[9], const st_real a[9]) {
    return st_mat3_inverse_above(r, a, ST_REAL_EPSILON);
}

// r = (A + A^T) / 2
static inline void st_mat3_symmetric_part(st_real r[9], const st_real a[9]) {
    st_real t[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) t[3 * i + j] = (a[3 * i + j] + a[3 * j + i]) / 2;
    st_mat3_copy(r, t);
}

// Norms of the linear maps |.|_1 and |.|_inf: the largest sum of absolute values in a column, in a row.
static inline st_real st_mat3_norm_one(const st_real a[9]) {
    st_real norm = 0;
    for (int j = 0; j < 3; j++) norm = st_max(norm, fabs(a[j]) + fabs(a[3 + j]) + fabs(a[6 + j]));
    return norm;
}

static inline st_real st_mat3_norm_infinity(const st_real a[9]) {
    st_real norm = 0;
    for (int i = 0; i < 9; i += 3) norm = st_max(norm, fabs(a[i]) + fabs(a[i + 1]) + fabs(a[i + 2]));
    return norm;
}

#endif
