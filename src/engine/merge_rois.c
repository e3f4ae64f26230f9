// MergeROIs: several selections as one list of lists.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "engine/rows.h"

typedef struct merge_rois {
    st_object object;
    uint32_t roi_count;
    st_uints indices[ST_ENGINE_INPUTS];
    st_strings roi_indices;
} merge_rois;

#define ROI(n) ST_INPUT(merge_rois, indices[n - 1], "indices" #n, st_type_indices, NULL, "selection " #n),

static const st_field fields[] = {
    ST_INPUT(merge_rois, roi_count, "nbROIs", st_type_uint, "0", "number of selections"),
    ST_EACH_INPUT(ROI) ST_OUTPUT(merge_rois, roi_indices, "roiIndices", st_type_rows, "the selections, one list each"),
    ST_FIELDS_END,
};

static void merge_rois_update(st_object *object) {
    merge_rois *engine = (merge_rois *)object;
    const size_t count = st_engine_inputs(object, engine->roi_count);
    st_rows rows = {0};
    bool ok = true;

    for (size_t i = 0; i < count && ok; i++) ok = st_rows_add(&rows, engine->indices[i].data, engine->indices[i].count);
    ok = ok && st_rows_write(&rows, &engine->roi_indices);

    st_rows_free(&rows);
    st_engine_done(object, ok);
}

const st_class st_merge_rois_class = {
    .name = "MergeROIs",
    .help = "gathers several selections into a list of lists",
    .parent = &st_engine_class,
    .fields = fields,
    .size = sizeof(merge_rois),
    .update = merge_rois_update,
};
