// AffineMovementProjectiveConstraint: points that move on straight lines to an affine image of where they were.
//
// With the first position x0 and x1 = R x0 + t (of a rigid: the center alike, and the orientation q0 q), between begin
// and end
//
//     x(t) = ((x1 - x0) t + (x0 end - x1 begin)) / (end - begin)
//
// and x1 afterwards. The orientation of a rigid changes at the end only. Velocities and their increments are zero.
//
// SPDX-License-Identifier: Apache-2.0
#include "projection/movement.h"

typedef struct affine_movement {
    st_movement movement;
    st_real rotation[9];
    st_real quaternion[4];
    st_real translation[3];
} affine_movement;

static const st_field fields[] = {
    ST_FIELD(affine_movement, rotation, "rotation", st_type_mat3, NULL,
             "R, of Vec3: the final position is R x + translation"),
    ST_FIELD(affine_movement, quaternion, "quaternion", st_type_quat, "0 0 0 1", "the rotation, of Rigid3"),
    ST_FIELD(affine_movement, translation, "translation", st_type_vec3, NULL, "added after the rotation"),
    ST_FIELDS_END,
};

static st_status affine_movement_init(st_object *object) {
    const affine_movement *self = (affine_movement *)object;
    if (!st_all_finite(self->rotation, 9) || !st_all_finite(self->quaternion, 4) ||
        !st_all_finite(self->translation, 3))
        return st_invalid(object, "rotation, quaternion or translation holds a number that is not finite");
    return st_movement_init(object);
}

static void affine_movement_find_final(const st_movement *movement, const st_real *start, st_real *final) {
    const affine_movement *self = (const affine_movement *)movement;
    const bool rigid = movement->points.base.object.dof->rigid;
    if (rigid) st_quat_rotate(final, self->quaternion, start);
    else st_mat3_times_vec(final, self->rotation, start);

    st_vec3_add(final, final, self->translation);
    if (rigid) st_quat_multiply(final + 3, start + 3, self->quaternion);
}

static void affine_movement_position(st_projection *base, st_coord_id x) {
    st_movement_position((st_movement *)base, x, affine_movement_find_final);
}

static const st_projection_ops ops = {
    .response = st_points_response,
    .velocity = st_points_velocity,
    .position = affine_movement_position,
    .discard = st_points_discard,
    .columns = st_points_columns,
};

const st_class st_affine_movement_projective_constraint_class = {
    .name = "AffineMovementProjectiveConstraint",
    .help = "moves points on straight lines to an affine image of where they were",
    .parent = &st_movement_class,
    .templates = "Vec3 Rigid3",
    .fields = fields,
    .size = sizeof(affine_movement),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0  2 0 0\"/>\n"
               "<UniformMass totalMass=\"3\"/>\n"
               "<AffineMovementProjectiveConstraint indices=\"1 2\" beginConstraintTime=\"0\" endConstraintTime=\"2\"\n"
               "    rotation=\"0 -1 0 1 0 0 0 0 1\" translation=\"0 0 1\"/>",
    .init = affine_movement_init,
    .projection = &ops,
};
