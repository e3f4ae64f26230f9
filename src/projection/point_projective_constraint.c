// PointProjectiveConstraint: points that are held at one place, x <- p, v <- 0.
//
// SPDX-License-Identifier: Apache-2.0
#include "projection/points.h"
#include "settee/plugin/change.h"

typedef struct at_point {
    st_points points;
    st_real point[6];
    st_real draw_size;
} at_point;

static const st_field fields[] = {
    ST_FIELD(at_point, points.indices, "indices", st_type_indices, "0", "the constrained points",
             .flags = ST_FIELD_TRACKED, .mesh = ST_INDICES(ST_POINT)),
    ST_FIELD(at_point, points.all, "fixAll", st_type_bool, "0", "hold every point"),
    ST_FIELD(at_point, point, "point", st_type_coord, NULL, "where they are held"),
    ST_FIELD(at_point, draw_size, "drawSize", st_type_real, "0", "size of the points drawn", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static st_status point_init(st_object *object) {
    if (!st_all_finite(((at_point *)object)->point, object->dof->coord))
        return st_invalid(object, "the point holds a number that is not finite");
    return st_points_init(object, ST_ERROR);
}

static void point_position(st_projection *base, st_coord_id id) {
    const at_point *self = (at_point *)base;
    st_real *x = base->state ? st_position_of(base->state, id) : NULL;
    const size_t width = base->object.dof->coord;

    if (!x) return;
    for (ST_EACH_POINT(&self->points, k, point))
        for (size_t j = 0; j < width; j++) x[point * width + j] = self->point[j];
}

static const st_projection_ops ops = {
    .response = st_points_response,
    .velocity = st_points_velocity,
    .position = point_position,
    .discard = st_points_discard,
    .columns = st_points_columns,
};

const st_class st_point_projective_constraint_class = {
    .name = "PointProjectiveConstraint",
    .help = "holds points at one place",
    .parent = &st_projection_class,
    .templates = "Vec1 Vec2 Vec3 Vec6",
    .fields = fields,
    .size = sizeof(at_point),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0  2 0 0\"/>\n"
               "<UniformMass totalMass=\"3\"/>\n"
               "<PointProjectiveConstraint indices=\"0 2\" point=\"1 2 3\"/>",
    .init = point_init,
    .changed = st_points_changed,
    .projection = &ops,
};
