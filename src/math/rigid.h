// Rigid frames: what a degree of freedom of type Rigid3 or Rigid2 does.
//
// Rigid3: a coordinate is (center, quaternion), 7 reals; a derivative is (linear, angular), 6 reals, both along the
// world's axes; a force is (force, torque) at the center. Adding a derivative turns by the exponential of its angular
// part, on the left: q <- exp(omega) q. Results are never renormalized.
// Rigid2: (x, y, theta) and (vx, vy, omega), plain sums.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MATH_RIGID_H
#define SETTEE_MATH_RIGID_H

#include "math/quat.h"

static inline void st_rigid_set(st_real r[7], const st_real center[3], const st_real orientation[4]) {
    const st_real c[3] = {center[0], center[1], center[2]};
    st_quat_copy(r + 3, orientation);
    st_vec3_copy(r, c);
}

static inline void st_rigid_identity(st_real r[7]) {
    st_vec3_zero(r);
    st_quat_identity(r + 3);
}

// exp(omega): with half = omega / 2 and theta = |half|, (half sin(theta) / theta, cos(theta)).
static inline void st_rigid_exponential(st_real r[4], const st_real omega[3]) {
    st_real half[3];
    st_vec3_divide(half, omega, 2);
    const st_real theta = st_vec3_norm(half);

    // sin(θ)/θ = 1
    if (theta < ST_REAL_EPSILON) {
        st_quat_set(r, half[0], half[1], half[2], 1);
        st_quat_normalize(r, r);
        return;
    }

    const st_real s = sin(theta);
    st_quat_set(r, half[0] * s / theta, half[1] * s / theta, half[2] * s / theta, cos(theta));
}

static inline void st_rigid_add_deriv(st_real r[7], const st_real c[7], const st_real d[6]) {
    st_real e[4];
    st_rigid_exponential(e, d + 3);
    st_vec3_add(r, c, d);
    st_quat_multiply(r + 3, e, c + 3);
}

// The derivative that leads from b to a: center difference, and the rotation vector of q_a q_b^-1.
static inline void st_rigid_difference(st_real d[6], const st_real a[7], const st_real b[7]) {
    st_real inverse[4], q[4], axis[3], angle;
    st_quat_inverse(inverse, b + 3);
    st_quat_multiply(q, a + 3, inverse);
    st_quat_normalize(q, q);
    st_quat_to_axis_angle(axis, &angle, q);
    st_vec3_sub(d, a, b);
    st_vec3_scale(d + 3, axis, angle);
}

// a - b of two coordinates as SOFA defines it: the orientation is q_b^-1 q_a.

static inline void st_rigid_subtract(st_real r[7], const st_real a[7], const st_real b[7]) {
    st_real inverse[4];
    st_quat_inverse(inverse, b + 3);
    st_vec3_sub(r, a, b);
    st_quat_multiply(r + 3, inverse, a + 3);
}

// The frame b, given in the frame a, in the world: c_a + q_a c_b, q_a q_b.
static inline void st_rigid_multiply(st_real r[7], const st_real a[7], const st_real b[7]) {
    st_real center[3], q[4];
    st_quat_rotate(center, a + 3, b);
    st_vec3_add(center, a, center);
    st_quat_multiply(q, a + 3, b + 3);
    st_rigid_set(r, center, q);
}

// The frame b of the world, in the frame a: the inverse of st_rigid_multiply.
static inline void st_rigid_inverse_multiply(st_real r[7], const st_real a[7], const st_real b[7]) {
    st_real offset[3], inverse[4], q[4];
    st_vec3_sub(offset, b, a);
    st_quat_inverse_rotate(offset, a + 3, offset);
    st_quat_inverse(inverse, a + 3);
    st_quat_multiply(q, inverse, b + 3);
    st_rigid_set(r, offset, q);
}

// A point of the world in the frame.

static inline void st_rigid_inverse_apply(st_real r[3], const st_real frame[7], const st_real world[3]) {
    st_real offset[3];
    st_vec3_sub(offset, world, frame);
    st_quat_inverse_rotate(r, frame + 3, offset);
}

// Velocity of the point at the world offset p from the center: v + omega x p.
static inline void st_rigid_velocity_at(st_real r[3], const st_real d[6], const st_real p[3]) {
    st_real turned[3];
    st_vec3_cross(turned, d + 3, p);
    st_vec3_add(r, d, turned);
}

// A force at the world offset p from the center: force += f, torque += p x f (the transpose of the velocity).
static inline void st_rigid_add_force_at(st_real wrench[6], const st_real f[3], const st_real p[3]) {
    st_real torque[3];
    st_vec3_cross(torque, p, f);
    st_vec3_add(wrench, wrench, f);
    st_vec3_add(wrench + 3, wrench + 3, torque);
}

// The norm of a coordinate leaves out the real part of the quaternion.
static inline st_real st_rigid_coord_norm2(const st_real a[7]) {
    st_real sum = 0;
    for (int i = 0; i < 6; i++) sum += a[i] * a[i];
    return sum;
}

static inline void st_rigid2_rotate(st_real r[2], st_real theta, const st_real a[2]) {
    const st_real c = cos(theta), s = sin(theta);
    const st_real x = c * a[0] - s * a[1], y = s * a[0] + c * a[1];
    r[0] = x;
    r[1] = y;
}

// The angle is wrapped by C's fmod, which keeps the sign: differences below -pi are not brought up.
static inline void st_rigid2_difference(st_real d[3], const st_real a[3], const st_real b[3]) {
    st_vec3_sub(d, a, b);
    d[2] = fmod(d[2] + ST_PI, 2 * ST_PI) - ST_PI;
}

#endif
