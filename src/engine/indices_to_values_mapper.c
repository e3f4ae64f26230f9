// Indices2ValuesMapper: replaces numbers by values. An input value that equals indices[j] becomes values[j], any other
// one the default value.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct indices_to_values_mapper {
    st_object object;
    st_reals input, indices, values, output;
    st_real default_value;
} indices_to_values_mapper;

static const st_field fields[] = {
    ST_INPUT(indices_to_values_mapper, input, "inputValues", st_type_reals, NULL, "numbers to replace"),
    ST_INPUT(indices_to_values_mapper, indices, "indices", st_type_reals, NULL, "numbers to look for"),
    ST_INPUT(indices_to_values_mapper, values, "values", st_type_reals, NULL, "what each of them becomes"),
    ST_INPUT(indices_to_values_mapper, default_value, "defaultValue", st_type_real, "1", "what all others become"),
    ST_OUTPUT(indices_to_values_mapper, output, "outputValues", st_type_reals, "the values"),
    ST_FIELDS_END,
};

static st_real value_of(const indices_to_values_mapper *engine, st_real number) {
    for (size_t j = 0; j < engine->indices.count && j < engine->values.count; j++)
        if (engine->indices.data[j] == number) return engine->values.data[j];
    return engine->default_value;
}

static void indices_to_values_mapper_update(st_object *object) {
    indices_to_values_mapper *engine = (indices_to_values_mapper *)object;
    const bool ok = st_engine_resize(object, &engine->output, engine->input.count);
    for (size_t i = 0; ok && i < engine->input.count; i++)
        engine->output.data[i] = value_of(engine, engine->input.data[i]);

    st_engine_done(object, ok);
}

const st_class st_indices_to_values_mapper_class = {
    .name = "Indices2ValuesMapper",
    .help = "replaces numbers by values",
    .parent = &st_engine_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(indices_to_values_mapper),
    .update = indices_to_values_mapper_update,
};
