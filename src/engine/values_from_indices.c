// ValuesFromIndices: out[k] = in[indices[k]].
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct values_from_indices {
    st_object object;
    st_reals in, out;
    st_uints indices;
} values_from_indices;

static const st_field fields[] = {
    ST_INPUT(values_from_indices, in, "in", st_type_coords, NULL, "values"),
    ST_INPUT(values_from_indices, indices, "indices", st_type_indices, NULL, "which of them"),
    ST_OUTPUT(values_from_indices, out, "out", st_type_coords, "the values of those indices"),
    ST_FIELDS_END,
};

static void values_from_indices_update(st_object *object) {
    values_from_indices *engine = (values_from_indices *)object;
    const size_t width = st_engine_width(object);

    engine->out.count = 0;
    bool ok = true;

    for (size_t k = 0; k < engine->indices.count && ok; k++) {
        const uint32_t index = engine->indices.data[k];

        // a wrong index is an error, and shortens the output
        if (index < engine->in.count) ok = st_push_reals(&engine->out, engine->in.data + index * width, width);
        else
            st_message(object, ST_ERROR, "indices[%zu] is %lu; there are %zu values", k, (unsigned long)index,
                       engine->in.count);
    }

    st_engine_done(object, ok);
}

const st_class st_values_from_indices_class = {
    .name = "ValuesFromIndices",
    .help = "picks values by index",
    .parent = &st_engine_class,
    .templates = ST_VALUE_TEMPLATES,
    .default_template = "d",
    .fields = fields,
    .size = sizeof(values_from_indices),
    .accepts = st_engine_accept_values,
    .update = values_from_indices_update,
};
