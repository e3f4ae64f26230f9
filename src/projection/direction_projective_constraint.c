// DirectionProjectiveConstraint: points that move along one direction, each through the place where it was at init,
// x <- o_i + n ((x - o_i).n).
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "projection/subspace.h"
#include "scene/compat.h"
#include "settee/plugin/change.h"

typedef struct direction {
    st_subspace subspace;
    st_real direction[3];
    st_reals origins; // of all points
    // as they were at init, in this order; for the compatibility table
    st_uints first;
    st_reals first_origins;
} direction;

static const st_field fields[] = {
    ST_FIELD(direction, direction, "direction", st_type_coord, NULL,
             "along which the points move; they do not when it is zero", .flags = ST_FIELD_REINIT),
    ST_FIELDS_END,
};

// The list of the first init, with its places.
static bool keep_first(direction *self) {
    const st_uints *indices = &self->subspace.points.indices;
    const size_t width = self->subspace.points.base.object.dof->coord;
    if (!st_list_set_count(&self->first, indices->count, 1) ||
        !st_list_set_count(&self->first_origins, indices->count, width))
        return false;

    for (size_t k = 0; k < indices->count; k++) {
        self->first.data[k] = indices->data[k];
        st_copy_reals(self->first_origins.data + k * width, self->origins.data + indices->data[k] * width, width);
    }
    return true;
}

// After a change of the mesh: the places go by the order of the list, the velocities by the first numbers.
static void use_first(direction *self) {
    const st_uints *indices = &self->subspace.points.indices;
    const size_t width = self->subspace.points.base.object.dof->coord;
    self->subspace.filtered = &self->first;

    for (size_t k = 0; k < indices->count && k < self->first_origins.count; k++)
        if (indices->data[k] < self->origins.count)
            st_copy_reals(self->origins.data + indices->data[k] * width, self->first_origins.data + k * width, width);
}

static st_status direction_init(st_object *object) {
    direction *self = (direction *)object;
    const st_status status = st_subspace_init(object, self->direction, false);
    if (status != ST_OK) return status;

    // places of the first init: they follow a mesh that changes
    const st_projection *base = &self->subspace.points.base;
    if (st_why_init(object) != ST_INIT_FIRST && self->origins.count == base->state->size) {
        if (st_compat_on(object->scene, ST_COMPAT_DIRECTION_PLACES)) use_first(self);
        return ST_OK;
    }

    self->subspace.filtered = NULL;
    const bool ok = st_projection_remember(base, &self->origins, st_position_of(base->state, ST_POSITION));
    return ok && keep_first(self) ? ST_OK : ST_OUT_OF_MEMORY;
}

static void direction_position(st_projection *base, st_coord_id id) {
    const direction *self = (direction *)base;
    st_subspace_position(base, id, self->origins.data, base->object.dof->coord, self->origins.count);
}

static void direction_destroy(st_object *object) {
    direction *self = (direction *)object;
    st_list_free(&self->origins);
    st_list_free(&self->first);
    st_list_free(&self->first_origins);
}

static const st_projection_ops ops = {
    .response = st_subspace_response,
    .velocity = st_subspace_velocity,
    .position = direction_position,
    .columns = st_subspace_columns,
};

static const st_attached attached[] = {
    {.offset = offsetof(direction, origins),
     .bytes = ST_BYTES_COORD,
     .mesh = ST_PER(ST_POINT),
     .make = st_make_position},
    {0},
};

const st_class st_direction_projective_constraint_class = {
    .name = "DirectionProjectiveConstraint",
    .help = "lets points move along one direction only",
    .parent = &st_subspace_class,
    .templates = "Vec2 Vec3",
    .attached = attached,
    .fields = fields,
    .size = sizeof(direction),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0  2 0 0\"/>\n"
               "<UniformMass totalMass=\"3\"/>\n"
               "<DirectionProjectiveConstraint indices=\"0 2\" direction=\"1 2 0\"/>",
    .init = direction_init,
    .destroy = direction_destroy,
    .projection = &ops,
};
