// SumEngine: the sum of all elements of a list.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct sum_engine {
    st_object object;
    st_reals input;
    st_real output[ST_WIDTH_MAX];
} sum_engine;

static const st_field fields[] = {
    ST_INPUT(sum_engine, input, "input", st_type_coords, NULL, "values"),
    ST_OUTPUT(sum_engine, output, "output", st_type_coord, "their sum"),
    ST_FIELDS_END,
};

static void sum_engine_update(st_object *object) {
    sum_engine *engine = (sum_engine *)object;
    const size_t width = st_engine_width(object);

    for (size_t k = 0; k < width; k++) engine->output[k] = 0;
    for (size_t i = 0; i < engine->input.count; i++)
        for (size_t k = 0; k < width; k++) engine->output[k] += engine->input.data[i * width + k];

    st_engine_done(object, true);
}

const st_class st_sum_engine_class = {
    .name = "SumEngine",
    .help = "sums a list",
    .parent = &st_engine_class,
    .templates = "d Vec1 Vec2 Vec3 Vec4 Vec6",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(sum_engine),
    .accepts = st_engine_accept_values,
    .update = sum_engine_update,
};
