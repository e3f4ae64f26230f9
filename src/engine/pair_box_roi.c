// PairBoxROI: selects the points between two boxes: in the outer one and not in the inner one, faces included.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "engine/shapes.h"

typedef struct pair_box_roi {
    st_object object;
    st_real outer[6], inner[6];
    st_reals position;
    st_uints indices;
    st_reals points_in;
    bool draw[3];
    st_real draw_size;
} pair_box_roi;

static const st_field fields[] = {
    ST_INPUT(pair_box_roi, outer, "inclusiveBox", st_type_box, "0 0 0 1 1 1",
             "outer box: xmin ymin zmin xmax ymax zmax"),
    ST_INPUT(pair_box_roi, inner, "includedBox", st_type_box, "0 0 0 1 1 1",
             "inner box: xmin ymin zmin xmax ymax zmax"),
    ST_INPUT(pair_box_roi, position, "position", st_type_coords, NULL,
             "points; the rest positions of the state when not given", .aliases = "rest_position"),
    ST_OUTPUT(pair_box_roi, indices, "indices", st_type_indices, "points between the boxes"),
    ST_OUTPUT(pair_box_roi, points_in, "pointsInROI", st_type_coords, "their positions"),
    ST_SHOWN(pair_box_roi, draw[0], "drawInclusiveBox", st_type_bool, "0", "draw the outer box"),
    ST_SHOWN(pair_box_roi, draw[1], "drawIncludedBox", st_type_bool, "0", "draw the inner box"),
    ST_SHOWN(pair_box_roi, draw[2], "drawPoints", st_type_bool, "0", "draw the points inside"),
    ST_SHOWN(pair_box_roi, draw_size, "drawSize", st_type_real, "0", "size of what is drawn"),
    ST_FIELDS_END,
};

static st_status pair_box_roi_init(st_object *object) {
    pair_box_roi *roi = (pair_box_roi *)object;
    if (!st_engine_link_rest(object, &roi->position))
        return st_invalid(object, "position is not given and there is no mechanical state: nothing is selected");

    st_box_sort(roi->outer);
    st_box_sort(roi->inner);
    st_engine_invalidate(object);
    return ST_OK;
}

static bool is_null(const st_real box[6]) {
    for (int i = 0; i < 6; i++)
        if (box[i] != 0) return false;
    return true;
}

static void pair_box_roi_update(st_object *object) {
    pair_box_roi *roi = (pair_box_roi *)object;
    const size_t width = st_engine_width(object);
    const size_t dimensions = object->dof ? object->dof->spatial : 3;

    // boxes of zeros were never given
    if (is_null(roi->outer) && is_null(roi->inner)) return;

    roi->indices.count = roi->points_in.count = 0;

    bool ok = true;
    for (size_t i = 0; i < roi->position.count && ok; i++) {
        const st_real *p = roi->position.data + i * width;
        if (!st_in_box(roi->outer, p, dimensions) || st_in_box(roi->inner, p, dimensions)) continue;
        ok = st_list_push(&roi->indices, (uint32_t)i) && st_push_reals(&roi->points_in, p, width);
    }

    st_engine_done(object, ok);
}

const st_class st_pair_box_roi_class = {
    .name = "PairBoxROI",
    .help = "selects the points that lie between two boxes",
    .parent = &st_engine_class,
    .templates = "Vec3 Rigid3 Vec6",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(pair_box_roi),
    .example = "<RegularGridTopology n=\"3 3 3\" min=\"0 0 0\" max=\"1 1 1\"/>\n"
               "<MechanicalObject/>\n"
               "<PairBoxROI name=\"skin\" inclusiveBox=\"-0.1 -0.1 -0.1  1.1 1.1 1.1\" "
               "includedBox=\"0.1 0.1 0.1  0.9 0.9 0.9\"/>\n"
               "<FixedProjectiveConstraint indices=\"@skin.indices\"/>",
    .init = pair_box_roi_init,
    .update = pair_box_roi_update,
};
