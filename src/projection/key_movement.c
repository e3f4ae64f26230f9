// The base of LinearMovement- and PartialLinearMovementProjectiveConstraint.
//
// SPDX-License-Identifier: Apache-2.0
#include "projection/key_movement.h"

#include "base/array.h"
#include "settee/plugin/change.h"

static const st_field fields[] = {
    ST_FIELD(st_key_movement, points.indices, "indices", st_type_indices, "0", "the moved points",
             .flags = ST_FIELD_TRACKED, .mesh = ST_INDICES(ST_POINT)),
    ST_FIELD(st_key_movement, times, "keyTimes", st_type_reals, "0", "times of the keys, in order"),
    ST_FIELD(st_key_movement, movements, "movements", st_type_derivs, NULL,
             "displacement at each key; of a rigid: translation and Euler angles"),
    ST_FIELD(st_key_movement, show, "showMovement", st_type_bool, "0", "draw the movement", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// The movement at the time of the node.
typedef struct moment {
    const st_real *from, *to; // the keys' movements
    st_real way;              // u
    st_real duration;
    st_real movement[6];
} moment;

static bool find_key(const st_key_movement *self, moment *key) {
    const size_t width = self->points.base.object.dof->deriv;
    size_t k;

    if (!self->points.base.state || self->movements.count < self->times.count ||
        !st_find_key(&self->times, self->points.base.object.node->time, &k, &key->way))
        return false;

    // m = m0 + (m1 - m0) u
    key->from = self->movements.data + k * width;
    key->to = self->movements.data + (k + 1) * width;
    key->duration = self->times.data[k + 1] - self->times.data[k];
    for (size_t j = 0; j < width; j++) key->movement[j] = key->from[j] + (key->to[j] - key->from[j]) * key->way;
    return true;
}

static bool key_movement_is_active(const st_points *points) {
    moment key;
    return find_key((const st_key_movement *)points, &key);
}

st_status st_key_movement_init(st_object *object) {
    st_key_movement *self = (st_key_movement *)object;
    self->remembered = self->remembered && st_why_init(object) != ST_INIT_FIRST;
    self->points.is_active = key_movement_is_active;

    if (!st_is_set(object, &self->movements) && !st_resize_member(object, &self->movements, 1)) return ST_OUT_OF_MEMORY;
    const st_status status = st_check_keys(object, &self->times, "movements", &self->movements, object->dof->deriv);
    return status == ST_OK ? st_points_init(object, ST_WARNING) : status;
}

// From a to b without regard to their signs; the middle where they are close to each other.
static void key_movement_interpolate(st_real r[4], const st_real a[4], const st_real b[4], st_real u) {
    const st_real cosine = st_quat_dot(a, b);
    st_real weight_a = 1, weight_b = 0;

    if (fabs(cosine) < 1) {
        // as slerp does, unless the sine is too small to divide by
        const st_real sine = sqrt(1 - cosine * cosine), angle = acos(cosine);
        const bool close = sine < ST_R(0.001);
        weight_a = close ? ST_R(0.5) : sin((1 - u) * angle) / sine;
        weight_b = close ? ST_R(0.5) : sin(u * angle) / sine;
    }

    for (int i = 0; i < 4; i++) r[i] = a[i] * weight_a + b[i] * weight_b;
}

// Where the frame is that starts at `start`; NULL: the movement is absolute.
static void place_frame(const moment *key, const st_real *start, st_real *x) {
    st_real from[4], to[4], q[4];
    for (int j = 0; j < 3; j++) x[j] = (start ? start[j] : 0) + key->movement[j];

    st_quat_from_euler(from, key->from + 3);
    st_quat_from_euler(to, key->to + 3);
    key_movement_interpolate(q, from, to, key->way);

    if (start) st_quat_multiply(x + 3, start + 3, q);
    else st_quat_copy(x + 3, q);
}

void st_key_movement_velocity(st_projection *base, st_deriv_id id) {
    const st_key_movement *self = (const st_key_movement *)base;
    const bool *directions = self->points.directions;
    const size_t width = base->object.dof->deriv;
    moment key;
    st_real *v = base->state ? st_velocity_of(base->state, id) : NULL;

    if (!v || !find_key(self, &key)) return;

    // v = (m1 - m0) / duration
    for (ST_EACH_POINT(&self->points, k, point))
        for (size_t j = 0; j < width; j++)
            if (!directions || directions[j]) v[point * width + j] = (key.to[j] - key.from[j]) / key.duration;
}

void st_key_movement_position(st_projection *base, st_coord_id id, bool relative,
                              st_real (*factor)(const st_key_movement *, const st_real *start)) {
    st_key_movement *self = (st_key_movement *)base;
    const bool *directions = self->points.directions;
    const size_t width = base->object.dof->coord;
    moment key;
    st_real *x = base->state ? st_position_of(base->state, id) : NULL;

    // where the points were at the first projection
    if (x && !self->remembered) self->remembered = st_projection_remember(base, &self->start, x);
    if (!x || !self->remembered || !find_key(self, &key)) return;

    for (ST_EACH_POINT(&self->points, k, point)) {
        if (point >= self->start.count) continue;
        const st_real *start = self->start.data + point * width;

        // a frame moves and turns as a whole
        if (width == 7) {
            place_frame(&key, relative ? start : NULL, x + point * width);
            continue;
        }

        const st_real s = factor ? factor(self, start) : 1;
        for (size_t j = 0; j < width; j++)
            if (!directions || directions[j]) x[point * width + j] = (relative ? start[j] : 0) + s * key.movement[j];
    }
}

static void key_movement_destroy(st_object *object) { st_list_free(&((st_key_movement *)object)->start); }

static const st_attached attached[] = {
    {.offset = offsetof(st_key_movement, start),
     .bytes = ST_BYTES_COORD,
     .mesh = ST_PER(ST_POINT),
     .make = st_make_position},
    {0},
};

const st_class st_key_movement_class = {
    .name = "KeyMovementProjectiveConstraint",
    .help = "what constraints that move points by key times have",
    .parent = &st_projection_class,
    .attached = attached,
    .fields = fields,
    .size = sizeof(st_key_movement),
    .flags = ST_CLASS_ABSTRACT,
    .changed = st_points_changed,
    .destroy = key_movement_destroy,
};
