// IndexValueMapper: a list with one value at some indices. The other elements keep the input values; where there are
// none they have the default value.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct index_value_mapper {
    st_object object;
    st_reals input, output;
    st_uints indices;
    st_real value, default_value;
} index_value_mapper;

static const st_field fields[] = {
    ST_INPUT(index_value_mapper, input, "inputValues", st_type_reals, NULL, "values to start from"),
    ST_INPUT(index_value_mapper, indices, "indices", st_type_indices, NULL, "elements that get the value"),
    ST_INPUT(index_value_mapper, value, "value", st_type_real, "0", "the value"),
    ST_INPUT(index_value_mapper, default_value, "defaultValue", st_type_real, "1", "value of elements that have none"),
    ST_OUTPUT(index_value_mapper, output, "outputValues", st_type_reals, "values of all elements"),
    ST_FIELDS_END,
};

// Elements that the list must have. An index beyond all reason is an error and is left out.
static size_t needed(const index_value_mapper *engine) {
    size_t count = engine->input.count;

    for (size_t i = 0; i < engine->indices.count; i++) {
        const size_t index = engine->indices.data[i];
        if (index >= ST_ENGINE_LARGEST)
            st_message(&engine->object, ST_ERROR, "indices[%zu] is %zu: it is too large and left out", i, index);
        else if (index >= count) count = index + 1;
    }
    return count;
}

static void index_value_mapper_update(st_object *object) {
    index_value_mapper *engine = (index_value_mapper *)object;
    const size_t count = needed(engine);
    const bool ok = st_engine_resize(object, &engine->output, count);

    // inputs first, the default behind them
    if (ok) st_copy_reals(engine->output.data, engine->input.data, engine->input.count);
    for (size_t i = engine->input.count; ok && i < count; i++) engine->output.data[i] = engine->default_value;

    for (size_t i = 0; ok && i < engine->indices.count; i++)
        if (engine->indices.data[i] < count) engine->output.data[engine->indices.data[i]] = engine->value;

    st_engine_done(object, ok);
}

const st_class st_index_value_mapper_class = {
    .name = "IndexValueMapper",
    .help = "gives some elements of a list one value",
    .parent = &st_engine_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(index_value_mapper),
    .update = index_value_mapper_update,
};
