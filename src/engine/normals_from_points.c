// NormalsFromPoints: unit normals of the vertices of a surface: the sum of the unit normals of their faces, each by its
// angle at the vertex when useAngles is on.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "engine/surface.h"

typedef struct normals_from_points {
    st_object object;
    st_reals position, normals;
    st_uints triangles, quads;
    bool invert, use_angles;
} normals_from_points;

static const st_field fields[] = {
    ST_INPUT(normals_from_points, position, "position", st_type_vec3s, NULL,
             "points; the positions of the state when not given"),
    ST_INPUT(normals_from_points, triangles, "triangles", st_type_triangles, NULL, "triangles"),
    ST_INPUT(normals_from_points, quads, "quads", st_type_quads, NULL, "quads"),
    ST_INPUT(normals_from_points, invert, "invertNormals", st_type_bool, "0", "turn the normals around"),
    ST_INPUT(normals_from_points, use_angles, "useAngles", st_type_bool, "0", "weigh faces by their angles"),
    ST_OUTPUT(normals_from_points, normals, "normals", st_type_vec3s, "one normal for each point"),
    ST_FIELDS_END,
};

static st_status normals_from_points_init(st_object *object) {
    st_engine_link_state(object, &((normals_from_points *)object)->position, "position");
    return ST_OK;
}

static void normals_from_points_update(st_object *object) {
    normals_from_points *engine = (normals_from_points *)object;
    const bool ok = st_engine_resize(object, &engine->normals, engine->position.count);
    const st_surface surface = {engine->position.data,   engine->position.count, engine->triangles.data,
                                engine->triangles.count, engine->quads.data,     engine->quads.count};
    if (ok) st_surface_normals(&surface, engine->use_angles ? ST_NORMAL_ANGLE : ST_NORMAL_UNIT, engine->normals.data);

    for (size_t i = 0; ok && engine->invert && i < 3 * engine->normals.count; i++)
        engine->normals.data[i] = -engine->normals.data[i];

    st_engine_done(object, ok);
}

const st_class st_normals_from_points_class = {
    .name = "NormalsFromPoints",
    .help = "computes the normals of a surface",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(normals_from_points),
    .init = normals_from_points_init,
    .update = normals_from_points_update,
};
