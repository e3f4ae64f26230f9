// Vectors of three reals.
//
// One convention for the whole of math/: a vector is a pointer to its reals, the result is the first argument, and
// the result may be one of the operands. Sums run from left to right (x, y, z); this order is part of the results.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MATH_VEC3_H
#define SETTEE_MATH_VEC3_H

#include "math/real.h"

static inline void st_vec3_set(st_real r[3], st_real x, st_real y, st_real z) {
    r[0] = x;
    r[1] = y;
    r[2] = z;
}

static inline void st_vec3_zero(st_real r[3]) { st_vec3_set(r, 0, 0, 0); }

static inline void st_vec3_copy(st_real r[3], const st_real a[3]) { st_vec3_set(r, a[0], a[1], a[2]); }

static inline void st_vec3_add(st_real r[3], const st_real a[3], const st_real b[3]) {
    st_vec3_set(r, a[0] + b[0], a[1] + b[1], a[2] + b[2]);
}

static inline void st_vec3_sub(st_real r[3], const st_real a[3], const st_real b[3]) {
    st_vec3_set(r, a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

static inline void st_vec3_negate(st_real r[3], const st_real a[3]) { st_vec3_set(r, -a[0], -a[1], -a[2]); }

static inline void st_vec3_scale(st_real r[3], const st_real a[3], st_real k) {
    st_vec3_set(r, a[0] * k, a[1] * k, a[2] * k);
}

static inline void st_vec3_divide(st_real r[3], const st_real a[3], st_real k) {
    st_vec3_set(r, a[0] / k, a[1] / k, a[2] / k);
}

// r = a + b k
static inline void st_vec3_add_scaled(st_real r[3], const st_real a[3], const st_real b[3], st_real k) {
    st_vec3_set(r, a[0] + b[0] * k, a[1] + b[1] * k, a[2] + b[2] * k);
}

static inline st_real st_vec3_dot(const st_real a[3], const st_real b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void st_vec3_cross(st_real r[3], const st_real a[3], const st_real b[3]) {
    st_vec3_set(r, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

static inline st_real st_vec3_norm2(const st_real a[3]) { return st_vec3_dot(a, a); }

static inline st_real st_vec3_norm(const st_real a[3]) { return sqrt(st_vec3_dot(a, a)); }

static inline st_real st_vec3_distance(const st_real a[3], const st_real b[3]) {
    st_real d[3];
    st_vec3_sub(d, a, b);
    return st_vec3_norm(d);
}

// r = a / |a|; a vector not longer than epsilon is copied as it is, and the answer is false.
static inline bool st_vec3_normalize(st_real r[3], const st_real a[3]) {
    const st_real norm = st_vec3_norm(a);
    const bool long_enough = norm > ST_REAL_EPSILON;
    st_vec3_divide(r, a, long_enough ? norm : 1);
    return long_enough;
}

#endif
