// One beam as a curve. See beam_curve.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "beam/beam_curve.h"

st_beam_curve st_beam_curve_make(const st_beam_frame *f0, const st_beam_frame *f1, st_real length) {
    st_beam_curve c = {.length = length};
    const st_real forth[3] = {1, 0, 0}, back[3] = {-1, 0, 0};
    st_real x[3];

    st_quat_copy(c.q[0], f0->q);
    st_quat_copy(c.q[1], f1->q);

    st_beam_frame_origin(c.p[0], f0);
    st_beam_frame_origin(c.p[3], f1);
    st_quat_rotate(x, f0->q, forth);
    st_vec3_add_scaled(c.p[1], c.p[0], x, length / 3);
    st_quat_rotate(x, f1->q, back);
    st_vec3_add_scaled(c.p[2], c.p[3], x, length / 3);
    return c;
}

static void combine(const st_beam_curve *c, const st_real weight[4], st_real r[3]) {
    for (int i = 0; i < 3; i++)
        r[i] = c->p[0][i] * weight[0] + c->p[1][i] * weight[1] + c->p[2][i] * weight[2] + c->p[3][i] * weight[3];
}

void st_beam_curve_point(const st_beam_curve *c, st_real s, st_real point[3]) {
    const st_real r = 1 - s;
    combine(c, (const st_real[4]){r * r * r, 3 * s * r * r, 3 * s * s * r, s * s * s}, point);
}

void st_beam_curve_derivative(const st_beam_curve *c, st_real s, st_real d[3]) {
    const st_real r = 1 - s;
    combine(c, (const st_real[4]){-3 * r * r, 3 - 12 * s + 9 * s * s, 6 * s - 9 * s * s, 3 * s * s}, d);
}

st_real st_beam_curve_length(const st_beam_curve *c) {
    // points 1/2 -+ 1/2 sqrt((3 -+ A) / 7) with A = 2 sqrt(6/5), weights (18 +- sqrt(30)) / 72
    const st_real a = 2 * sqrt(ST_R(6) / 5);
    const st_real place[2] = {sqrt((3 - a) / 7) / 2, sqrt((3 + a) / 7) / 2};
    const st_real weight[2] = {(18 + sqrt(ST_R(30))) / 72, (18 - sqrt(ST_R(30))) / 72};
    st_real length = 0, d[3];

    for (int k = 0; k < 2; k++) {
        st_beam_curve_derivative(c, ST_R(0.5) - place[k], d);
        length += weight[k] * st_vec3_norm(d);
        st_beam_curve_derivative(c, ST_R(0.5) + place[k], d);
        length += weight[k] * st_vec3_norm(d);
    }
    return length;
}

// The orientation q, turned by the shortest way so that its x axis is the unit vector x.
static void align(st_real r[4], const st_real q[4], const st_real x[3]) {
    st_real y[3];

    st_quat_inverse_rotate(y, q, x);
    if (y[0] > ST_R(0.9999999999)) {
        st_quat_copy(r, q);
        return;
    }

    // about (1,0,0) x y, by the angle whose cosine is y_x; of a quaternion that is no unit one y_x may pass -1
    const st_real s = sqrt((1 - y[0]) / 2), c = sqrt(st_max((1 + y[0]) / 2, 0));
    st_real axis[3] = {0, -y[2], y[1]};
    st_vec3_normalize(axis, axis);
    st_quat_multiply(r, q, (const st_real[4]){0, axis[1] * s, axis[2] * s, c});
}

st_beam_frame st_beam_curve_frame(const st_beam_curve *c, st_real s) {
    st_real point[3], x[3], q[4], q0[4], q1[4], first[3], second[3];
    st_vec3_sub(first, c->p[1], c->p[0]);
    st_vec3_sub(second, c->p[2], c->p[1]);

    // strongly compressed: the curve has turned over, the chord serves
    if (st_vec3_dot(first, second) < 0 && st_vec3_distance(c->p[3], c->p[0]) < ST_R(0.4) * c->length) {
        for (int i = 0; i < 3; i++) point[i] = c->p[0][i] * (1 - s) + c->p[3][i] * s;
        return st_beam_frame_make(point, c->q[0]);
    }

    st_beam_curve_point(c, s, point);
    st_beam_curve_derivative(c, s, x);
    st_vec3_normalize(x, x);

    // both ends brought to the tangent, then the twist between them; SOFA's parameter is of single precision there
    align(q0, c->q[0], x);
    align(q1, c->q[1], x);
    st_quat_slerp(q, q0, q1, (st_real)(float)s);
    const st_real square = st_quat_dot(q, q);
    if (fabs(square - 1) > ST_R(1e-10) && square > 0)
        for (int i = 0; i < 4; i++) q[i] *= 1 / sqrt(square);

    // mixing has left the tangent by a little
    align(q0, q, x);
    return st_beam_frame_make(point, q0);
}
