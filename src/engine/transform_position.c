// TransformPosition: moves points by one of several methods.
//
//     projectOnPlane            x - n (n . (x - origin)), n the unit normal
//     translation               x + translation
//     rotation                  R x, R = Rz Ry Rx from angles in degrees
//     random                    x + a random offset of at most maxRandomDisplacement along each axis
//     scale                     scale x (by factors of the axes)
//     scaleTranslation          scale x + translation
//     scaleRotationTranslation  R (scale x) + translation
//     affine                    matrix (x, 1)
//     fromFile                  the same with a matrix from a file:
//                                 .tfm   ITK: "Parameters:" with twelve numbers, the rotation's rows, then translation
//                                 .trm   translation, then three rows
//                                 other  twelve or sixteen numbers, row by row
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/text.h"
#include "engine/engine.h"
#include "engine/random.h"
#include "math/quat.h"
#include "topology/file/mesh_file.h"

typedef enum method {
    PROJECT_ON_PLANE,
    TRANSLATION,
    ROTATION,
    RANDOM,
    SCALE,
    SCALE_TRANSLATION,
    SCALE_ROTATION_TRANSLATION,
    AFFINE,
    FROM_FILE,
} method;

typedef struct transform_position {
    st_object object;
    st_real origin[3], normal[3], translation[3], rotation[3], scale[3], matrix[16];
    st_reals input, output;
    int32_t method;
    int32_t seed;
    st_real max_random;
    st_uints fixed;
    char *filename;
    bool draw[2];
    st_real point_size;
    st_real affine[12]; // rows of what is applied: `matrix`, or the one of the file
} transform_position;

static const char *const methods[] = {
    "projectOnPlane",           "translation", "rotation", "random", "scale", "scaleTranslation",
    "scaleRotationTranslation", "affine",      "fromFile", NULL,
};

