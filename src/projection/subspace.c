// The base of Line-, Direction- and PlaneProjectiveConstraint.
//
// SPDX-License-Identifier: Apache-2.0
#include "projection/subspace.h"
#include "settee/plugin/change.h"

static const st_field fields[] = {
    ST_FIELD(st_subspace, points.indices, "indices", st_type_indices, "0", "the constrained points",
             .flags = ST_FIELD_TRACKED, .mesh = ST_INDICES(ST_POINT)),
    ST_FIELD(st_subspace, draw_size, "drawSize", st_type_real, "0", "size of the points drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

st_status st_subspace_init(st_object *object, const st_real *direction, bool across) {
    st_subspace *self = (st_subspace *)object;
    const size_t width = object->dof->coord;

    if (!st_all_finite(direction, width)) return st_invalid(object, "the direction holds a number that is not finite");

    // n
    st_real square = 0;
    for (size_t i = 0; i < width; i++) square += direction[i] * direction[i];
    const st_real norm = sqrt(square);
    self->across = across;

    for (size_t i = 0; i < width; i++) self->unit[i] = norm > 0 ? direction[i] / norm : direction[i];

    // P = n nᵀ, or I - n nᵀ across it
    for (size_t i = 0; i < width; i++)
        for (size_t j = 0; j < width; j++) {
            const st_real along = self->unit[i] * self->unit[j];
            self->block[i * width + j] = across ? (i == j ? 1 - along : -along) : along;
        }

    return st_points_init(object, ST_ERROR);
}

static void filter_vector(const st_subspace *self, st_real *values) {
    const size_t width = self->points.base.object.dof->deriv, size = self->points.base.state->size;
    const st_uints *list = self->filtered ? self->filtered : &self->points.indices;

    for (size_t k = 0; values && k < list->count; k++) {
        if (list->data[k] >= size) continue;
        st_real *d = values + list->data[k] * width, sum[3] = {0, 0, 0};
        for (size_t i = 0; i < width; i++)
            for (size_t j = 0; j < width; j++) sum[i] += self->block[i * width + j] * d[j];
        for (size_t i = 0; i < width; i++) d[i] = sum[i];
    }
}

void st_subspace_response(st_projection *base, st_deriv_id d) {
    if (base->state) filter_vector((const st_subspace *)base, st_dx_of(base->state, d));
}

void st_subspace_velocity(st_projection *base, st_deriv_id v) {
    if (base->state) filter_vector((const st_subspace *)base, st_velocity_of(base->state, v));
}

static void subspace_place(const st_subspace *self, st_real *x, const st_real *o, size_t width) {
    st_real along = 0;

    // n ((x - o).n)
    for (size_t i = 0; i < width; i++) along += (x[i] - o[i]) * self->unit[i];

    for (size_t i = 0; i < width; i++)
        x[i] = self->across ? x[i] - self->unit[i] * along : o[i] + self->unit[i] * along;
}

void st_subspace_position(st_projection *base, st_coord_id id, const st_real *origins, size_t stride, size_t count) {
    const st_subspace *self = (const st_subspace *)base;
    st_real *x = base->state ? st_position_of(base->state, id) : NULL;
    const size_t width = base->object.dof->coord;

    if (!x) return;
    for (ST_EACH_POINT(&self->points, k, point))
        if (stride == 0 || point < count) subspace_place(self, x + point * width, origins + point * stride, width);
}

void st_subspace_columns(st_projection *base, st_filter *filter, void *context) {
    const st_subspace *self = (const st_subspace *)base;
    for (ST_EACH_POINT(&self->points, k, point)) filter(context, point, self->block);
}

const st_class st_subspace_class = {
    .name = "SubspaceProjectiveConstraint",
    .help = "what constraints onto a line or a plane have",
    .parent = &st_projection_class,
    .fields = fields,
    .size = sizeof(st_subspace),
    .flags = ST_CLASS_ABSTRACT,
    .changed = st_points_changed,
};
