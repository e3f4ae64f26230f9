// TorsionForceField: forces around an axis, in proportion to the distance from it.
//
//     f_i = τ u × (p_i - o - (p_i.u) u)        u the unit axis;  of a rigid: on its center, and the torque τ u
//
// The derivative is τ [u]×.
//
// SPDX-License-Identifier: Apache-2.0
#include "math/mat3.h"
#include "settee/plugin/change.h"
#include "settee/plugin/physics.h"

typedef struct torsion_force {
    st_force base;
    st_uints indices;
    st_real torque, axis[3], origin[3];
    st_real u[3];
} torsion_force;

static const st_field fields[] = {
    ST_FIELD(torsion_force, indices, "indices", st_type_indices, NULL, "where the torque acts",
             .flags = ST_FIELD_TRACKED, .mesh = ST_INDICES(ST_POINT)),
    ST_FIELD(torsion_force, torque, "torque", st_type_real, "0", "force per distance from the axis"),
    ST_FIELD(torsion_force, axis, "axis", st_type_vec3, "0 0 0", "direction of the axis", .flags = ST_FIELD_TRACKED),
    ST_FIELD(torsion_force, origin, "origin", st_type_vec3, "0 0 0", "a point of the axis"),
    ST_FIELDS_END,
};

static void use_axis(torsion_force *force) {
    if (!st_vec3_normalize(force->u, force->axis))
        st_message(&force->base.object, ST_WARNING, "axis has no direction: there is no force");

    size_t missing = 0;
    for (size_t i = 0; i < force->indices.count; i++) missing += force->indices.data[i] >= force->base.state->size;
    if (missing)
        st_message(&force->base.object, ST_WARNING,
                   "%zu indices are not below the number of DOFs, %zu: they are left out", missing,
                   force->base.state->size);
}

static st_status torsion_init(st_object *object) {
    const st_status status = st_force_class.init(object);
    if (status == ST_OK) use_axis((torsion_force *)object);
    return status;
}

static void torsion_changed(st_object *object) {
    if (((torsion_force *)object)->base.state) use_axis((torsion_force *)object);
}

static void torsion_add_force(st_force *base, const st_params *params) {
    const torsion_force *force = (const torsion_force *)base;
    if (!base->state) return;

    const st_dof *dof = st_state_dof(base->state);
    st_real moment[3];
    st_vec3_scale(moment, force->u, force->torque);

    for (size_t i = 0; i < force->indices.count; i++) {
        const size_t index = force->indices.data[i];
        if (index >= base->state->size) continue;
        const st_real *p = st_x(base->state, params) + index * dof->coord;
        st_real *f = st_f(base->state, params) + index * dof->deriv, arm[3], push[3];

        // τ u × (p - o - (p.u) u)
        st_vec3_sub(arm, p, force->origin);
        st_vec3_add_scaled(arm, arm, force->u, -st_vec3_dot(p, force->u));
        st_vec3_cross(push, moment, arm);
        st_vec3_add(f, f, push);

        if (dof->rigid) st_vec3_add(f + 3, f + 3, moment);
    }
}

// τ [u]×
static void tangent(const torsion_force *force, st_real block[9]) {
    st_mat3_cross(block, force->u);
    st_mat3_scale(block, block, force->torque);
}

static void torsion_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    const torsion_force *force = (const torsion_force *)base;
    (void)params;
    if (!base->state) return;

    const size_t deriv = st_state_dof(base->state)->deriv;
    st_sink *sink = st_stiffness_between(k, base->state, base->state);
    st_real block[9];

    tangent(force, block);
    for (size_t i = 0; i < force->indices.count; i++) {
        const size_t row = force->indices.data[i] * deriv;
        if (force->indices.data[i] < base->state->size) st_add_3x3(sink, row, row, block);
    }
}

static void torsion_product(st_force *base, const st_params *params, st_real k, st_real b) {
    const torsion_force *force = (const torsion_force *)base;
    (void)b;
    if (!base->state) return;

    const size_t deriv = st_state_dof(base->state)->deriv;
    st_real block[9];

    tangent(force, block);
    for (size_t i = 0; i < force->indices.count; i++) {
        const size_t at = force->indices.data[i] * deriv;
        st_real d[3], *df = st_df(base->state, params) + at;
        if (force->indices.data[i] >= base->state->size) continue;

        st_mat3_times_vec(d, block, st_dx(base->state, params) + at);
        st_vec3_add_scaled(df, df, d, k);
    }
}

static const st_force_ops force_ops = {
    .add_force = torsion_add_force, .stiffness = torsion_stiffness, .product = torsion_product};

const st_class st_torsion_force_field_class = {
    .name = "TorsionForceField",
    .help = "forces around an axis",
    .parent = &st_force_class,
    .templates = "Vec3 Rigid3",
    .fields = fields,
    .size = sizeof(torsion_force),
    .example = "<MechanicalObject position=\"1 0 0  0 2 0  1 1 1\"/>\n"
               "<TorsionForceField indices=\"0 1 2\" torque=\"3\" axis=\"0 1 2\" origin=\"0.1 0 0\"/>",
    .init = torsion_init,
    .changed = torsion_changed,
    .force = &force_ops,
};