static const st_field fields[] = {
    ST_INPUT(transform_position, origin, "origin", st_type_vec3, "0 0 0", "a point of the plane"),
    ST_INPUT(transform_position, input, "input_position", st_type_vec3s, NULL, "points", .aliases = "inputPosition"),
    ST_INPUT(transform_position, normal, "normal", st_type_vec3, "0 0 0", "normal of the plane"),
    ST_INPUT(transform_position, translation, "translation", st_type_vec3, "0 0 0", "translation"),
    ST_INPUT(transform_position, rotation, "rotation", st_type_vec3, "0 0 0", "angles about x, y and z in degrees"),
    ST_INPUT(transform_position, scale, "scale", st_type_vec3, "1 1 1", "factors of the coordinates"),
    ST_INPUT(transform_position, matrix, "matrix", st_type_mat4, "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1",
             "matrix of the method affine"),
    ST_INPUT(transform_position, method, "method", st_type_option, "projectOnPlane", "what is done",
             .options = methods),
    ST_INPUT(transform_position, seed, "seedValue", st_type_int, "0", "start of the random numbers"),
    ST_INPUT(transform_position, max_random, "maxRandomDisplacement", st_type_real, "1",
             "largest random offset along each axis"),
    ST_INPUT(transform_position, fixed, "fixedIndices", st_type_indices, NULL, "points that stay where they are"),
    ST_INPUT(transform_position, filename, "filename", st_type_file, NULL, "file of the method fromFile"),
    ST_OUTPUT(transform_position, output, "output_position", st_type_vec3s, "points after the transformation",
              .aliases = "outputPosition"),
    ST_SHOWN(transform_position, draw[0], "drawInput", st_type_bool, "0", "draw the points before"),
    ST_SHOWN(transform_position, draw[1], "drawOutput", st_type_bool, "0", "draw the points after"),
    ST_SHOWN(transform_position, point_size, "pointSize", st_type_real, "1", "size of the points drawn"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// The matrix of a file
// ---------------------------------------------------------------------------------------------------

// Up to 16 numbers of the file, or of the line that begins with the key.
static size_t read_numbers(st_mesh_file *file, const char *key, st_real values[16]) {
    const char *begin, *end;
    size_t count = 0;

    while (count < 16 && st_mesh_file_line(file, &begin, &end)) {
        const size_t length = key ? strlen(key) : 0;

        // with a key: only what follows it in its line
        if (key && ((size_t)(end - begin) < length || memcmp(begin, key, length) != 0)) continue;

        begin += length;
        while (count < 16 && st_text_read_real(&begin, end, &values[count]) == ST_TEXT_OK) count++;
    }
    return count;
}

static bool arrange(const char *name, const st_real values[16], size_t count, st_real rows[12]) {
    const bool itk = st_text_ends_with(name, ".tfm"), trm = st_text_ends_with(name, ".trm");

    if (count < 12 || ((itk || trm) && count != 12) || (count != 12 && count != 16)) return false;

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            const int translation = itk ? 9 + i : i, row = itk ? 3 * i + j : 3 + 3 * i + j;

            // .tfm: rows, then the translation; .trm: the translation, then the rows; else rows of four
            rows[4 * i + j] = !itk && !trm ? values[4 * i + j] : values[j == 3 ? translation : row];
        }
    return true;
}

static void transform_position_identity(st_real rows[12]) {
    for (int i = 0; i < 12; i++) rows[i] = i % 5 == 0;
}

static void transform_position_read_file(transform_position *engine) {
    st_mesh_file file;
    st_real values[16];

    // the identity, unless the file gives another map
    transform_position_identity(engine->affine);
    if (!st_mesh_file_open(&file, &engine->object, engine->filename)) return;

    const size_t count =
        read_numbers(&file, st_text_ends_with(engine->filename, ".tfm") ? "Parameters:" : NULL, values);

    if (!arrange(engine->filename, values, count, engine->affine))
        st_mesh_file_problem(&file, file.line, "a transformation of 12 or 16 numbers is expected, there are %zu",
                             count);

    st_mesh_file_close(&file);
}

// ---------------------------------------------------------------------------------------------------
// One point
// ---------------------------------------------------------------------------------------------------

static void transform_position_project(const transform_position *engine, st_real p[3]) {
    st_real n[3], offset[3];

    st_vec3_normalize(n, engine->normal);
    st_vec3_sub(offset, p, engine->origin);

    st_vec3_add_scaled(p, p, n, -st_vec3_dot(n, offset));
}

static void transform_position_multiply(st_real p[3], const st_real rows[12]) {
    st_real r[3];
    for (int i = 0; i < 3; i++) r[i] = st_vec3_dot(rows + 4 * i, p) + rows[4 * i + 3];
    st_vec3_copy(p, r);
}

static void scale_point(const transform_position *engine, st_real p[3]) {
    for (int i = 0; i < 3; i++) p[i] *= engine->scale[i];
}

static void shake(const transform_position *engine, st_random *random, st_real p[3]) {
    for (int i = 0; i < 3; i++) p[i] += (2 * st_random_real(random) - 1) * engine->max_random;
}

static void transform_position_transform(const transform_position *engine, const st_real q[4], st_random *random,
                                         st_real p[3]) {
    switch ((method)engine->method) {
    case PROJECT_ON_PLANE: transform_position_project(engine, p); break;
    case TRANSLATION: st_vec3_add(p, p, engine->translation); break;
    case ROTATION: st_quat_rotate(p, q, p); break;
    case RANDOM: shake(engine, random, p); break;
    case SCALE: scale_point(engine, p); break;

    // several operations, in the order of the name
    case SCALE_TRANSLATION:
        scale_point(engine, p);
        st_vec3_add(p, p, engine->translation);
        break;
    case SCALE_ROTATION_TRANSLATION:
        scale_point(engine, p);
        st_quat_rotate(p, q, p);
        st_vec3_add(p, p, engine->translation);
        break;

    case AFFINE:
    case FROM_FILE: transform_position_multiply(p, engine->affine); break;
    }
}

static void transform_position_update(st_object *object) {
    transform_position *engine = (transform_position *)object;
    st_random random = {(uint64_t)(int64_t)engine->seed};
    st_real angles[3], q[4];

    // what is the same for all points: the rotation and the affine map
    for (int i = 0; i < 3; i++) angles[i] = engine->rotation[i] * ST_PI / 180;
    st_quat_from_euler(q, angles);
    if (engine->method == FROM_FILE) transform_position_read_file(engine);
    else st_copy_reals(engine->affine, engine->matrix, 12);

    const bool ok = st_engine_resize(object, &engine->output, engine->input.count);
    if (ok) st_copy_reals(engine->output.data, engine->input.data, 3 * engine->input.count);

    // points that are fixed go back to where they were
    for (size_t i = 0; ok && i < engine->output.count; i++)
        transform_position_transform(engine, q, &random, engine->output.data + 3 * i);
    for (size_t k = 0; ok && k < engine->fixed.count; k++) {
        const size_t i = engine->fixed.data[k];
        if (i < engine->input.count) st_vec3_copy(engine->output.data + 3 * i, engine->input.data + 3 * i);
    }

    st_engine_done(object, ok);
}

const st_class st_transform_position_class = {
    .name = "TransformPosition",
    .help = "moves points: projection, translation, rotation, scaling, random offsets, an affine map",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(transform_position),
    .update = transform_position_update,
};
