// MapIndices: renumbers indices, scalar by scalar: i becomes indices[i], or, transposed, the place of i in `indices`.
// Numbers without a counterpart stay.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct map_indices {
    st_object object;
    st_reals in, out;
    st_uints indices;
    bool transpose;
} map_indices;

static const st_field fields[] = {
    ST_INPUT(map_indices, in, "in", st_type_coords, NULL, "indices to renumber"),
    ST_INPUT(map_indices, indices, "indices", st_type_indices, NULL, "the new number of each index"),
    ST_INPUT(map_indices, transpose, "transpose", st_type_bool, "0", "renumber the other way round"),
    ST_OUTPUT(map_indices, out, "out", st_type_coords, "indices after renumbering"),
    ST_FIELDS_END,
};

static st_real map_indices_renumber(const map_indices *engine, st_real number) {
    const size_t count = engine->indices.count;

    if (!engine->transpose)
        return number >= 0 && number < (st_real)count ? (st_real)engine->indices.data[(size_t)number] : number;

    // transposed: the place of the number in the list
    for (size_t i = 0; i < count; i++)
        if ((st_real)engine->indices.data[i] == number) return (st_real)i;
    return number;
}

static void map_indices_update(st_object *object) {
    map_indices *engine = (map_indices *)object;
    const bool ok = st_engine_resize(object, &engine->out, engine->in.count);
    for (size_t i = 0; ok && i < engine->in.count * st_engine_width(object); i++)
        engine->out.data[i] = map_indices_renumber(engine, engine->in.data[i]);

    st_engine_done(object, ok);
}

const st_class st_map_indices_class = {
    .name = "MapIndices",
    .help = "renumbers indices",
    .parent = &st_engine_class,
    .templates = ST_VALUE_TEMPLATES,
    .default_template = "i",
    .fields = fields,
    .size = sizeof(map_indices),
    .accepts = st_engine_accept_values,
    .update = map_indices_update,
};
