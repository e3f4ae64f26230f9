// FixedProjectiveConstraint: points whose velocity does not change.
//
// Increments of the velocity of these points are set to zero, and their rows and columns in an assembled matrix become
// those of the identity. Positions are left alone: a point that has a velocity keeps it, unless
// activate_projectVelocity takes it away.
//
// SPDX-License-Identifier: Apache-2.0
#include "projection/fixed.h"
#include "settee/plugin/change.h"

static const st_field fields[] = {
    ST_FIELD(st_fixed, points.indices, "indices", st_type_indices, "0", "the fixed points", .flags = ST_FIELD_TRACKED,
             .mesh = ST_INDICES(ST_POINT)),
    ST_FIELD(st_fixed, points.all, "fixAll", st_type_bool, "0", "fix every point"),
    ST_FIELD(st_fixed, project_velocity, "activate_projectVelocity", st_type_bool, "0",
             "set the velocity to zero, too"),
    ST_FIELD(st_fixed, show_object, "showObject", st_type_bool, "1", "draw the fixed points",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(st_fixed, draw_size, "drawSize", st_type_real, "0", "size of the points drawn", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static st_status fixed_init(st_object *object) { return st_points_init(object, ST_WARNING); }

static void fixed_velocity(st_projection *base, st_deriv_id v) {
    if (((st_fixed *)base)->project_velocity) st_points_velocity(base, v);
}

static const st_projection_ops ops = {
    .response = st_points_response,
    .velocity = fixed_velocity,
    .discard = st_points_discard,
    .columns = st_points_columns,
};

const st_class st_fixed_projective_constraint_class = {
    .name = "FixedProjectiveConstraint",
    .help = "points whose velocity does not change",
    .parent = &st_projection_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .fields = fields,
    .size = sizeof(st_fixed),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0  2 0 0\"/>\n"
               "<UniformMass totalMass=\"3\"/>\n"
               "<FixedProjectiveConstraint indices=\"0 2\"/>",
    .init = fixed_init,
    .changed = st_points_changed,
    .projection = &ops,
};
