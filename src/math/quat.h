// Quaternions (x, y, z, w), w the real part; q = (u, w).
//
// Nothing is normalized unless its name says so: a quaternion read from a scene that is not quite a unit one stays
// so, enters every rotation as it is, and scales what it rotates. The product p q rotates by q first, then by p.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MATH_QUAT_H
#define SETTEE_MATH_QUAT_H

#include "math/mat3.h"

static inline void st_quat_set(st_real r[4], st_real x, st_real y, st_real z, st_real w) {
    r[0] = x;
    r[1] = y;
    r[2] = z;
    r[3] = w;
}

static inline void st_quat_identity(st_real r[4]) { st_quat_set(r, 0, 0, 0, 1); }

static inline void st_quat_copy(st_real r[4], const st_real q[4]) { st_quat_set(r, q[0], q[1], q[2], q[3]); }

static inline void st_quat_negate(st_real r[4], const st_real q[4]) { st_quat_set(r, -q[0], -q[1], -q[2], -q[3]); }

static inline st_real st_quat_dot(const st_real a[4], const st_real b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static inline st_real st_quat_norm(const st_real q[4]) { return sqrt(st_quat_dot(q, q)); }

// Hamilton product: w = pw qw - pu·qu, u = pw qu + qw pu + pu × qu.
static inline void st_quat_multiply(st_real r[4], const st_real p[4], const st_real q[4]) {
    const st_real w = p[3] * q[3] - st_vec3_dot(p, q);
    st_real cross[3];
    st_vec3_cross(cross, p, q);
    for (int i = 0; i < 3; i++) cross[i] = p[3] * q[i] + q[3] * p[i] + cross[i];
    st_quat_set(r, cross[0], cross[1], cross[2], w);
}

// a + w t + u × t with t = 2 (u × a)
static inline void st_quat_rotate(st_real r[3], const st_real q[4], const st_real a[3]) {
    st_real t[3], ut[3];
    st_vec3_cross(t, q, a);
    st_vec3_scale(t, t, 2);
    st_vec3_cross(ut, q, t);
    for (int i = 0; i < 3; i++) r[i] = a[i] + q[3] * t[i] + ut[i];
}

static inline void st_quat_inverse_rotate(st_real r[3], const st_real q[4], const st_real a[3]) {
    const st_real conjugate[4] = {-q[0], -q[1], -q[2], q[3]};
    st_quat_rotate(r, conjugate, a);
}

// (-u, w) / |q|: the norm, not its square, so this is the inverse of unit quaternions only. Zero stays zero.
static inline void st_quat_inverse(st_real r[4], const st_real q[4]) {
    const st_real norm = st_quat_norm(q);
    if (norm > 0) st_quat_set(r, -q[0] / norm, -q[1] / norm, -q[2] / norm, q[3] / norm);
    else st_quat_set(r, 0, 0, 0, 0);
}

// Quaternions whose squared norm is within 1e-10 of one are left alone; zero becomes the identity.
static inline void st_quat_normalize(st_real r[4], const st_real q[4]) {
    const st_real square = st_quat_dot(q, q);
    st_quat_copy(r, q);

    if (square == 0) {
        r[3] = 1;
    } else if (fabs(square - 1) > ST_R(1e-10)) {
        const st_real norm = sqrt(square);
        for (int i = 0; i < 4; i++) r[i] /= norm;
    }
}

static inline bool st_quat_near(const st_real a[4], const st_real b[4]) {
    for (int i = 0; i < 4; i++)
        if (!(fabs(a[i] - b[i]) < ST_R(1e-6))) return false;
    return true;
}

static inline void st_quat_to_matrix(st_real r[9], const st_real q[4]) {
    const st_real x = q[0], y = q[1], z = q[2], w = q[3];

    // R = 1 + 2 w [u]× + 2 [u]×² for a unit quaternion (u, w)
    r[0] = 1 - 2 * (y * y + z * z);
    r[1] = 2 * (x * y - z * w);
    r[2] = 2 * (z * x + y * w);
    r[3] = 2 * (x * y + z * w);
    r[4] = 1 - 2 * (z * z + x * x);
    r[5] = 2 * (y * z - x * w);
    r[6] = 2 * (z * x - y * w);
    r[7] = 2 * (y * z + x * w);
    r[8] = 1 - 2 * (y * y + x * x);
}

// The branch of the diagonal entry i when the trace is not positive: q[i] = sqrt(mii - mjj - mkk + 1) / 2.
static inline void st_quat_from_matrix_axis(st_real r[4], const st_real m[9], int i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const st_real s = sqrt(m[4 * i] - m[4 * j] - m[4 * k] + 1);
    const st_real half = ST_R(0.5) / s;

    r[i] = s / 2;
    r[j] = (m[3 * i + j] + m[3 * j + i]) * half;
    r[k] = (m[3 * k + i] + m[3 * i + k]) * half;
    r[3] = (m[3 * k + j] - m[3 * j + k]) * half;
}

static inline void st_quat_from_matrix(st_real r[4], const st_real m[9]) {
    const st_real trace = st_mat3_trace(m);

    // from the largest of w, x, y, z
    if (trace > 0) {
        const st_real s = sqrt(trace + 1);
        const st_real half = ST_R(0.5) / s;
        st_quat_set(r, (m[7] - m[5]) * half, (m[2] - m[6]) * half, (m[3] - m[1]) * half, s / 2);
    } else if (m[4] > m[0] && m[8] <= m[4]) {
        st_quat_from_matrix_axis(r, m, 1);
    } else if ((m[4] <= m[0] && m[8] > m[0]) || m[8] > m[4]) {
        st_quat_from_matrix_axis(r, m, 2);
    } else {
        st_quat_from_matrix_axis(r, m, 0);
    }
}

// Angles about x, y, z in radians, applied in this order: Rz Ry Rx. Not normalized afterwards.
static inline void st_quat_from_euler(st_real r[4], const st_real angles[3]) {
    const st_real c1 = cos(angles[0] / 2), s1 = sin(angles[0] / 2);
    const st_real c2 = cos(angles[1] / 2), s2 = sin(angles[1] / 2);
    const st_real c3 = cos(angles[2] / 2), s3 = sin(angles[2] / 2);

    st_quat_set(r, s1 * c2 * c3 - c1 * s2 * s3, c1 * s2 * c3 + s1 * c2 * s3, c1 * c2 * s3 - s1 * s2 * c3,
                c1 * c2 * c3 + s1 * s2 * s3);
}

// Roll, pitch, yaw: the angles that give the rotation back.
static inline void st_quat_to_euler(st_real angles[3], const st_real q[4]) {
    st_real n[4];
    st_quat_normalize(n, q);
    const st_real x = n[0], y = n[1], z = n[2], w = n[3];
    angles[0] = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
    angles[1] = asin(st_clamp(2 * (w * y - z * x), -1, 1));
    angles[2] = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

// The rotation that takes the unit vector a to the unit vector b; for opposite ones, half a turn about some axis
// perpendicular to a.
static inline void st_quat_from_unit_vectors(st_real r[4], const st_real a[3], const st_real b[3]) {
    st_real real = st_vec3_dot(a, b) + 1;
    st_real axis[3];

    // (a × b, 1 + a·b) = 2 cos(θ/2) (n sin(θ/2), cos(θ/2))
    if (real >= ST_R(1e-4)) {
        st_vec3_cross(axis, a, b);
    } else {
        real = 0;
        if (fabs(a[0]) > fabs(a[2])) st_vec3_set(axis, -a[1], a[0], 0);
        else st_vec3_set(axis, 0, -a[2], a[1]);
    }

    const st_real q[4] = {axis[0], axis[1], axis[2], real};
    st_quat_normalize(r, q);
}

static inline void st_quat_from_axis_angle(st_real r[4], const st_real axis[3], st_real angle) {
    const st_real norm = st_vec3_norm(axis);
    if (norm < ST_REAL_EPSILON) {
        st_quat_identity(r);
        return;
    }

    const st_real s = sin(angle / 2);
    st_quat_set(r, s * axis[0] / norm, s * axis[1] / norm, s * axis[2] / norm, cos(angle / 2));
}

// Angle in [0, π]. Near the identity it is taken from |u|, where acos(w) would lose half of the digits. False, with
// the axis y, when the axis has no direction.
static inline bool st_quat_to_axis_angle(st_real axis[3], st_real *angle, const st_real q[4]) {
    const st_real sign = q[3] < 0 ? -1 : 1;
    const st_real u[3] = {sign * q[0], sign * q[1], sign * q[2]}, w = sign * q[3];
    st_real s;

    // s = sin(angle / 2)
    if (w > ST_R(0.999)) {
        s = st_vec3_norm(u);
        *angle = 2 * asin(s);
    } else {
        *angle = 2 * acos(w);
        s = sin(*angle / 2);
    }

    if (s < ST_REAL_EPSILON) {
        st_vec3_set(axis, 0, 1, 0);
        return false;
    }
    st_vec3_divide(axis, u, s);
    return true;
}

static inline void st_quat_to_rotation_vector(st_real r[3], const st_real q[4]) {
    st_real n[4], axis[3], angle;
    st_quat_normalize(n, q);
    if (st_quat_to_axis_angle(axis, &angle, n)) st_vec3_scale(r, axis, angle);
    else st_vec3_zero(r);
}

// b⁻¹ a along the shorter way: a is negated when a·b < 0.
static inline void st_quat_difference(st_real r[4], const st_real a[4], const st_real b[4]) {
    st_real near_a[4], inverse[4];
    if (st_quat_dot(a, b) < 0) st_quat_negate(near_a, a);
    else st_quat_copy(near_a, a);
    st_quat_inverse(inverse, b);
    st_quat_multiply(r, inverse, near_a);
}

// From a (t = 0) to b (t = 1) along the shorter arc; almost equal ones are interpolated linearly. Not normalized.
static inline void st_quat_slerp(st_real r[4], const st_real a[4], const st_real b[4], st_real t) {
    const st_real cosine = st_quat_dot(a, b);
    st_real weight_a = 1 - t, weight_b = t;

    // sin((1 - t) θ) / sin θ and sin(t θ) / sin θ
    if (1 - fabs(cosine) >= ST_R(0.01)) {
        const st_real angle = acos(fabs(cosine)), sine = sin(angle);
        weight_a = sin((1 - t) * angle) / sine;
        weight_b = sin(t * angle) / sine;
    }

    // q and -q are the same rotation: the nearer of the two
    if (cosine < 0) weight_a = -weight_a;
    for (int i = 0; i < 4; i++) r[i] = a[i] * weight_a + b[i] * weight_b;
}

#endif
