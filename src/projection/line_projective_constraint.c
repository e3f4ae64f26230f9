// LineProjectiveConstraint: points that stay on a line, x <- o + n ((x - o).n).
//
// SPDX-License-Identifier: Apache-2.0
#include "projection/subspace.h"

typedef struct line {
    st_subspace subspace;
    st_real origin[3];
    st_real direction[3];
} line;

static const st_field fields[] = {
    ST_FIELD(line, origin, "origin", st_type_coord, NULL, "a point of the line"),
    ST_FIELD(line, direction, "direction", st_type_coord, NULL, "direction of the line; the x axis when it is zero",
             .flags = ST_FIELD_REINIT),
    ST_FIELDS_END,
};

static st_status line_init(st_object *object) {
    line *self = (line *)object;
    bool zero = true;

    // a line needs a direction: x
    for (size_t i = 0; i < object->dof->coord; i++) zero = zero && self->direction[i] == 0;
    if (zero) self->direction[0] = 1;

    if (!st_all_finite(self->origin, object->dof->coord))
        return st_invalid(object, "the origin holds a number that is not finite");
    return st_subspace_init(object, self->direction, false);
}

static void line_position(st_projection *base, st_coord_id id) {
    st_subspace_position(base, id, ((line *)base)->origin, 0, 1);
}

static const st_projection_ops ops = {
    .response = st_subspace_response,
    .velocity = st_subspace_velocity,
    .position = line_position,
    .columns = st_subspace_columns,
};

const st_class st_line_projective_constraint_class = {
    .name = "LineProjectiveConstraint",
    .help = "keeps points on a line",
    .parent = &st_subspace_class,
    .templates = "Vec2 Vec3",
    .fields = fields,
    .size = sizeof(line),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0  2 0 0\"/>\n"
               "<UniformMass totalMass=\"3\"/>\n"
               "<LineProjectiveConstraint indices=\"0 2\" origin=\"0 1 0\" direction=\"1 1 0\"/>",
    .init = line_init,
    .reinit = line_init,
    .projection = &ops,
};
