// SelectConnectedLabelsROI: the indices where two sources of labels meet. Index i is selected when, for a pair (a, b)
// of connectLabels, one source gives it the label a and another source the label b.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "engine/rows.h"

typedef struct select_connected_labels_roi {
    st_object object;
    uint32_t label_count;
    st_strings labels[ST_ENGINE_INPUTS];
    st_uints pairs;
    st_uints indices;
} select_connected_labels_roi;

static const st_type pair_type = {
    .name = "list of pairs of labels",
    .scalar = ST_SCALAR_UINT,
    .width = 2,
    .list = true,
    .syntax = ST_SYNTAX_PLAIN,
};

#define LABELS(n)                                                                                                      \
    ST_INPUT(select_connected_labels_roi, labels[n - 1], "labels" #n, st_type_rows, NULL,                              \
             "source " #n ": for each point or element the list of its labels"),

static const st_field fields[] = {
    ST_INPUT(select_connected_labels_roi, label_count, "nbLabels", st_type_uint, "0", "number of sources of labels"),
    ST_EACH_INPUT(LABELS)
        ST_INPUT(select_connected_labels_roi, pairs, "connectLabels", pair_type, NULL, "pairs of labels that connect"),
    ST_OUTPUT(select_connected_labels_roi, indices, "indices", st_type_indices, "points or elements that connect"),
    ST_FIELDS_END,
};

static bool select_connected_labels_roi_has(const st_rows *rows, size_t index, uint32_t label) {
    if (index >= st_rows_count(rows)) return false;

    size_t count;
    const uint32_t *labels = st_row(rows, index, &count);

    for (size_t i = 0; i < count; i++)
        if (labels[i] == label) return true;
    return false;
}

static bool connects(const select_connected_labels_roi *roi, const st_rows *rows, size_t sources, size_t index) {
    for (size_t p = 0; p < roi->pairs.count; p++)
        for (size_t a = 0; a < sources; a++)
            for (size_t b = 0; b < sources; b++)
                if (a != b && select_connected_labels_roi_has(&rows[a], index, roi->pairs.data[2 * p]) &&
                    select_connected_labels_roi_has(&rows[b], index, roi->pairs.data[2 * p + 1]))
                    return true;
    return false;
}

static void select_connected_labels_roi_update(st_object *object) {
    select_connected_labels_roi *roi = (select_connected_labels_roi *)object;
    st_rows rows[ST_ENGINE_INPUTS] = {0};
    const size_t sources = st_engine_inputs(object, roi->label_count);
    size_t longest = 0;
    bool ok = true;

    roi->indices.count = 0;

    // all sources as lists of lists; the longest decides how many indices there are
    for (size_t s = 0; s < sources && ok; s++) {
        ok = st_rows_read(&rows[s], &roi->labels[s]);
        if (ok && st_rows_count(&rows[s]) > longest) longest = st_rows_count(&rows[s]);
    }

    for (size_t i = 0; i < longest && ok; i++)
        if (connects(roi, rows, sources, i)) ok = st_list_push(&roi->indices, (uint32_t)i);

    for (size_t s = 0; s < sources; s++) st_rows_free(&rows[s]);
    st_engine_done(object, ok);
}

const st_class st_select_connected_labels_roi_class = {
    .name = "SelectConnectedLabelsROI",
    .help = "selects where labels of several sources meet",
    .parent = &st_engine_class,
    .templates = "I",
    .default_template = "I",
    .fields = fields,
    .size = sizeof(select_connected_labels_roi),
    .update = select_connected_labels_roi_update,
};
