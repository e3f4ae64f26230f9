// PlaneProjectiveConstraint: points that stay in a plane, x <- x - n ((x - o).n).
//
// SPDX-License-Identifier: Apache-2.0
#include "projection/subspace.h"

typedef struct plane {
    st_subspace subspace;
    st_real origin[3];
    st_real normal[3];
} plane;

static const st_field fields[] = {
    ST_FIELD(plane, origin, "origin", st_type_coord, NULL, "a point of the plane"),
    ST_FIELD(plane, normal, "normal", st_type_coord, NULL,
             "normal of the plane; nothing is constrained when it is zero", .flags = ST_FIELD_REINIT),
    ST_FIELDS_END,
};

static st_status plane_projective_constraint_init(st_object *object) {
    plane *self = (plane *)object;
    if (!st_all_finite(self->origin, object->dof->coord))
        return st_invalid(object, "the origin holds a number that is not finite");
    return st_subspace_init(object, self->normal, true);
}

static void plane_position(st_projection *base, st_coord_id id) {
    st_subspace_position(base, id, ((plane *)base)->origin, 0, 1);
}

static const st_projection_ops ops = {
    .response = st_subspace_response,
    .velocity = st_subspace_velocity,
    .position = plane_position,
    .columns = st_subspace_columns,
};

const st_class st_plane_projective_constraint_class = {
    .name = "PlaneProjectiveConstraint",
    .help = "keeps points in a plane",
    .parent = &st_subspace_class,
    .templates = "Vec2 Vec3",
    .fields = fields,
    .size = sizeof(plane),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0  2 0 0\"/>\n"
               "<UniformMass totalMass=\"3\"/>\n"
               "<PlaneProjectiveConstraint indices=\"0 2\" origin=\"0 1 0\" normal=\"1 1 0\"/>",
    .init = plane_projective_constraint_init,
    .reinit = plane_projective_constraint_init,
    .projection = &ops,
};
