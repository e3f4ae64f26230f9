// ParabolicProjectiveConstraint: points that fly along the parabola through P1, P2 and P3.
//
// In the frame at P1 with x towards P3 and y in the plane of the three points, P2 = (x2, y2) and P3 = (x3, 0):
//
//     px = x3 r,   py = y2 px (x3 - px) / (x3 x2 - x2²),   r = (t - BeginTime) / (EndTime - BeginTime).
//
// The velocity is the difference over one step. Of a rigid only the center moves.
//
// SPDX-License-Identifier: Apache-2.0
#include "math/quat.h"
#include "projection/window.h"

typedef struct parabolic {
    st_window_constraint window;
    st_real p1[3], p2[3], p3[3];
    st_real turn[4]; // of the frame
    st_real a, b;    // py = a px² + b px
    st_real x3;
} parabolic;

static const st_field fields[] = {
    ST_FIELD(parabolic, p1, "P1", st_type_vec3, NULL, "where it begins", .flags = ST_FIELD_REINIT),
    ST_FIELD(parabolic, p2, "P2", st_type_vec3, NULL, "a point on the way", .flags = ST_FIELD_REINIT),
    ST_FIELD(parabolic, p3, "P3", st_type_vec3, NULL, "where it ends", .flags = ST_FIELD_REINIT),
    ST_FIELDS_END,
};

static st_status parabolic_init(st_object *object) {
    parabolic *self = (parabolic *)object;
    st_real ax[3], ay[3], az[3], to2[3], local[3];

    if (!st_all_finite(self->p1, 3) || !st_all_finite(self->p2, 3) || !st_all_finite(self->p3, 3))
        return st_invalid(object, "P1, P2 or P3 holds a number that is not finite");

    // the frame at P1: x towards P3, z across the plane of the three points
    st_vec3_sub(ax, self->p3, self->p1);
    st_vec3_sub(to2, self->p2, self->p1);
    st_vec3_cross(az, ax, to2);
    st_vec3_cross(ay, az, ax);
    const st_real length = st_vec3_norm(ax);
    if (!st_vec3_normalize(ax, ax) || !st_vec3_normalize(ay, ay) || !st_vec3_normalize(az, az))
        return st_invalid(object, "P1, P2 and P3 lie on one line: there is no parabola through them");

    // P2 in this frame
    const st_real m[9] = {ax[0], ay[0], az[0], ax[1], ay[1], az[1], ax[2], ay[2], az[2]};
    st_quat_from_matrix(self->turn, m);
    st_quat_inverse_rotate(local, self->turn, to2);

    const st_real x2 = local[0], y2 = local[1], span = length * x2 - x2 * x2;
    if (!(fabs(span) > ST_REAL_EPSILON * length * length))
        return st_invalid(object, "P2 lies above P1 or P3: there is no parabola through them");

    // py = a px² + b px through P1, P2 and P3
    st_real end[3], local3[3];
    st_vec3_sub(end, self->p3, self->p1);
    st_quat_inverse_rotate(local3, self->turn, end);
    self->x3 = local3[0];
    self->a = -y2 / (self->x3 * x2 - x2 * x2);
    self->b = self->x3 * y2 / (self->x3 * x2 - x2 * x2);

    return st_window_init(object);
}

static void local_place(const parabolic *self, st_real r, st_real p[3]) {
    const st_real px = self->x3 * r;
    st_vec3_set(p, px, self->a * px * px + self->b * px, 0);
}

static void parabolic_place(const st_window_constraint *window, st_real r, st_real x[3]) {
    const parabolic *self = (const parabolic *)window;
    st_real local[3];
    local_place(self, r, local);
    st_quat_rotate(x, self->turn, local);
    st_vec3_add(x, self->p1, x);
}

static void parabolic_slope(const st_window_constraint *window, st_real r, st_real v[3]) {
    const parabolic *self = (const parabolic *)window;
    const st_real dt = window->points.base.object.node->dt;
    st_real here[3], next[3];
    local_place(self, r, here);
    local_place(self, r + dt / (window->end - window->begin), next);
    st_vec3_sub(v, next, here);

    if (dt != 0) st_vec3_divide(v, v, dt);
    st_quat_rotate(v, self->turn, v);
}

static void parabolic_position(st_projection *base, st_coord_id x) { st_window_position(base, x, parabolic_place); }

static void parabolic_velocity(st_projection *base, st_deriv_id v) { st_window_velocity(base, v, parabolic_slope); }

static const st_projection_ops ops = {
    .response = st_points_response,
    .velocity = parabolic_velocity,
    .position = parabolic_position,
    .discard = st_points_discard,
    .columns = st_points_columns,
};

const st_class st_parabolic_projective_constraint_class = {
    .name = "ParabolicProjectiveConstraint",
    .help = "points that fly along a parabola",
    .parent = &st_window_class,
    .templates = "Vec3 Rigid3",
    .fields = fields,
    .size = sizeof(parabolic),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<ParabolicProjectiveConstraint indices=\"0\" BeginTime=\"0\" EndTime=\"5\" P1=\"0 0 0\" P2=\"1 1 0\" "
               "P3=\"2 0 0\"/>",
    .init = parabolic_init,
    .projection = &ops,
};
