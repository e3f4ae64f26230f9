// LinearMovementProjectiveConstraint: points that follow displacements given at key times, straight between them.
//
// x = x0 + m(t), or m(t) alone, and v = dm/dt, while a next key is there. The time is that of the beginning of the
// step.
//
// SPDX-License-Identifier: Apache-2.0
#include "projection/key_movement.h"

typedef struct linear_movement {
    st_key_movement keys;
    bool relative;
} linear_movement;

static const st_field fields[] = {
    ST_FIELD(linear_movement, relative, "relativeMovements", st_type_bool, "1",
             "movements are added to the first positions; otherwise they are positions"),
    ST_FIELDS_END,
};

static void linear_movement_position(st_projection *base, st_coord_id id) {
    st_key_movement_position(base, id, ((linear_movement *)base)->relative, NULL);
}

static const st_projection_ops ops = {
    .response = st_points_response,
    .velocity = st_key_movement_velocity,
    .position = linear_movement_position,
    .discard = st_points_discard,
    .columns = st_points_columns,
};

const st_class st_linear_movement_projective_constraint_class = {
    .name = "LinearMovementProjectiveConstraint",
    .help = "points that follow displacements given at key times",
    .parent = &st_key_movement_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid3",
    .fields = fields,
    .size = sizeof(linear_movement),
    .example =
        "<MechanicalObject position=\"0 0 0  1 0 0  2 0 0\"/>\n"
        "<UniformMass totalMass=\"3\"/>\n"
        "<LinearMovementProjectiveConstraint indices=\"1\" keyTimes=\"0 1 3\" movements=\"0 0 0  0 1 0  1 1 0\"/>",
    .init = st_key_movement_init,
    .projection = &ops,
};
