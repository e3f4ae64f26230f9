// IndicesFromValues: where each of some values is in a longer list: the first place, or all of them.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct indices_from_values {
    st_object object;
    st_reals values, global;
    bool recursive;
    st_uints indices;
} indices_from_values;

static const st_field fields[] = {
    ST_INPUT(indices_from_values, values, "values", st_type_coords, NULL, "values to look for"),
    ST_INPUT(indices_from_values, global, "global", st_type_coords, NULL, "list in which they are looked for"),
    ST_INPUT(indices_from_values, recursive, "recursiveSearch", st_type_bool, "0",
             "give all places of a value, not the first alone"),
    ST_OUTPUT(indices_from_values, indices, "indices", st_type_indices, "places of the values in `global`"),
    ST_FIELDS_END,
};

static bool equal(const st_real *a, const st_real *b, size_t width) {
    for (size_t i = 0; i < width; i++)
        if (!(a[i] == b[i])) return false;
    return true;
}

static bool find_places(indices_from_values *engine, size_t k) {
    const size_t width = st_engine_width(&engine->object), before = engine->indices.count;
    const st_real *value = engine->values.data + k * width;

    for (size_t i = 0; i < engine->global.count; i++) {
        if (!equal(value, engine->global.data + i * width, width)) continue;
        if (!st_list_push(&engine->indices, (uint32_t)i)) return false;

        // the first place is enough, unless all are asked for
        if (!engine->recursive) return true;
    }

    if (engine->indices.count == before)
        st_message(&engine->object, ST_ERROR, "value %zu is not among the %zu values of `global`", k,
                   engine->global.count);
    return true;
}

static void indices_from_values_update(st_object *object) {
    indices_from_values *engine = (indices_from_values *)object;

    engine->indices.count = 0;
    bool ok = true;

    for (size_t k = 0; k < engine->values.count && ok; k++) ok = find_places(engine, k);
    st_engine_done(object, ok);
}

const st_class st_indices_from_values_class = {
    .name = "IndicesFromValues",
    .help = "gives the places of values in a list",
    .parent = &st_engine_class,
    .templates = ST_VALUE_TEMPLATES,
    .default_template = "d",
    .fields = fields,
    .size = sizeof(indices_from_values),
    .accepts = st_engine_accept_values,
    .update = indices_from_values_update,
};
