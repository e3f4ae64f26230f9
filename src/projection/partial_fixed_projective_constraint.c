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

static st_status partial_fixed_init(st_object *object) {
    partial_fixed *partial = (partial_fixed *)object;
    partial->fixed.points.directions = partial->directions;
    return st_points_init(object, ST_WARNING);
}

static void partial_fixed_velocity(st_projection *base, st_deriv_id v) {
    if (((partial_fixed *)base)->project_velocity) st_points_velocity(base, v);
}

static const st_projection_ops ops = {
    .response = st_points_response,
    .velocity = partial_fixed_velocity,
    .discard = st_points_discard,
    .columns = st_points_columns,
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
    .init = partial_fixed_init,
    .projection = &ops,
};
