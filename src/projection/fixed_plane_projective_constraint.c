// FixedPlaneProjectiveConstraint: points that do not move along a direction, dx <- dx - d (dx.d).
//
// The direction is taken as it is given, so it should be a unit vector. In an assembled matrix the scalars along which
// it is not zero become those of the identity, which is exact where the direction is an axis.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/real.h"
#include "projection/points.h"
#include "settee/plugin/change.h"
#include "state/dof.h"

typedef struct fixed_plane {
    st_points points;
    st_real direction[7];
    st_real minimum, maximum;
} fixed_plane;

static const st_field fields[] = {
    ST_FIELD(fixed_plane, points.indices, "indices", st_type_indices, NULL, "the constrained points",
             .flags = ST_FIELD_TRACKED, .mesh = ST_INDICES(ST_POINT)),
    ST_FIELD(fixed_plane, direction, "direction", st_type_coord, NULL, "along which they do not move; a unit vector"),
    ST_FIELD(fixed_plane, minimum, "dmin", st_type_real, "0",
             "points whose product with the direction is between dmin and dmax are added to the list"),
    ST_FIELD(fixed_plane, maximum, "dmax", st_type_real, "0", "see dmin; nothing is added when they are equal"),
    ST_FIELDS_END,
};

static size_t fixed_plane_width_of(const fixed_plane *self) {
    return st_position_scalars(self->points.base.object.dof);
}

static st_real along(const fixed_plane *self, const st_real *d) {
    st_real sum = 0;
    for (size_t j = 0; j < fixed_plane_width_of(self); j++) sum += d[j] * self->direction[j];
    return sum;
}

// Points between the two planes, which are not part of it.
static bool fixed_plane_select_points(fixed_plane *self) {
    const st_state *state = self->points.base.state;
    const st_real *x = st_position_of(state, ST_POSITION);
    const size_t width = state->object.dof->coord;

    for (size_t i = 0; i < state->size && x; i++) {
        const st_real d = along(self, x + i * width);
        if (self->minimum < d && d < self->maximum && !st_list_push(&self->points.indices, (uint32_t)i)) return false;
    }
    return true;
}

static st_status fixed_plane_init(st_object *object) {
    fixed_plane *self = (fixed_plane *)object;
    const st_status status = st_points_init(object, ST_WARNING);
    if (status != ST_OK) return status;

    if (!st_all_finite(self->direction, fixed_plane_width_of(self)))
        return st_invalid(object, "the direction holds a number that is not finite");

    const st_real norm = sqrt(along(self, self->direction));
    if (fabs(norm - 1) > ST_R(1e-5))
        st_message(object, ST_WARNING,
                   "the direction has the length %g instead of 1: not just the part along it is removed", (double)norm);

    if (self->minimum == self->maximum) return ST_OK;

    // a layer between two planes selects the points
    if (!fixed_plane_select_points(self)) return ST_OUT_OF_MEMORY;

    st_touch(object, &self->points.indices);
    return ST_OK;
}

static void fixed_plane_response(st_projection *base, st_deriv_id id) {
    const fixed_plane *self = (fixed_plane *)base;
    st_real *values = base->state ? st_dx_of(base->state, id) : NULL;
    const size_t width = base->object.dof->deriv;

    if (!values) return;

    for (ST_EACH_POINT(&self->points, k, point)) {
        st_real *d = values + point * width;

        // d <- d - n (n.d)
        const st_real part = along(self, d);
        for (size_t j = 0; j < fixed_plane_width_of(self); j++) d[j] -= self->direction[j] * part;
    }
}

static void fixed_plane_discard(st_projection *base, st_clear *clear, void *context) {
    const fixed_plane *self = (fixed_plane *)base;
    const size_t width = base->object.dof->deriv;

    for (ST_EACH_POINT(&self->points, k, point))
        for (size_t j = 0; j < fixed_plane_width_of(self); j++)
            if (self->direction[j] != 0) clear(context, point * width + j);
}

static void fixed_plane_columns(st_projection *base, st_filter *filter, void *context) {
    const fixed_plane *self = (fixed_plane *)base;
    const size_t width = base->object.dof->deriv, spatial = fixed_plane_width_of(self);
    st_real block[36] = {0};

    // I - n nᵀ
    for (size_t i = 0; i < width; i++) block[i * width + i] = 1;
    for (size_t i = 0; i < spatial; i++)
        for (size_t j = 0; j < spatial; j++) block[i * width + j] -= self->direction[i] * self->direction[j];

    for (ST_EACH_POINT(&self->points, k, point)) filter(context, point, block);
}

static const st_projection_ops ops = {
    .response = fixed_plane_response, .discard = fixed_plane_discard, .columns = fixed_plane_columns};

const st_class st_fixed_plane_projective_constraint_class = {
    .name = "FixedPlaneProjectiveConstraint",
    .help = "points that do not move along a direction",
    .parent = &st_projection_class,
    .templates = "Vec3 Vec6 Rigid3",
    .fields = fields,
    .size = sizeof(fixed_plane),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0  2 0 0\"/>\n"
               "<UniformMass totalMass=\"3\"/>\n"
               "<FixedPlaneProjectiveConstraint direction=\"0 1 0\" indices=\"0 2\"/>",
    .init = fixed_plane_init,
    .changed = st_points_changed,
    .projection = &ops,
};
