// ROIValueMapper: one value for each of several selections, as one list. Elements in no selection have the default
// value; where selections overlap the last one counts.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct roi_value_mapper {
    st_object object;
    uint32_t roi_count;
    st_uints indices[ST_ENGINE_INPUTS];
    st_real values[ST_ENGINE_INPUTS];
    st_real default_value;
    st_reals output;
} roi_value_mapper;

#define ROI(n)                                                                                                         \
    ST_INPUT(roi_value_mapper, indices[n - 1], "indices" #n, st_type_indices, NULL, "selection " #n),                  \
        ST_INPUT(roi_value_mapper, values[n - 1], "value" #n, st_type_real, "0", "value of selection " #n),

static const st_field fields[] = {
    ST_INPUT(roi_value_mapper, roi_count, "nbROIs", st_type_uint, "0", "number of selections"),
    ST_EACH_INPUT(ROI)
        ST_INPUT(roi_value_mapper, default_value, "defaultValue", st_type_real, "0", "value of all others"),
    ST_OUTPUT(roi_value_mapper, output, "outputValues", st_type_reals, "values of all elements"),
    ST_FIELDS_END,
};

static bool roi_value_mapper_write(roi_value_mapper *engine, size_t roi) {
    const st_uints *list = &engine->indices[roi];
    for (size_t i = 0; i < list->count; i++) {
        const size_t index = list->data[i], before = engine->output.count;

        if (index >= ST_ENGINE_LARGEST) {
            st_message(&engine->object, ST_ERROR, "indices%zu[%zu] is %zu: it is too large and left out", roi + 1, i,
                       index);
            continue;
        }

        // up to here nobody asked: the default value fills the gap
        if (index >= before) {
            if (!st_list_set_count(&engine->output, index + 1, 1)) return false;
            for (size_t k = before; k <= index; k++) engine->output.data[k] = engine->default_value;
        }

        engine->output.data[index] = engine->values[roi];
    }
    return true;
}

static void roi_value_mapper_update(st_object *object) {
    roi_value_mapper *engine = (roi_value_mapper *)object;
    const size_t rois = st_engine_inputs(object, engine->roi_count);
    bool ok = true;
    engine->output.count = 0;

    for (size_t roi = 0; roi < rois && ok; roi++) ok = roi_value_mapper_write(engine, roi);
    st_engine_done(object, ok);
}

const st_class st_roi_value_mapper_class = {
    .name = "ROIValueMapper",
    .help = "gives the elements of each selection a value",
    .parent = &st_engine_class,
    .fields = fields,
    .size = sizeof(roi_value_mapper),
    .update = roi_value_mapper_update,
};
