// Engines on 4×4 matrices: InvertTransformMatrixEngine, and TranslateTransformMatrixEngine, RotateTransformMatrixEngine
// and ScaleTransformMatrixEngine, which give out = in · T.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "math/dense.h"
#include "math/quat.h"

typedef struct matrix_engine {
    st_object object;
    st_real in[16], out[16];
    st_real amount[3]; // offset, angles or factors
} matrix_engine;

#define IDENTITY "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"

static const st_field fields[] = {
    ST_INPUT(matrix_engine, in, "inT", st_type_mat4, IDENTITY, "matrix"),
    ST_OUTPUT(matrix_engine, out, "outT", st_type_mat4, "matrix after the operation"),
    ST_FIELDS_END,
};
static const st_field translate_fields[] = {
    ST_INPUT(matrix_engine, amount, "translation", st_type_vec3, "0 0 0", "offset"),
    ST_FIELDS_END,
};
static const st_field rotate_fields[] = {
    ST_INPUT(matrix_engine, amount, "rotation", st_type_vec3, "0 0 0", "angles about x, y and z in degrees"),
    ST_FIELDS_END,
};
static const st_field scale_fields[] = {
    ST_INPUT(matrix_engine, amount, "scale", st_type_vec3, "1 1 1", "factors"),
    ST_FIELDS_END,
};

static void transform_matrix_engine_identity(st_real m[16]) {
    for (int i = 0; i < 16; i++) m[i] = i % 5 == 0;
}

static void transform_matrix_engine_finish(matrix_engine *engine, const st_real t[16]) {
    st_dense_multiply(engine->out, engine->in, t, 4, 4, 4);
    st_engine_done(&engine->object, true);
}

static void transform_matrix_engine_invert(st_object *object) {
    matrix_engine *engine = (matrix_engine *)object;

    if (!st_dense_inverse(engine->out, engine->in, 4)) {
        transform_matrix_engine_identity(engine->out);
        st_message(object, ST_ERROR, "inT has no inverse: the identity is given");
    }

    st_engine_done(object, true);
}

static void transform_matrix_engine_translate(st_object *object) {
    const matrix_engine *engine = (const matrix_engine *)object;
    st_real t[16];

    transform_matrix_engine_identity(t);
    for (int i = 0; i < 3; i++) t[4 * i + 3] = engine->amount[i];

    transform_matrix_engine_finish((matrix_engine *)object, t);
}

static void transform_matrix_engine_rotate(st_object *object) {
    const matrix_engine *engine = (const matrix_engine *)object;
    st_real t[16], angles[3], q[4], r[9];

    transform_matrix_engine_identity(t);

    // R = Rz Ry Rx from angles in degrees
    for (int i = 0; i < 3; i++) angles[i] = engine->amount[i] * ST_PI / 180;
    st_quat_from_euler(q, angles);
    st_quat_to_matrix(r, q);

    for (int i = 0; i < 3; i++) st_vec3_copy(t + 4 * i, r + 3 * i);
    transform_matrix_engine_finish((matrix_engine *)object, t);
}

static void transform_matrix_engine_scale(st_object *object) {
    const matrix_engine *engine = (const matrix_engine *)object;
    st_real t[16];

    transform_matrix_engine_identity(t);
    for (int i = 0; i < 3; i++) t[5 * i] = engine->amount[i];

    transform_matrix_engine_finish((matrix_engine *)object, t);
}

static const st_class matrix_engine_class = {
    .name = "AbstractTransformMatrixEngine",
    .help = "what engines on 4x4 matrices have",
    .parent = &st_engine_class,
    .fields = fields,
    .size = sizeof(matrix_engine),
    .flags = ST_CLASS_ABSTRACT,
};

const st_class st_invert_transform_matrix_engine_class = {
    .name = "InvertTransformMatrixEngine",
    .help = "inverts a 4x4 matrix",
    .parent = &matrix_engine_class,
    .update = transform_matrix_engine_invert,
};
const st_class st_translate_transform_matrix_engine_class = {
    .name = "TranslateTransformMatrixEngine",
    .help = "multiplies a 4x4 matrix by a translation",
    .parent = &matrix_engine_class,
    .fields = translate_fields,
    .update = transform_matrix_engine_translate,
};
const st_class st_rotate_transform_matrix_engine_class = {
    .name = "RotateTransformMatrixEngine",
    .help = "multiplies a 4x4 matrix by a rotation",
    .parent = &matrix_engine_class,
    .fields = rotate_fields,
    .update = transform_matrix_engine_rotate,
};
const st_class st_scale_transform_matrix_engine_class = {
    .name = "ScaleTransformMatrixEngine",
    .help = "multiplies a 4x4 matrix by a scaling",
    .parent = &matrix_engine_class,
    .fields = scale_fields,
    .update = transform_matrix_engine_scale,
};
