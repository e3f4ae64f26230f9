// FixedRotationProjectiveConstraint: frames that do not turn about some of the axes.
//
// About an axis a, a quaternion q = (u, w) is a twist (the normalized ((u.a) a, w)) followed by a swing q twist⁻¹. For
// each fixed axis in turn the twist of the orientation is taken off, and that of the first orientation put in its
// place.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/rigid.h"
#include "projection/points.h"
#include "settee/plugin/change.h"

typedef struct fixed_rotation {
    st_projection base;
    bool fixed[3];
    st_reals first; // frames at init
} fixed_rotation;

static const st_field fields[] = {
    ST_FIELD(fixed_rotation, fixed[0], "FixedXRotation", st_type_bool, "0", "no turn about the x axis"),
    ST_FIELD(fixed_rotation, fixed[1], "FixedYRotation", st_type_bool, "0", "no turn about the y axis"),
    ST_FIELD(fixed_rotation, fixed[2], "FixedZRotation", st_type_bool, "0", "no turn about the z axis"),
    ST_FIELDS_END,
};

static st_status fixed_rotation_init(st_object *object) {
    fixed_rotation *self = (fixed_rotation *)object;
    const st_status status = st_projection_class.init(object);

    if (status != ST_OK) return status;
    if (st_why_init(object) != ST_INIT_FIRST && self->first.count == self->base.state->size) return ST_OK;
    return st_projection_remember(&self->base, &self->first, st_position_of(self->base.state, ST_POSITION))
               ? ST_OK
               : ST_OUT_OF_MEMORY;
}

static void fixed_rotation_split(const st_real q[4], int axis, st_real swing[4], st_real twist[4]) {
    st_real inverse[4], product[4];

    // the twist about the axis: q without its other two components
    st_quat_set(twist, 0, 0, 0, q[3]);
    twist[axis] = q[axis];
    st_quat_normalize(twist, twist);

    // the swing: q twist⁻¹
    st_quat_inverse(inverse, twist);
    st_quat_multiply(product, q, inverse);
    st_quat_normalize(swing, product);
}

static void fixed_rotation_position(st_projection *base, st_coord_id id) {
    const fixed_rotation *self = (fixed_rotation *)base;
    st_real *x = base->state ? st_position_of(base->state, id) : NULL;

    for (size_t i = 0; x && i < base->state->size && i < self->first.count; i++) {
        st_real q[4], first[4], keep[4] = {0, 0, 0, 1}, twist[4];

        // takes the twists about the fixed axes off, and puts the first ones back on
        st_quat_copy(q, x + 7 * i + 3);
        st_quat_copy(first, self->first.data + 7 * i + 3);

        for (int axis = 0; axis < 3; axis++) {
            if (!self->fixed[axis]) continue;
            fixed_rotation_split(q, axis, q, twist);
            fixed_rotation_split(first, axis, first, twist);
            st_quat_multiply(keep, twist, keep);
        }

        st_quat_multiply(x + 7 * i + 3, q, keep);
    }
}

static void fixed_rotation_destroy(st_object *object) { st_list_free(&((fixed_rotation *)object)->first); }

static const st_projection_ops ops = {.position = fixed_rotation_position};

static const st_attached attached[] = {
    {.offset = offsetof(fixed_rotation, first),
     .bytes = ST_BYTES_COORD,
     .mesh = ST_PER(ST_POINT),
     .make = st_make_position},
    {0},
};

const st_class st_fixed_rotation_projective_constraint_class = {
    .name = "FixedRotationProjectiveConstraint",
    .help = "frames that do not turn about some of the axes",
    .parent = &st_projection_class,
    .templates = "Rigid3",
    .attached = attached,
    .fields = fields,
    .size = sizeof(fixed_rotation),
    .example = "<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  1 0 0 0 0 0 1\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<FixedRotationProjectiveConstraint FixedZRotation=\"1\"/>",
    .init = fixed_rotation_init,
    .destroy = fixed_rotation_destroy,
    .projection = &ops,
};
