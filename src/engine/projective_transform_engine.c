// ProjectiveTransformEngine: the picture of points in a camera: y = P (x, 1), then y · focal / y_z.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct projective_transform_engine {
    st_object object;
    st_reals input, output;
    st_real matrix[12]; // 3 x 4, row by row
    st_real focal;
} projective_transform_engine;

static const st_type matrix_type = {
    .name = "3x4 matrix",
    .scalar = ST_SCALAR_REAL,
    .width = 12,
    .syntax = ST_SYNTAX_PLAIN,
};

static const st_field fields[] = {
    ST_INPUT(projective_transform_engine, input, "input_position", st_type_vec3s, NULL, "points"),
    ST_INPUT(projective_transform_engine, matrix, "proj_mat", matrix_type, "1 0 0 0  0 1 0 0  0 0 1 0",
             "projection, row by row"),
    ST_INPUT(projective_transform_engine, focal, "focal_distance", st_type_real, "1", "focal distance"),
    ST_OUTPUT(projective_transform_engine, output, "output_position", st_type_vec3s, "their pictures"),
    ST_FIELDS_END,
};

static void projective_transform_engine_project(const projective_transform_engine *engine, st_real y[3],
                                                const st_real x[3]) {
    for (int i = 0; i < 3; i++) {
        const st_real *row = engine->matrix + 4 * i;
        y[i] = st_vec3_dot(row, x) + row[3];
    }

    // points in the plane of the camera have no picture: they stay
    if (y[2] != 0) st_vec3_scale(y, y, engine->focal / y[2]);
}

static void projective_transform_engine_update(st_object *object) {
    projective_transform_engine *engine = (projective_transform_engine *)object;
    const bool ok = st_engine_resize(object, &engine->output, engine->input.count);
    for (size_t i = 0; ok && i < engine->input.count; i++)
        projective_transform_engine_project(engine, engine->output.data + 3 * i, engine->input.data + 3 * i);

    st_engine_done(object, ok);
}

const st_class st_projective_transform_engine_class = {
    .name = "ProjectiveTransformEngine",
    .help = "projects points into the picture of a camera",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(projective_transform_engine),
    .update = projective_transform_engine_update,
};
