// AngularSpringForceField: torques that turn rigids of a chain back in line with their neighbors.
//
//     torque[i] -= k θ,     θ the rotation vector of q[i] q[i-1]⁻¹,   for all listed indices but the first
//
// The neighbor i - 1 feels no reaction. The derivative is -k on the rotations of i, which holds for small angles and a
// neighbor at rest.
//
// SPDX-License-Identifier: Apache-2.0
#include "math/quat.h"
#include "settee/plugin/change.h"
#include "settee/plugin/physics.h"

typedef struct angular_springs {
    st_force base;
    st_uints indices;
    st_reals stiffness, limit;
    bool draw_spring;
    st_real color[4];
} angular_springs;

static const st_field fields[] = {
    ST_FIELD(angular_springs, indices, "indices", st_type_indices, NULL, "the rigids, each tied to the one before it",
             .mesh = ST_INDICES(ST_POINT)),
    ST_FIELD(angular_springs, stiffness, "angularStiffness", st_type_reals, "100", "one per index; else the first one"),
    ST_FIELD(angular_springs, limit, "limit", st_type_reals, NULL, "", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(angular_springs, draw_spring, "drawSpring", st_type_bool, "0", "draw the springs",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(angular_springs, color, "springColor", st_type_color, "0 1 0 1", "color of the springs",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static st_status angular_spring_bwd_init(st_object *object) {
    angular_springs *force = (angular_springs *)object;
    if (!force->base.state) return ST_OK;

    if (!force->stiffness.count) return st_invalid(object, "angularStiffness is empty: there is no force");

    for (size_t i = 0; i < force->indices.count; i++)
        if (force->indices.data[i] >= force->base.state->size)
            return st_invalid(object, "index %u is not below the number of DOFs, %zu: there is no force",
                              force->indices.data[i], force->base.state->size);
    return ST_OK;
}

static bool angular_spring_is_usable(const angular_springs *force) {
    return force->base.state && st_is_valid(&force->base.object);
}

static st_real stiffness_of(const angular_springs *force, size_t i) {
    return force->stiffness.data[i < force->stiffness.count ? i : 0];
}

// The first rigid of a state has none before it.
static bool has_torque(const angular_springs *force, size_t i) {
    return i > 0 && force->indices.data[i] > 0 && force->indices.data[i] < force->base.state->size;
}

// As st_quat_to_rotation_vector, but with the sign of q as it is, and from |u| much nearer to the identity.
static void rotation_vector(st_real theta[3], const st_real q[4]) {
    st_real s, angle;

    // near the identity acos loses its digits
    if (q[3] > ST_R(0.999999)) {
        s = st_vec3_norm(q);
        angle = 2 * asin(st_min(s, 1));
    } else {
        const st_real half = acos(st_clamp(q[3], -1, 1));
        s = sin(half);
        angle = 2 * half;
    }

    if (s < ST_REAL_EPSILON) st_vec3_zero(theta);
    else st_vec3_scale(theta, q, angle / s);
}

static void angular_spring_add_force(st_force *base, const st_params *params) {
    const angular_springs *force = (const angular_springs *)base;
    if (!angular_spring_is_usable(force)) return;

    const st_real *x = st_x(base->state, params);
    for (size_t i = 0; i < force->indices.count; i++) {
        const size_t index = force->indices.data[i];
        st_real inverse[4], dq[4], theta[3], *f = st_f(base->state, params) + 6 * index + 3;
        if (!has_torque(force, i)) continue;

        // θ of q[i] q[i-1]⁻¹
        st_quat_inverse(inverse, x + 7 * (index - 1) + 3);
        st_quat_multiply(dq, x + 7 * index + 3, inverse);
        st_quat_normalize(dq, dq);
        rotation_vector(theta, dq);
        st_vec3_add_scaled(f, f, theta, -stiffness_of(force, i));
    }
}

static void angular_spring_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    const angular_springs *force = (const angular_springs *)base;
    (void)params;
    if (!angular_spring_is_usable(force)) return;

    st_sink *sink = st_stiffness_between(k, base->state, base->state);

    for (size_t i = 0; i < force->indices.count; i++)
        for (size_t j = 3; j < 6 && has_torque(force, i); j++) {
            const size_t at = 6 * (size_t)force->indices.data[i] + j;
            st_add_scalar(sink, at, at, -stiffness_of(force, i));
        }
}

static void angular_spring_product(st_force *base, const st_params *params, st_real k, st_real b) {
    const angular_springs *force = (const angular_springs *)base;
    (void)b;
    if (!angular_spring_is_usable(force)) return;
    for (size_t i = 0; i < force->indices.count; i++)
        for (size_t j = 3; j < 6 && has_torque(force, i); j++) {
            const size_t at = 6 * (size_t)force->indices.data[i] + j;
            st_df(base->state, params)[at] -= st_dx(base->state, params)[at] * stiffness_of(force, i) * k;
        }
}

static const st_force_ops force_ops = {
    .add_force = angular_spring_add_force, .stiffness = angular_spring_stiffness, .product = angular_spring_product};

const st_class st_angular_spring_force_field_class = {
    .name = "AngularSpringForceField",
    .help = "torques that turn rigids of a chain back in line",
    .parent = &st_force_class,
    .templates = "Rigid3",
    .fields = fields,
    .size = sizeof(angular_springs),
    .example =
        "<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  1 0 0 0 0.1 0 0.995  2 0 0 0.1 0 0 0.995\"/>\n"
        "<AngularSpringForceField indices=\"0 1 2\" angularStiffness=\"50\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .bwd_init = angular_spring_bwd_init,
    .force = &force_ops,
};
