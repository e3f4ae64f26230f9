// FixedProjectiveConstraint: points whose velocity does not change.
//
// Increments of the velocity of these points are set to zero, and their rows and columns in an assembled matrix become
// those of the identity. Positions are left alone: a point that has a velocity keeps it, unless
// activate_projectVelocity takes it away.
//
// SPDX-License-Identifier: Apache-2.0
#include "projection/fixed.h"

static const st_field fields[] = {
    ST_FIELD(st_fixed, indices, "indices", st_type_indices, "0", "the fixed points", .flags = ST_FIELD_TRACKED),
    ST_FIELD(st_fixed, fix_all, "fixAll", st_type_bool, "0", "fix every point"),
    ST_FIELD(st_fixed, project_velocity, "activate_projectVelocity", st_type_bool, "0",
             "set the velocity to zero, too"),
    ST_FIELD(st_fixed, show_object, "showObject", st_type_bool, "1", "draw the fixed points",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(st_fixed, draw_size, "drawSize", st_type_real, "0", "size of the points drawn", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static void drop_missing_points(st_fixed *fixed) {
    const size_t size = fixed->base.state->size;
    size_t kept = 0;
    for (size_t i = 0; i < fixed->indices.count; i++) {
        if (fixed->indices.data[i] < size) fixed->indices.data[kept++] = fixed->indices.data[i];
    }
    if (kept == fixed->indices.count) return;
    st_message(&fixed->base.object, ST_WARNING,
               "%zu of %zu indices are not below the number of points, %zu: they are "
               "removed",
               fixed->indices.count - kept, fixed->indices.count, size);
    fixed->indices.count = kept;
}

static st_status init(st_object *object) {
    const st_status status = st_projection_class.init(object);
    if (status == ST_OK) drop_missing_points((st_fixed *)object);
    return status;
}

static void changed(st_object *object) {
    if (((st_fixed *)object)->base.state) drop_missing_points((st_fixed *)object);
}

static void set_zero(const st_fixed *fixed, st_real *values) {
    const size_t width = (size_t)fixed->base.object.dof->deriv, count = st_fixed_count(fixed);
    for (size_t k = 0; k < count && values; k++) {
        const size_t point = st_fixed_point(fixed, k);
        for (size_t j = 0; j < width && point != SIZE_MAX; j++) values[point * width + j] = 0;
    }
}

static void response(st_projection *base, st_deriv_id d) {
    if (base->state && st_projection_active(base)) set_zero((st_fixed *)base, st_dx_of(base->state, d));
}

static void velocity(st_projection *base, st_deriv_id v) {
    const st_fixed *fixed = (st_fixed *)base;
    if (fixed->project_velocity && base->state && st_projection_active(base))
        set_zero(fixed, st_velocity_of(base->state, v));
}

static void discard(st_projection *base, void (*clear)(void *context, size_t scalar), void *context) {
    const st_fixed *fixed = (st_fixed *)base;
    const size_t width = (size_t)base->object.dof->deriv, count = st_fixed_count(fixed);
    for (size_t k = 0; k < count; k++) {
        const size_t point = st_fixed_point(fixed, k);
        for (size_t j = 0; j < width && point != SIZE_MAX; j++) clear(context, point * width + j);
    }
}

static const st_projection_ops ops = {.response = response, .velocity = velocity, .discard = discard};

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
    .init = init,
    .changed = changed,
    .projection = &ops,
};
