// MergeVectors: several lists, one behind the other.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct merge_vectors {
    st_object object;
    uint32_t input_count;
    st_reals inputs[ST_ENGINE_INPUTS];
    st_reals output;
} merge_vectors;

#define VECTOR(n) ST_INPUT(merge_vectors, inputs[n - 1], "input" #n, st_type_coords, NULL, "list " #n),

static const st_field fields[] = {
    ST_INPUT(merge_vectors, input_count, "nbInputs", st_type_uint, "2", "number of lists"),
    ST_EACH_INPUT(VECTOR) ST_OUTPUT(merge_vectors, output, "output", st_type_coords, "all of them"),
    ST_FIELDS_END,
};

static void merge_vectors_update(st_object *object) {
    merge_vectors *engine = (merge_vectors *)object;
    const size_t width = st_engine_width(object), lists = st_engine_inputs(object, engine->input_count);
    bool ok = true;
    engine->output.count = 0;

    for (size_t k = 0; k < lists && ok; k++) {
        const size_t at = engine->output.count, count = engine->inputs[k].count;
        ok = st_list_set_count(&engine->output, at + count, width);
        if (ok) st_copy_reals(engine->output.data + at * width, engine->inputs[k].data, count * width);
    }

    st_engine_done(object, ok);
}

const st_class st_merge_vectors_class = {
    .name = "MergeVectors",
    .help = "puts several lists together",
    .parent = &st_engine_class,
    .templates = ST_VECTOR_TEMPLATES,
    .default_template = "vector<d>",
    .fields = fields,
    .size = sizeof(merge_vectors),
    .accepts = st_engine_accept_values,
    .update = merge_vectors_update,
};
