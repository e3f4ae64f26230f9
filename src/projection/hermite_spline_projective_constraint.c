// HermiteSplineProjectiveConstraint: points that follow a cubic from X0 to X1 with the tangents dX0 and dX1.
//
// With u = (t - BeginTime) / (EndTime - BeginTime) and the warped time
//
//     s = SX0.y (u³ - 2u² + u) + (3u² - 2u³) + SX1.y (u³ - u²),
//
// x = X0 (2s³ - 3s² + 1) + dX0 (s³ - 2s² + s) + X1 (3s² - 2s³) + dX1 (s³ - s²). The velocity is dx/ds, which is per
// unit of s, not of time. Of a rigid only the center moves.
//
// SPDX-License-Identifier: Apache-2.0
#include "math/vec3.h"
#include "projection/window.h"

typedef struct hermite {
    st_window_constraint window;
    st_real x0[3], dx0[3], x1[3], dx1[3];
    st_real s0[2], s1[2];
} hermite;

static const st_field fields[] = {
    ST_FIELD(hermite, x0, "X0", st_type_vec3, NULL, "where it begins"),
    ST_FIELD(hermite, dx0, "dX0", st_type_vec3, NULL, "tangent at the beginning"),
    ST_FIELD(hermite, x1, "X1", st_type_vec3, NULL, "where it ends"),
    ST_FIELD(hermite, dx1, "dX1", st_type_vec3, NULL, "tangent at the end"),
    ST_FIELD(hermite, s0, "SX0", st_type_vec2, NULL, "its second number: slope of the warped time at the beginning"),
    ST_FIELD(hermite, s1, "SX1", st_type_vec2, NULL, "its second number: slope of the warped time at the end"),
    ST_FIELDS_END,
};

static st_status hermite_spline_init(st_object *object) {
    const hermite *self = (hermite *)object;
    const st_real *all[4] = {self->x0, self->dx0, self->x1, self->dx1};
    for (int i = 0; i < 4; i++)
        if (!st_all_finite(all[i], 3))
            return st_invalid(object, "X0, dX0, X1 or dX1 holds a number that is not finite");

    if (!st_all_finite(self->s0, 2) || !st_all_finite(self->s1, 2))
        return st_invalid(object, "SX0 or SX1 holds a number that is not finite");
    return st_window_init(object);
}

static st_real warp(const hermite *self, st_real u) {
    const st_real u2 = u * u, u3 = u2 * u;
    return self->s0[1] * (u3 - 2 * u2 + u) + (-2 * u3 + 3 * u2) + self->s1[1] * (u3 - u2);
}

static void hermite_spline_combine(const hermite *self, const st_real weight[4], st_real r[3]) {
    for (int j = 0; j < 3; j++)
        r[j] = self->x0[j] * weight[0] + self->dx0[j] * weight[1] + self->x1[j] * weight[2] + self->dx1[j] * weight[3];
}

static void hermite_spline_place(const st_window_constraint *window, st_real u, st_real x[3]) {
    const hermite *self = (const hermite *)window;
    const st_real s = warp(self, u), s2 = s * s, s3 = s2 * s;
    hermite_spline_combine(self, (st_real[]){2 * s3 - 3 * s2 + 1, s3 - 2 * s2 + s, -2 * s3 + 3 * s2, s3 - s2}, x);
}

static void hermite_spline_slope(const st_window_constraint *window, st_real u, st_real v[3]) {
    const hermite *self = (const hermite *)window;
    const st_real s = warp(self, u), s2 = s * s;
    hermite_spline_combine(self, (st_real[]){6 * s2 - 6 * s, 3 * s2 - 4 * s + 1, -6 * s2 + 6 * s, 3 * s2 - 2 * s}, v);
}

static void hermite_spline_position(st_projection *base, st_coord_id x) {
    st_window_position(base, x, hermite_spline_place);
}

static void hermite_spline_velocity(st_projection *base, st_deriv_id v) {
    st_window_velocity(base, v, hermite_spline_slope);
}

static const st_projection_ops ops = {
    .response = st_points_response,
    .velocity = hermite_spline_velocity,
    .position = hermite_spline_position,
    .discard = st_points_discard,
    .columns = st_points_columns,
};

const st_class st_hermite_spline_projective_constraint_class = {
    .name = "HermiteSplineProjectiveConstraint",
    .help = "points that follow a cubic",
    .parent = &st_window_class,
    .templates = "Vec3 Rigid3",
    .fields = fields,
    .size = sizeof(hermite),
    .example =
        "<MechanicalObject position=\"0 0 0  1 0 0\"/>\n"
        "<UniformMass totalMass=\"2\"/>\n"
        "<HermiteSplineProjectiveConstraint indices=\"0\" BeginTime=\"0\" EndTime=\"5\" X0=\"0 0 0\" dX0=\"0 10 0\"\n"
        "    X1=\"5 0 0\" dX1=\"0 5 0\" SX0=\"1 0\" SX1=\"0 2\"/>",
    .init = hermite_spline_init,
    .projection = &ops,
};
