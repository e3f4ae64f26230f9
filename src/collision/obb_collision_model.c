// OBBCollisionModel: a box around every frame of a Rigid3 state, along its axes.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/box_capsule.h"
#include "collision/contact_mappings.h"
#include "math/rigid.h"

typedef struct box_model {
    st_collision_model base;
    st_reals extents; // Vec3, half lengths
    st_real extent;
} box_model;

static const st_field fields[] = {
    ST_FIELD(box_model, extents, "extents", st_type_vec3s, NULL, "half lengths of each box"),
    ST_FIELD(box_model, extent, "defaultExtent", st_type_real, "1",
             "half lengths of those that `extents` does not name"),
    ST_FIELDS_END,
};

st_convex st_box_of_model(const st_collision_model *model, size_t i) {
    const box_model *self = (const box_model *)model;
    const st_real *frame = st_corner_position(model, i, 0), all[3] = {self->extent, self->extent, self->extent};
    st_real q[4], axes[3][3];
    st_quat_normalize(q, frame + 3);

    for (int k = 0; k < 3; k++) {
        const st_real unit[3] = {k == 0, k == 1, k == 2};
        st_quat_rotate(axes[k], q, unit);
    }

    return st_convex_box(frame, (const st_real(*)[3])axes, i < self->extents.count ? self->extents.data + 3 * i : all);
}

static void box_model_box(const st_collision_model *model, size_t i, st_box *box) {
    const st_convex c = st_box_of_model(model, i);
    st_box_clear(box);
    for (int k = 0; k < 8; k++) st_box_add(box, c.v[k]);
    st_box_grow(box, model->contact_distance);
}

static bool box_model_carry(const st_collision_model *model, st_mapping *mapping, size_t i, const st_real point[3]) {
    st_real local[3];
    st_rigid_inverse_apply(local, st_corner_position(model, i, 0), point);
    return st_rigid_carrier_add(mapping, (uint32_t)i, local);
}

// The list is completed to the number of frames.
static st_status box_model_init(st_object *object) {
    box_model *self = (box_model *)object;
    self->base.primitive = ST_PRIMITIVE_BOX;
    const st_status status = st_collision_model_class.init(object);
    if (status != ST_OK) return status;

    // half lengths
    if (!(self->extent >= 0 && self->extent <= ST_REAL_MAX))
        return st_invalid(object, "defaultExtent is %g: it cannot be negative", (double)self->extent);
    for (size_t i = 0; i < 3 * self->extents.count; i++)
        if (!(self->extents.data[i] >= 0 && self->extents.data[i] <= ST_REAL_MAX))
            return st_invalid(object, "extents of box %zu: %g cannot be a half length", i / 3,
                              (double)self->extents.data[i]);

    const size_t given = self->extents.count, count = self->base.state->size;
    if (given >= count) return ST_OK;
    if (!st_list_set_count(&self->extents, count, 3)) return st_invalid(object, "out of memory: %zu boxes", count);
    for (size_t i = 3 * given; i < 3 * count; i++) self->extents.data[i] = self->extent;
    st_touch(object, &self->extents);
    return ST_OK;
}

static const st_collision_model_ops ops = {
    .box = box_model_box, .rigid_carrier = &st_rigid_carrier, .carry = box_model_carry};

const st_class st_obb_collision_model_class = {
    .name = "OBBCollisionModel",
    .help = "boxes around the frames of a state, that touch other models",
    .parent = &st_collision_model_class,
    .aliases = "OBB OBBModel TOBBModel",
    .templates = "Rigid3",
    .default_template = "Rigid3",
    .fields = fields,
    .size = sizeof(box_model),
    .init = box_model_init,
    .collision_model = &ops,
};
