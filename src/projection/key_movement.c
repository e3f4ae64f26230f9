// The base of LinearMovement- and PartialLinearMovementProjectiveConstraint.
//
// SPDX-License-Identifier: Apache-2.0
#include "projection/key_movement.h"

#include "base/array.h"

static const st_field fields[] = {
    ST_FIELD(st_key_movement, points.indices, "indices", st_type_indices, "0", "the moved points",
             .flags = ST_FIELD_TRACKED),
    ST_FIELD(st_key_movement, times, "keyTimes", st_type_reals, "0", "times of the keys, in order"),
    ST_FIELD(st_key_movement, movements, "movements", st_type_derivs, NULL,
             "displacement at each key; of a rigid: translation and Euler angles"),
    ST_FIELD(st_key_movement, show, "showMovement", st_type_bool, "0", "draw the movement", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

st_status st_key_movement_init(st_object *object) {
    st_key_movement *self = (st_key_movement *)object;
    self->remembered = false;
    if (!st_is_set(object, &self->movements) && !st_resize_member(object, &self->movements, 1)) return ST_OUT_OF_MEMORY;
    const st_status status = st_check_keys(object, &self->times, "movements", &self->movements, object->dof->deriv);
    return status == ST_OK ? st_points_init(object, ST_WARNING) : status;
}

bool st_key_movement_find(const st_key_movement *self, st_key *key) {
    const size_t width = (size_t)self->points.base.object.dof->deriv;
    size_t k;
    if (!self->points.base.state || self->movements.count < self->times.count ||
        !st_find_key(&self->times, self->points.base.object.node->time, &k, &key->way))
        return false;
    key->from = self->movements.data + k * width;
    key->to = self->movements.data + (k + 1) * width;
    key->duration = self->times.data[k + 1] - self->times.data[k];
    for (size_t j = 0; j < width; j++) key->movement[j] = key->from[j] + (key->to[j] - key->from[j]) * key->way;
    return true;
}

// From a to b without regard to their signs; the middle where they are close to each other.
static void interpolate(st_real r[4], const st_real a[4], const st_real b[4], st_real u) {
    const st_real cosine = st_quat_dot(a, b);
    st_real weight_a = 1, weight_b = 0;
    if (fabs(cosine) < 1) {
        const st_real sine = sqrt(1 - cosine * cosine), angle = acos(cosine);
        const bool close = sine < ST_R(0.001);
        weight_a = close ? ST_R(0.5) : sin((1 - u) * angle) / sine;
        weight_b = close ? ST_R(0.5) : sin(u * angle) / sine;
    }
    for (int i = 0; i < 4; i++) r[i] = a[i] * weight_a + b[i] * weight_b;
}

void st_key_movement_frame(const st_key *key, const st_real *start, st_real *x) {
    st_real from[4], to[4], q[4];
    for (int j = 0; j < 3; j++) x[j] = (start ? start[j] : 0) + key->movement[j];
    st_quat_from_euler(from, key->from + 3);
    st_quat_from_euler(to, key->to + 3);
    interpolate(q, from, to, key->way);
    if (start) st_quat_multiply(x + 3, start + 3, q);
    else st_quat_copy(x + 3, q);
}

st_real *st_key_movement_positions(st_key_movement *self, st_coord_id id) {
    const st_projection *base = &self->points.base;
    st_real *x = base->state ? st_position_of(base->state, id) : NULL;
    if (x && !self->remembered) self->remembered = st_projection_remember(base, &self->start, x);
    return self->remembered ? x : NULL;
}

static void destroy(st_object *object) { st_list_free(&((st_key_movement *)object)->start); }

const st_class st_key_movement_class = {
    .name = "KeyMovementProjectiveConstraint",
    .help = "what constraints that move points by key times have",
    .parent = &st_projection_class,
    .fields = fields,
    .size = sizeof(st_key_movement),
    .flags = ST_CLASS_ABSTRACT,
    .changed = st_points_changed,
    .destroy = destroy,
};
