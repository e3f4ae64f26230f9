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

static void response(st_projection *base, st_deriv_id d) {
    st_key key;
    if (st_key_movement_find((st_key_movement *)base, &key)) st_points_response(base, d);
}

static void velocity(st_projection *base, st_deriv_id id) {
    const linear_movement *self = (linear_movement *)base;
    const size_t width = (size_t)base->object.dof->deriv;
    st_key key;
    st_real *v = base->state ? st_velocity_of(base->state, id) : NULL;
    if (!v || !st_key_movement_find(&self->keys, &key)) return;
    for (ST_EACH_POINT(&self->keys.points, k, point))
        for (size_t j = 0; j < width; j++) v[point * width + j] = (key.to[j] - key.from[j]) / key.duration;
}

static void position(st_projection *base, st_coord_id id) {
    linear_movement *self = (linear_movement *)base;
    const size_t width = (size_t)base->object.dof->coord;
    st_key key;
    st_real *x = st_key_movement_positions(&self->keys, id);
    if (!x || !st_key_movement_find(&self->keys, &key)) return;
    for (ST_EACH_POINT(&self->keys.points, k, point)) {
        if (point >= self->keys.start.count) continue;
        const st_real *start = self->relative ? self->keys.start.data + point * width : NULL;
        if (width == 7) st_key_movement_frame(&key, start, x + point * width);
        else
            for (size_t j = 0; j < width; j++)
                x[point * width + j] = start ? start[j] + key.movement[j] : key.movement[j];
    }
}

static void discard(st_projection *base, st_clear *clear, void *context) {
    st_key key;
    if (st_key_movement_find((st_key_movement *)base, &key)) st_points_discard((st_points *)base, clear, context);
}

static void columns(st_projection *base, st_filter *filter, void *context) {
    st_key key;
    if (st_key_movement_find((st_key_movement *)base, &key)) st_points_remove((st_points *)base, filter, context);
}

static const st_projection_ops ops = {
    .response = response,
    .velocity = velocity,
    .position = position,
    .discard = discard,
    .columns = columns,
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
