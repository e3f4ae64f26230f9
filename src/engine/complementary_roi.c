// ComplementaryROI: the points that belong to none of several selections.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct complementary_roi {
    st_object object;
    st_reals position;
    uint32_t set_count;
    st_uints sets[ST_ENGINE_INPUTS];
    st_uints indices;
    st_reals points_in;
} complementary_roi;

#define SET(n)                                                                                                         \
    ST_INPUT(complementary_roi, sets[n - 1], "setIndices" #n, st_type_indices, NULL, "points of selection " #n),

static const st_field fields[] = {
    ST_INPUT(complementary_roi, position, "position", st_type_coords, NULL, "all points"),
    ST_INPUT(complementary_roi, set_count, "nbSet", st_type_uint, "0", "number of selections"),
    ST_EACH_INPUT(SET)
        ST_OUTPUT(complementary_roi, indices, "indices", st_type_indices, "points that are in no selection"),
    ST_OUTPUT(complementary_roi, points_in, "pointsInROI", st_type_coords, "their positions"),
    ST_FIELDS_END,
};

static void mark(complementary_roi *roi, bool *taken) {
    const size_t sets = st_engine_inputs(&roi->object, roi->set_count);

    for (size_t s = 0; s < sets; s++)
        for (size_t i = 0; i < roi->sets[s].count; i++) {
            const uint32_t index = roi->sets[s].data[i];
            if (index < roi->position.count) taken[index] = true;
            else
                st_message(&roi->object, ST_ERROR, "setIndices%zu names point %lu; there are %zu points", s + 1,
                           (unsigned long)index, roi->position.count);
        }
}

static void complementary_roi_update(st_object *object) {
    complementary_roi *roi = (complementary_roi *)object;
    const size_t width = st_engine_width(object);

    roi->indices.count = roi->points_in.count = 0;

    // points that some selection names, then all others
    bool *taken = st_alloc(roi->position.count, sizeof *taken);
    bool ok = taken != NULL;
    if (ok) mark(roi, taken);

    for (size_t i = 0; ok && i < roi->position.count; i++) {
        if (taken[i]) continue;
        ok = st_list_push(&roi->indices, (uint32_t)i) &&
             st_push_reals(&roi->points_in, roi->position.data + i * width, width);
    }

    st_free(taken);
    st_engine_done(object, ok);
}

const st_class st_complementary_roi_class = {
    .name = "ComplementaryROI",
    .help = "selects the points that belong to none of several selections",
    .parent = &st_engine_class,
    .templates = "Vec3 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(complementary_roi),
    .update = complementary_roi_update,
};
