// SlidingLagrangianConstraint: a point P of object1 slides along the segment from A to B of object2.
//
// With a = (B − A)/|B − A|, r = (P − A)·a, β = r/|B − A| cut to [0, 1], u the direction from the axis to P (or any
// direction normal to it) and w = u × a, its rows are
//
//     u, w    (P − (β B + (1 − β) A)) · u, w  = 0       P may not leave the axis
//     a       (P − A) · a ≥ 0                           nor pass A
//     −a      (B − P) · a ≥ 0                           nor pass B
//
// When A and B are one point, P is tied to it. For rigids the centers are meant.
//
// SPDX-License-Identifier: Apache-2.0
#include "law/law.h"
#include "settee/plugin/change.h"

typedef struct sliding {
    st_law law;
    int32_t point, axis_1, axis_2;
    st_real force[3];
    // of the last build
    bool degenerate;
    st_real fraction;
    st_real direction[3][3]; // u, w, a
} sliding;

static const st_field fields[] = {
    ST_FIELD(sliding, point, "sliding_point", st_type_int, "0", "DOF of object1 that slides", .mesh = ST_ROWS_OF_FIRST),
    ST_FIELD(sliding, axis_1, "axis_1", st_type_int, "0", "DOF of object2 at the beginning of the axis",
             .mesh = ST_ROWS_OF_SECOND),
    ST_FIELD(sliding, axis_2, "axis_2", st_type_int, "0", "DOF of object2 at its end", .mesh = ST_ROWS_OF_SECOND),
    ST_FIELD(sliding, force, "force", st_type_vec3, NULL, "multiplier that acts on the sliding point",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

static bool sliding_is_there(const sliding *self) {
    const size_t n = self->law.state->size, m = self->law.other->size;
    return self->point >= 0 && (size_t)self->point < n && self->axis_1 >= 0 && (size_t)self->axis_1 < m &&
           self->axis_2 >= 0 && (size_t)self->axis_2 < m;
}

// A unit vector normal to a.
static void any_normal(st_real u[3], const st_real a[3]) {
    const st_real x[3] = {1, 0, 0}, diagonal[3] = {1, 1, 0};

    st_vec3_cross(u, x, a);
    if (st_vec3_norm(u) < ST_REAL_EPSILON) st_vec3_cross(u, diagonal, a);
    st_vec3_scale(u, u, 1 / st_vec3_norm(u));
}

static void find_directions(sliding *self) {
    const st_real *p = st_law_now(self->law.state, (size_t)self->point);
    const st_real *a = st_law_now(self->law.other, (size_t)self->axis_1);
    const st_real *b = st_law_now(self->law.other, (size_t)self->axis_2);
    st_real *u = self->direction[0], *w = self->direction[1], *axis = self->direction[2], from_a[3];

    // the axis a from A to B
    st_vec3_sub(axis, b, a);
    const st_real length = st_vec3_norm(axis);
    self->degenerate = !(length >= ST_REAL_EPSILON);
    if (self->degenerate) return;

    st_vec3_scale(axis, axis, 1 / length);

    // how far along it P is
    st_vec3_sub(from_a, p, a);
    const st_real r = st_vec3_dot(from_a, axis);
    self->fraction = st_clamp(r / length, 0, 1);

    // u points from the axis to P
    for (int k = 0; k < 3; k++) u[k] = p[k] - (a[k] + axis[k] * r);
    const st_real distance = st_vec3_norm(u);
    if (distance < ST_REAL_EPSILON) any_normal(u, axis);
    else st_vec3_scale(u, u, 1 / distance);

    // Close to the axis that direction is rounding, which may point anywhere: what lies along the axis is taken out.
    st_vec3_cross(w, u, axis);
    if (!(st_vec3_norm(w) > ST_R(0.5))) {
        any_normal(u, axis);
        st_vec3_cross(w, u, axis);
    }

    st_vec3_scale(w, w, 1 / st_vec3_norm(w));
    st_vec3_cross(u, axis, w);
}

static size_t sliding_build(st_law *law, size_t first) {
    sliding *self = (sliding *)law;
    const size_t p = (size_t)self->point, a = (size_t)self->axis_1, b = (size_t)self->axis_2;
    if (self->point == -1 || self->axis_1 == -1 || self->axis_2 == -1) return 0; // it has left the mesh
    if (!sliding_is_there(self)) {
        st_message_once(&law->object, "index", ST_ERROR,
                        "sliding_point %d of %zu, axis_1 %d, axis_2 %d of %zu: one does not exist, it has no effect",
                        (int)self->point, law->state->size, (int)self->axis_1, (int)self->axis_2, law->other->size);
        return 0;
    }

    find_directions(self);

    // A and B are one point: P is tied to it
    if (self->degenerate) {
        for (size_t k = 0; k < 3; k++) {
            st_law_add_axis(law->state, first + k, p, k, 1);
            st_law_add_axis(law->other, first + k, a, k, -1);
        }
        return 3;
    }

    // u and w: P stays on the axis
    for (size_t k = 0; k < 2; k++) {
        st_law_add_direction(law->state, first + k, p, self->direction[k], 1);
        st_law_add_direction(law->other, first + k, a, self->direction[k], -(1 - self->fraction));
        st_law_add_direction(law->other, first + k, b, self->direction[k], -self->fraction);
    }

    // a: it passes neither A nor B
    st_law_add_direction(law->state, first + 2, p, self->direction[2], 1);
    st_law_add_direction(law->other, first + 2, a, self->direction[2], -1);
    st_law_add_direction(law->state, first + 3, p, self->direction[2], -1);
    st_law_add_direction(law->other, first + 3, b, self->direction[2], 1);
    return 4;
}

static void sliding_violation(st_law *law, const st_constraint_params *params, st_real *d) {
    const sliding *self = (sliding *)law;
    if (!sliding_is_there(self)) return;

    const st_real *p = st_law_x(law->state, params, (size_t)self->point);
    const st_real *a = st_law_x(law->other, params, (size_t)self->axis_1);
    const st_real *b = st_law_x(law->other, params, (size_t)self->axis_2);
    st_real off[3], from_a[3], from_b[3];

    st_vec3_sub(from_a, p, a);
    st_vec3_sub(from_b, p, b);
    if (self->degenerate) {
        st_copy_reals(d, from_a, 3);
        return;
    }

    // the distance from the axis along u and w, then those from the ends along the axis
    for (int k = 0; k < 3; k++) off[k] = p[k] - (b[k] * self->fraction + a[k] * (1 - self->fraction));
    d[0] = st_vec3_dot(off, self->direction[0]);
    d[1] = st_vec3_dot(off, self->direction[1]);
    d[2] = st_vec3_dot(from_a, self->direction[2]);
    d[3] = -st_vec3_dot(from_b, self->direction[2]);
}

static void sliding_resolutions(st_law *law, st_resolutions *to) {
    const sliding *self = (sliding *)law;
    if (!sliding_is_there(self)) return;
    for (int k = 0; k < (self->degenerate ? 3 : 2); k++) st_add_equality(to, 1);
    for (int k = 0; k < 2 && !self->degenerate; k++) st_add_unilateral(to);
}

static void sliding_store(st_law *law, const st_real *f) {
    sliding *self = (sliding *)law;
    for (int k = 0; k < 3; k++)
        self->force[k] = self->degenerate ? f[k]
                                          : f[0] * self->direction[0][k] + f[1] * self->direction[1][k] +
                                                (f[2] - f[3]) * self->direction[2][k];
    st_touch(&law->object, self->force);
}

static const st_law_ops ops = {
    .build = sliding_build, .violation = sliding_violation, .resolutions = sliding_resolutions, .store = sliding_store};

const st_class st_sliding_lagrangian_constraint_class = {
    .name = "SlidingLagrangianConstraint",
    .help = "lets a point slide along a segment between two points of another object",
    .parent = &st_pair_law_class,
    .templates = "Rigid3 Vec3",
    .fields = fields,
    .size = sizeof(sliding),
    .example = "<MechanicalObject position='0 0 0  1 0 0  0.5 0 0'/><UniformMass totalMass='3'/>"
               "<UncoupledConstraintCorrection defaultCompliance='1'/>"
               "<SlidingLagrangianConstraint sliding_point='2' axis_1='0' axis_2='1'/>",
    .law = &ops,
};
