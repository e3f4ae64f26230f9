// SelectLabelROI: the indices whose list of labels holds one of the labels that are looked for.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "engine/rows.h"

typedef struct select_label_roi {
    st_object object;
    st_strings labels;
    st_uints selected;
    st_uints indices;
} select_label_roi;

static const st_field fields[] = {
    ST_INPUT(select_label_roi, labels, "labels", st_type_rows, NULL,
             "for each point or element the list of its labels"),
    ST_INPUT(select_label_roi, selected, "selectLabels", st_type_indices, NULL, "labels to look for"),
    ST_OUTPUT(select_label_roi, indices, "indices", st_type_indices, "points or elements that have one of them"),
    ST_FIELDS_END,
};

static bool meets(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count) {
    for (size_t i = 0; i < a_count; i++)
        for (size_t k = 0; k < b_count; k++)
            if (a[i] == b[k]) return true;
    return false;
}

static void select_label_roi_update(st_object *object) {
    select_label_roi *roi = (select_label_roi *)object;
    st_rows rows = {0};

    roi->indices.count = 0;
    bool ok = st_rows_read(&rows, &roi->labels);

    for (size_t r = 0; ok && r < st_rows_count(&rows); r++) {
        size_t count;
        const uint32_t *labels = st_row(&rows, r, &count);

        // selected when the labels have one in common
        if (meets(labels, count, roi->selected.data, roi->selected.count))
            ok = st_list_push(&roi->indices, (uint32_t)r);
    }

    st_rows_free(&rows);
    st_engine_done(object, ok);
}

const st_class st_select_label_roi_class = {
    .name = "SelectLabelROI",
    .help = "selects by label",
    .parent = &st_engine_class,
    .templates = "I",
    .default_template = "I",
    .fields = fields,
    .size = sizeof(select_label_roi),
    .update = select_label_roi_update,
};
