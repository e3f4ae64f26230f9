// PointsFromIndices: the positions of some points, without those whose coordinates came before.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct points_from_indices {
    st_object object;
    st_reals position, picked;
    st_uints indices;
} points_from_indices;

static const st_field fields[] = {
    ST_INPUT(points_from_indices, position, "position", st_type_coords, NULL, "all points"),
    ST_INPUT(points_from_indices, indices, "indices", st_type_indices, NULL, "which of them"),
    ST_OUTPUT(points_from_indices, picked, "indices_position", st_type_coords, "positions of those points, each once"),
    ST_FIELDS_END,
};

static bool points_from_indices_contains(const st_reals *list, const st_real *p, size_t width) {
    for (size_t i = 0; i < list->count; i++) {
        size_t k = 0;
        while (k < width && list->data[i * width + k] == p[k]) k++;
        if (k == width) return true;
    }
    return false;
}

static st_status points_from_indices_init(st_object *object) {
    st_engine_link_state(object, &((points_from_indices *)object)->position, "rest_position");
    return ST_OK;
}

static void points_from_indices_update(st_object *object) {
    points_from_indices *engine = (points_from_indices *)object;
    const size_t width = st_engine_width(object);

    engine->picked.count = 0;
    bool ok = true;

    for (size_t i = 0; i < engine->indices.count && ok; i++) {
        const uint32_t index = engine->indices.data[i];
        if (index >= engine->position.count) continue;

        const st_real *p = engine->position.data + index * width;

        // each place once
        if (!points_from_indices_contains(&engine->picked, p, width)) ok = st_push_reals(&engine->picked, p, width);
    }

    st_engine_done(object, ok);
}

const st_class st_points_from_indices_class = {
    .name = "PointsFromIndices",
    .help = "picks points by index",
    .parent = &st_engine_class,
    .templates = "Vec3 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(points_from_indices),
    .init = points_from_indices_init,
    .update = points_from_indices_update,
};
