// DifferenceEngine: output = input - substractor, element by element.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct difference_engine {
    st_object object;
    st_reals input, substractor, output;
} difference_engine;

static const st_field fields[] = {
    ST_INPUT(difference_engine, input, "input", st_type_coords, NULL, "values"),
    ST_INPUT(difference_engine, substractor, "substractor", st_type_coords, NULL, "values to take away"),
    ST_OUTPUT(difference_engine, output, "output", st_type_coords, "differences"),
    ST_FIELDS_END,
};

static void difference_engine_update(st_object *object) {
    difference_engine *engine = (difference_engine *)object;

    if (engine->input.count != engine->substractor.count) {
        st_message(object, ST_WARNING, "input has %zu values, substractor %zu: nothing is computed",
                   engine->input.count, engine->substractor.count);
        return;
    }

    const bool ok = st_engine_resize(object, &engine->output, engine->input.count);
    for (size_t i = 0; ok && i < engine->input.count * st_engine_width(object); i++)
        engine->output.data[i] = engine->input.data[i] - engine->substractor.data[i];
    st_engine_done(object, ok);
}

const st_class st_difference_engine_class = {
    .name = "DifferenceEngine",
    .help = "subtracts two lists",
    .parent = &st_engine_class,
    .templates = "d Vec1 Vec2 Vec3 Vec4 Vec6",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(difference_engine),
    .accepts = st_engine_accept_values,
    .update = difference_engine_update,
};
