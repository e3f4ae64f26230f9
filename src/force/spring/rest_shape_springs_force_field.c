// RestShapeSpringsForceField: springs of length zero from points to their rest positions, or to positions of another
// state (which feels nothing).
//
//     f = -k (x - target);      of a rigid also:  torque = -k_a θ,   θ the rotation vector of q q_target⁻¹
//
// Directions can be switched off one by one. The derivative is -k and -k_a on the diagonal: exact for vectors, for
// rotations as long as they are small.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/spring/rest_targets.h"
#include "math/quat.h"
#include "settee/plugin/change.h"
#include "state/dof.h"

typedef struct rest_springs {
    st_force base;
    st_rest_targets targets;
    st_reals stiffness, angular;
    st_uints pivots;
    st_bools active; // by coordinate
    st_object *topology;
    bool draw_spring;
    st_real color[4];
} rest_springs;

static const st_field fields[] = {
    ST_FIELD(rest_springs, targets.points, "points", st_type_indices, NULL, "the points; all when not given",
             .mesh = ST_ROWS_OF_FIRST),
    ST_FIELD(rest_springs, stiffness, "stiffness", st_type_reals, "100", "one per point; else the first one",
             .mesh = ST_ROWS),
    ST_FIELD(rest_springs, angular, "angularStiffness", st_type_reals, NULL,
             "of rigids: one per stiffness, 100 when not given", .mesh = ST_ROWS),
    ST_FIELD(rest_springs, pivots, "pivot_points", st_type_indices, NULL, "", .flags = ST_FIELD_NO_EFFECT,
             .mesh = ST_NO_INDEX),
    ST_FIELD(rest_springs, targets.external, "external_rest_shape", st_type_link, NULL,
             "another state whose positions are the targets", .role = ST_ROLE(state)),
    ST_FIELD(rest_springs, targets.external_points, "external_points", st_type_indices, NULL,
             "its points; all when not given", .mesh = ST_ROWS_OF_SECOND),
    ST_FIELD(rest_springs, targets.recompute, "recompute_indices", st_type_bool, "1",
             "the lists of points are made again at each evaluation"),
    ST_FIELD(rest_springs, active, "activeDirections", st_type_bools, "1 1 1 1 1 1 1",
             "directions in which springs act"),
    ST_FIELD(rest_springs, topology, "topology", st_type_link, NULL, "the mesh whose changes the points follow",
             .role = ST_ROLE(topology)),
    ST_FIELD(rest_springs, draw_spring, "drawSpring", st_type_bool, "0", "draw the springs", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(rest_springs, color, "springColor", st_type_color, "0 1 0 1", "color of the springs",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static bool complete_angular(rest_springs *force) {
    const size_t had = force->angular.count, wanted = force->stiffness.count;
    if (!st_resize_member(&force->base.object, &force->angular, wanted)) return false;
    for (size_t i = had; i < wanted; i++) force->angular.data[i] = 100;
    return true;
}

static st_status rest_shape_springs_bwd_init(st_object *object) {
    rest_springs *force = (rest_springs *)object;
    if (!force->base.state) return ST_OK;

    // at least one stiffness, for rigids as many angular ones
    if (!force->stiffness.count && !st_became_empty(object, &force->stiffness)) {
        if (!st_resize_member(object, &force->stiffness, 1)) return ST_OUT_OF_MEMORY;
        force->stiffness.data[0] = 100;
        st_message(object, ST_WARNING, "stiffness is empty: 100 is used");
    }

    if (object->dof->rigid && !complete_angular(force)) return ST_OUT_OF_MEMORY;
    st_rest_targets_update(&force->targets, &force->base);
    return ST_OK;
}

static st_real rest_shape_springs_entry(const st_reals *list, size_t i) {
    return i < list->count ? list->data[i] : list->data[0];
}

static bool rest_shape_springs_is_active(const rest_springs *force, size_t j) {
    return j >= force->active.count || force->active.data[j];
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

// Rotation vector from the target to the body.
static void rest_shape_springs_turned(const st_real q[4], const st_real target[4], st_real theta[3]) {
    st_real inverse[4], dq[4], angle;

    st_quat_inverse(inverse, target);
    st_quat_multiply(dq, q, inverse);
    st_quat_normalize(dq, dq);

    // the shorter way round
    if (dq[3] < 0) st_quat_negate(dq, dq);
    st_vec3_zero(theta);
    if (!(dq[3] < 1)) return;

    st_quat_to_axis_angle(theta, &angle, dq);
    st_vec3_scale(theta, theta, angle);
}

static void rest_shape_springs_add_force(st_force *base, const st_params *params) {
    rest_springs *force = (rest_springs *)base;
    if (!base->state) return;
    const st_dof *dof = st_state_dof(base->state);
    const size_t linear = st_position_scalars(dof);

    if (force->targets.recompute) st_rest_targets_update(&force->targets, base);

    for (size_t i = 0; i < force->targets.from.count; i++) {
        const size_t point = force->targets.from.data[i];
        const st_real *x = st_x(base->state, params) + point * dof->coord;
        const st_real *target = st_rest_target(&force->targets, base, i),
                      k = rest_shape_springs_entry(&force->stiffness, i);
        st_real *f = st_f(base->state, params) + point * dof->deriv, theta[3];

        // f = -k (x - target)
        for (size_t j = 0; j < linear; j++)
            if (rest_shape_springs_is_active(force, j)) f[j] -= (x[j] - target[j]) * k;

        // torque = -k_a θ
        if (!dof->rigid) continue;
        rest_shape_springs_turned(x + 3, target + 3, theta);
        for (int j = 0; j < 3; j++)
            if (rest_shape_springs_is_active(force, 3 + (size_t)j))
                f[3 + j] -= theta[j] * rest_shape_springs_entry(&force->angular, i);
    }
}

// ---------------------------------------------------------------------------------------------------
// Derivative
// ---------------------------------------------------------------------------------------------------

static void rest_shape_springs_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    const rest_springs *force = (const rest_springs *)base;
    (void)params;
    if (!base->state) return;

    const st_dof *dof = st_state_dof(base->state);
    const size_t linear = st_position_scalars(dof), deriv = dof->deriv;
    st_sink *sink = st_stiffness_between(k, base->state, base->state);

    for (size_t i = 0; i < force->targets.from.count; i++) {
        const size_t point = force->targets.from.data[i];

        // -k, or -k_a, on the diagonal
        for (size_t j = 0; j < deriv; j++) {
            const size_t at = point * deriv + j;
            if (rest_shape_springs_is_active(force, j))
                st_add_scalar(sink, at, at,
                              -rest_shape_springs_entry(j < linear ? &force->stiffness : &force->angular, i));
        }
    }
}

static void rest_shape_springs_product(st_force *base, const st_params *params, st_real k, st_real b) {
    const rest_springs *force = (const rest_springs *)base;
    (void)b;
    if (!base->state) return;

    const st_dof *dof = st_state_dof(base->state);
    const size_t linear = st_position_scalars(dof), deriv = dof->deriv;
    const st_real *dx = st_dx(base->state, params);
    st_real *df = st_df(base->state, params);

    for (size_t i = 0; i < force->targets.from.count; i++) {
        const size_t at = force->targets.from.data[i] * deriv;

        // df -= k dx, or k_a dx
        for (size_t j = 0; j < deriv; j++)
            if (rest_shape_springs_is_active(force, j))
                df[at + j] -= dx[at + j] *
                              (j < linear ? rest_shape_springs_entry(&force->stiffness, i)
                                          : rest_shape_springs_entry(&force->angular, i)) *
                              k;
    }
}

static void rest_shape_springs_destroy(st_object *object) { st_rest_targets_free(&((rest_springs *)object)->targets); }

static const st_force_ops force_ops = {.add_force = rest_shape_springs_add_force,
                                       .stiffness = rest_shape_springs_stiffness,
                                       .product = rest_shape_springs_product};

const st_class st_rest_shape_springs_force_field_class = {
    .name = "RestShapeSpringsForceField",
    .help = "springs from points to their rest positions, or to those of another state",
    .parent = &st_force_class,
    .templates = "Vec1 Vec3 Rigid3",
    .fields = fields,
    .size = sizeof(rest_springs),
    .example = "<MechanicalObject rest_position=\"0 0 0  1 0 0  2 0 0\" position=\"0 0.1 0  1.2 0 0  2 0 0.3\"/>\n"
               "<RestShapeSpringsForceField points=\"0 2\" stiffness=\"50 70\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .bwd_init = rest_shape_springs_bwd_init,
    .destroy = rest_shape_springs_destroy,
    .force = &force_ops,
};
