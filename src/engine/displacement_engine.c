// DisplacementTransformEngine and DisplacementMatrixEngine: how far rigid frames have moved from where they were,
//
//     x · x0^-1     as rigid frames or as 4×4 matrices
//
// The latter engine multiplies its matrices by the scaling of each frame.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "engine/engine.h"
#include "engine/rigids.h"
#include "math/rigid.h"

typedef struct displacement_engine {
    st_object object;
    st_reals x0, x, scales;
    st_reals displacements; // 7 or 16 reals each
} displacement_engine;

static const st_dof matrix = {.name = "Mat4x4", .coord = 16, .deriv = 16, .spatial = 3};

static const st_type displacements_type = {
    .name = "list of rigid coordinates or 4x4 matrices, by the template",
    .scalar = ST_SCALAR_REAL,
    .width = ST_WIDTH_COORD,
    .list = true,
    .syntax = ST_SYNTAX_MATRIX,
};

static const st_field fields[] = {
    ST_INPUT(displacement_engine, x0, "x0", st_type_rigids, NULL, "frames at rest"),
    ST_INPUT(displacement_engine, x, "x", st_type_rigids, NULL, "frames now"),
    ST_OUTPUT(displacement_engine, displacements, "displacements", displacements_type, "x x0^-1 of each frame"),
    ST_FIELDS_END,
};
static const st_field matrix_fields[] = {
    ST_INPUT(displacement_engine, scales, "scales", st_type_vec3s, NULL, "factors of each frame along its axes"),
    ST_FIELDS_END,
};

// The output has its own width; it is carried by object->dof, which nothing else of these engines uses.
static bool displacement_engine_accepts(st_object *object) {
    const bool rigid = object->template_ && strcmp(object->template_, "Rigid3,Rigid3") == 0;
    object->dof = rigid ? &st_rigid3 : &matrix;
    return true;
}

// The inverse frame: -q^-1 c, q^-1.
static void inverse(st_real r[7], const st_real a[7]) {
    st_real center[3], q[4];

    st_quat_inverse(q, a + 3);
    st_quat_rotate(center, q, a);
    st_vec3_negate(center, center);
    st_rigid_set(r, center, q);
}

static void to_matrix(st_real m[16], const st_real frame[7], const st_real scale[3]) {
    st_real r[9];

    st_quat_to_matrix(r, frame + 3);

    memset(m, 0, 16 * sizeof *m);

    // columns of the rotation times the scaling
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) m[4 * i + j] = r[3 * i + j] * scale[j];
        m[4 * i + 3] = frame[i];
    }

    m[15] = 1;
}

static void displacement_engine_write(displacement_engine *engine, size_t i) {
    static const st_real ones[3] = {1, 1, 1};
    st_real moved[7];

    // moved = x x0^-1
    inverse(moved, engine->x0.data + 7 * i);
    st_rigid_multiply(moved, engine->x.data + 7 * i, moved);

    const size_t width = st_engine_width(&engine->object);
    st_real *out = engine->displacements.data + i * width;
    if (width == 7) st_copy_reals(out, moved, 7);
    else to_matrix(out, moved, i < engine->scales.count ? engine->scales.data + 3 * i : ones);
}

static void displacement_engine_update(st_object *object) {
    displacement_engine *engine = (displacement_engine *)object;
    const size_t count = engine->x.count < engine->x0.count ? engine->x.count : engine->x0.count;
    if (engine->x.count != engine->x0.count)
        st_message(object, ST_WARNING, "x has %zu frames, x0 has %zu: the first %zu are used", engine->x.count,
                   engine->x0.count, count);

    const bool ok = st_engine_resize(object, &engine->displacements, count);
    for (size_t i = 0; ok && i < count; i++) displacement_engine_write(engine, i);
    st_engine_done(object, ok);
}

const st_class st_displacement_transform_engine_class = {
    .name = "DisplacementTransformEngine",
    .help = "gives how far rigid frames have moved",
    .parent = &st_engine_class,
    .templates = "Rigid3,Mat4x4 Rigid3,Rigid3",
    .default_template = "Rigid3,Mat4x4",
    .fields = fields,
    .size = sizeof(displacement_engine),
    .accepts = displacement_engine_accepts,
    .update = displacement_engine_update,
};
const st_class st_displacement_matrix_engine_class = {
    .name = "DisplacementMatrixEngine",
    .help = "gives how far rigid frames have moved, as matrices",
    .parent = &st_displacement_transform_engine_class,
    .templates = "Rigid3",
    .default_template = "Rigid3",
    .fields = matrix_fields,
    .size = sizeof(displacement_engine),
};
