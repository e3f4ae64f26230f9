// PointCollisionModel: every DOF of a state is a point.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/collision.h"

typedef struct point_model {
    st_collision_model base;
    bool compute_normals, show_free;
} point_model;

static const st_field fields[] = {
    ST_FIELD(point_model, compute_normals, "computeNormals", st_type_bool, "0",
             "normals of the points, which only tests with tetrahedra ask for", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(point_model, show_free, "displayFreePosition", st_type_bool, "0", "draw the free motion",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// Points of one model never touch each other.
static bool point_model_may_touch(const st_collision_model *model, size_t i, const st_collision_model *other,
                                  size_t j) {
    (void)i, (void)j;
    return other != model;
}

static st_status point_model_init(st_object *object) {
    ((st_collision_model *)object)->primitive = ST_PRIMITIVE_POINT;
    return st_mesh_collision_model_class.init(object);
}

static const st_collision_model_ops ops = {.may_touch = point_model_may_touch};

const st_class st_point_collision_model_class = {
    .name = "PointCollisionModel",
    .help = "points of a state, that touch other models",
    .parent = &st_mesh_collision_model_class,
    .fields = fields,
    .size = sizeof(point_model),
    .init = point_model_init,
    .collision_model = &ops,
};
