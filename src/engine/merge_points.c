// MergePoints: two lists of points as one: one after the other, or the second put into the first so that its point k
// has the index mappingX2[k] of the result.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct merge_points {
    st_object object;
    st_reals position[2];
    st_uints mapping;
    bool no_update;
    st_uints indices[2];
    st_reals points;
    bool done;
} merge_points;

static const st_field fields[] = {
    ST_INPUT(merge_points, position[0], "position1", st_type_coords, NULL, "first points"),
    ST_INPUT(merge_points, position[1], "position2", st_type_coords, NULL, "second points"),
    ST_INPUT(merge_points, mapping, "mappingX2", st_type_indices, NULL,
             "index in the result of each of the second points; none: behind the first ones"),
    ST_FIELD(merge_points, no_update, "noUpdate", st_type_bool, "0", "compute once only"),
    ST_OUTPUT(merge_points, indices[0], "indices1", st_type_indices, "where the first points are in the result"),
    ST_OUTPUT(merge_points, indices[1], "indices2", st_type_indices, "where the second points are in the result"),
    ST_OUTPUT(merge_points, points, "points", st_type_coords, "all points"),
    ST_FIELDS_END,
};

// For each place of the result the second point that goes there, ST_INVALID_INDEX: a first one.
static void assign_places(const merge_points *engine, uint32_t *second, size_t total) {
    const size_t own = engine->position[0].count, injected = engine->mapping.count;

    for (size_t i = 0; i < total; i++) second[i] = ST_INVALID_INDEX;

    // behind each other, or at the places that mappingX2 gives; the first one that asks for a place has it
    for (size_t k = 0; k < engine->position[1].count; k++) {
        const size_t at = injected == 0 ? own + k : k < injected ? engine->mapping.data[k] : SIZE_MAX;
        if (at < total && second[at] == ST_INVALID_INDEX) second[at] = (uint32_t)k;
        else
            st_message(&engine->object, ST_ERROR,
                       "mappingX2 gives no free place among %zu to point %zu: it is left out", total, k);
    }
}

static bool merge_points_fill(merge_points *engine, const uint32_t *second, size_t total) {
    const size_t width = st_engine_width(&engine->object);

    for (size_t i = 0, first = 0; i < total; i++) {
        // where no second point goes, the next of the first ones does
        const bool from_first = second[i] == ST_INVALID_INDEX;
        if (from_first && first == engine->position[0].count) continue;

        const st_real *p =
            from_first ? engine->position[0].data + width * first++ : engine->position[1].data + width * second[i];

        if (!st_list_push(&engine->indices[from_first ? 0 : 1], (uint32_t)engine->points.count) ||
            !st_push_reals(&engine->points, p, width))
            return false;
    }
    return true;
}

static void merge_points_update(st_object *object) {
    merge_points *engine = (merge_points *)object;

    // with noUpdate what was merged once stays
    if (engine->no_update && engine->done) return;

    const size_t total = engine->position[0].count + engine->position[1].count;
    uint32_t *second = st_alloc(total, sizeof *second);

    engine->points.count = engine->indices[0].count = engine->indices[1].count = 0;
    if (second) assign_places(engine, second, total);
    const bool ok = second && merge_points_fill(engine, second, total);

    st_free(second);
    engine->done = total > 0;
    st_engine_done(object, ok);
}

const st_class st_merge_points_class = {
    .name = "MergePoints",
    .help = "puts two lists of points together",
    .parent = &st_engine_class,
    .templates = "Vec1 Vec2 Vec3 Rigid2 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(merge_points),
    .update = merge_points_update,
};
