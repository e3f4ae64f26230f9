// LinearVelocityProjectiveConstraint: points whose velocity is given at key times, linear between them.
//
// v = m(t), and the position is integrated by the constraint itself: each projection adds m(t) dt to the position that
// the last one gave, also the one at the start of the scene. The time is that of the beginning of the step.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/real.h"
#include "projection/points.h"
#include "settee/plugin/change.h"

typedef struct linear_velocity {
    st_points points;
    st_reals times;
    st_reals velocities;
    st_uints coordinates;
    bool goes_on;
    bool remembered;
    st_reals last; // positions of all points after the last projection
} linear_velocity;

static const st_field fields[] = {
    ST_FIELD(linear_velocity, points.indices, "indices", st_type_indices, "0", "the driven points",
             .flags = ST_FIELD_TRACKED, .mesh = ST_INDICES(ST_POINT)),
    ST_FIELD(linear_velocity, times, "keyTimes", st_type_reals, "0", "times of the keys, in order"),
    ST_FIELD(linear_velocity, velocities, "velocities", st_type_derivs, NULL, "velocity at each key"),
    ST_FIELD(linear_velocity, coordinates, "coordinates", st_type_indices, NULL,
             "the scalars of a point that are driven; all when empty", .mesh = ST_NO_INDEX),
    ST_FIELD(linear_velocity, goes_on, "continueAfterEnd", st_type_bool, "0",
             "keep the last velocity after the last key"),
    ST_FIELDS_END,
};

static void linear_velocity_reset(st_object *object) { ((linear_velocity *)object)->remembered = false; }

// The velocity at the time of the node; false: the points are free.
static bool find_velocity(const linear_velocity *self, st_real m[6]) {
    const size_t width = self->points.base.object.dof->deriv, count = self->times.count;
    const st_real t = self->points.base.object.node->time;
    size_t key;
    st_real way;

    if (count == 0 || self->velocities.count < count) return false;

    // between two keys
    if (st_find_key(&self->times, t, &key, &way)) {
        const st_real *from = self->velocities.data + key * width, *to = from + width;
        for (size_t j = 0; j < width; j++) m[j] = from[j] + (to[j] - from[j]) * way;
        return true;
    }

    // at the last one, and, on request, after it
    const st_real last = self->times.data[count - 1];
    const bool at_last = t == last && self->times.data[0] != last;
    if (!at_last && !(t > last && self->goes_on)) return false;

    for (size_t j = 0; j < width; j++) m[j] = self->velocities.data[(count - 1) * width + j];
    return true;
}

static bool drives(const linear_velocity *self, size_t scalar) {
    for (size_t i = 0; i < self->coordinates.count; i++)
        if (self->coordinates.data[i] == scalar) return true;
    return self->coordinates.count == 0;
}

static bool linear_velocity_is_active(const st_points *points) {
    st_real m[6];
    return find_velocity((const linear_velocity *)points, m);
}

static st_status linear_velocity_init(st_object *object) {
    linear_velocity *self = (linear_velocity *)object;
    self->remembered = self->remembered && st_why_init(object) != ST_INIT_FIRST;
    self->points.is_active = linear_velocity_is_active;

    // one velocity of zeros by default
    if (!st_is_set(object, &self->velocities) && !st_resize_member(object, &self->velocities, 1))
        return ST_OUT_OF_MEMORY;

    // coordinates must be scalars of the type
    for (size_t i = 0; i < self->coordinates.count; i++)
        if (self->coordinates.data[i] >= (uint32_t)object->dof->deriv)
            return st_invalid(object, "coordinates[%zu] is %u: %s has %zu", i, self->coordinates.data[i],
                              object->dof->name, object->dof->deriv);

    const st_status status = st_check_keys(object, &self->times, "velocities", &self->velocities, object->dof->deriv);
    return status == ST_OK ? st_points_init(object, ST_WARNING) : status;
}

static void linear_velocity_velocity(st_projection *base, st_deriv_id id) {
    const linear_velocity *self = (linear_velocity *)base;
    const size_t width = base->object.dof->deriv;
    st_real m[6], *v = base->state ? st_velocity_of(base->state, id) : NULL;

    if (!v || !find_velocity(self, m)) return;
    for (ST_EACH_POINT(&self->points, k, point))
        for (size_t j = 0; j < width; j++)
            if (drives(self, j)) v[point * width + j] = m[j];
}

// Of a rigid the scalars of the coordinate are replaced, so that only translations can be picked out.
static void advance(const linear_velocity *self, st_real *x, st_real *last, const st_real *m) {
    const st_dof *dof = self->points.base.object.dof;

    // integrates the last position, and takes what is driven from it
    st_dof_add(dof, last, m, self->points.base.object.node->dt);
    for (size_t j = 0; j < dof->coord; j++)
        if (drives(self, j)) x[j] = last[j];

    st_copy_reals(last, x, dof->coord);
}

static void linear_velocity_position(st_projection *base, st_coord_id id) {
    linear_velocity *self = (linear_velocity *)base;
    const size_t width = base->object.dof->coord;
    st_real m[6], *x = base->state ? st_position_of(base->state, id) : NULL;

    if (x && !self->remembered) self->remembered = st_projection_remember(base, &self->last, x);
    if (!x || !self->remembered || !find_velocity(self, m)) return;

    for (ST_EACH_POINT(&self->points, k, point))
        if (point < self->last.count) advance(self, x + point * width, self->last.data + point * width, m);
}

static void linear_velocity_destroy(st_object *object) { st_list_free(&((linear_velocity *)object)->last); }

static const st_projection_ops ops = {
    .response = st_points_response,
    .velocity = linear_velocity_velocity,
    .position = linear_velocity_position,
    .discard = st_points_discard,
    .columns = st_points_columns,
};

static const st_attached attached[] = {
    {.offset = offsetof(linear_velocity, last),
     .bytes = ST_BYTES_COORD,
     .mesh = ST_PER(ST_POINT),
     .make = st_make_position},
    {0},
};

const st_class st_linear_velocity_projective_constraint_class = {
    .name = "LinearVelocityProjectiveConstraint",
    .help = "points whose velocity is given at key times",
    .parent = &st_projection_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid3",
    .attached = attached,
    .fields = fields,
    .size = sizeof(linear_velocity),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0  2 0 0\"/>\n"
               "<UniformMass totalMass=\"3\"/>\n"
               "<LinearVelocityProjectiveConstraint indices=\"1\" keyTimes=\"0 2\" velocities=\"1 0 0  1 2 0\"/>",
    .init = linear_velocity_init,
    .reset = linear_velocity_reset,
    .changed = st_points_changed,
    .destroy = linear_velocity_destroy,
    .projection = &ops,
};
