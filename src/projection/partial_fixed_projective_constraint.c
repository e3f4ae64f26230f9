// PartialFixedProjectiveConstraint: points that are fixed in some directions only (of a rigid: translations, then
// rotations).
//
// SPDX-License-Identifier: Apache-2.0
#include "projection/fixed.h"

typedef struct partial_fixed {
    st_fixed fixed;
    bool directions[6];
    bool project_velocity;
} partial_fixed;

static const st_field fields[] = {
    ST_FIELD(partial_fixed, directions, "fixedDirections", st_type_deriv_flags, "1 1 1 1 1 1",
             "for each direction, whether it is fixed"),
    ST_FIELD(partial_fixed, project_velocity, "projectVelocity", st_type_bool, "0", "set the velocity to zero, too"),
    ST_FIELDS_END,
};

static void set_zero(const partial_fixed *partial, st_real *values) {
    const size_t width = (size_t)partial->fixed.points.base.object.dof->deriv;
    if (!values) return;
    for (ST_EACH_POINT(&partial->fixed.points, k, point))
        for (size_t j = 0; j < width; j++)
            if (partial->directions[j]) values[point * width + j] = 0;
}

static void response(st_projection *base, st_deriv_id d) {
    if (base->state) set_zero((partial_fixed *)base, st_dx_of(base->state, d));
}

static void velocity(st_projection *base, st_deriv_id v) {
    const partial_fixed *partial = (partial_fixed *)base;
    if (partial->project_velocity && base->state) set_zero(partial, st_velocity_of(base->state, v));
}

static void discard(st_projection *base, st_clear *clear, void *context) {
    const partial_fixed *partial = (partial_fixed *)base;
    st_discard_directions(&partial->fixed.points, partial->directions, clear, context);
}

static void columns(st_projection *base, st_filter *filter, void *context) {
    const partial_fixed *partial = (partial_fixed *)base;
    st_filter_directions(&partial->fixed.points, partial->directions, filter, context);
}

static const st_projection_ops ops = {
    .response = response,
    .velocity = velocity,
    .discard = discard,
    .columns = columns,
};

const st_class st_partial_fixed_projective_constraint_class = {
    .name = "PartialFixedProjectiveConstraint",
    .help = "points whose velocity does not change in some directions",
    .parent = &st_fixed_projective_constraint_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .fields = fields,
    .size = sizeof(partial_fixed),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0  2 0 0\"/>\n"
               "<UniformMass totalMass=\"3\"/>\n"
               "<PartialFixedProjectiveConstraint indices=\"0 1\" fixedDirections=\"1 0 1\"/>",
    .projection = &ops,
};
