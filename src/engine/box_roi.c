// BoxROI: selects what lies in one of several boxes.
//
//     box            xmin ymin zmin xmax ymax zmax, faces included
//     orientedBox    p0 p1 p2 depth: the parallelogram p0 p1 p2 p3 = p0 + p2 - p1, thick by depth/2 on both sides
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/draw_regions.h"
#include "engine/engine.h"
#include "engine/roi.h"
#include "engine/shapes.h"

typedef struct box_roi {
    st_roi base;
    st_reals box;      // 6 reals each
    st_reals oriented; // 10 reals each
    ST_LIST(st_oriented_box) ready;
} box_roi;

static const st_type oriented_type = {
    .name = "list of oriented boxes: three corners and a depth",
    .scalar = ST_SCALAR_REAL,
    .width = ST_ORIENTED_BOX_REALS,
    .list = true,
    .syntax = ST_SYNTAX_PLAIN,
};

static const st_field fields[] = {
    ST_FIELD(box_roi, box, "box", st_type_boxes, NULL, "boxes: xmin ymin zmin xmax ymax zmax", .flags = ST_FIELD_INPUT),
    ST_FIELD(box_roi, oriented, "orientedBox", oriented_type, NULL,
             "oriented boxes: three points of a face and a depth; read at init", .flags = ST_FIELD_INPUT),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Inside?
// ---------------------------------------------------------------------------------------------------

static bool box_roi_inside(const st_roi *base, const st_real *p) {
    const box_roi *roi = (const box_roi *)base;

    for (size_t i = 0; i < roi->box.count; i++)
        if (st_in_box(roi->box.data + 6 * i, p, base->object.dof->spatial)) return true;

    for (size_t i = 0; i < roi->ready.count; i++)
        if (st_in_oriented_box(&roi->ready.data[i], p)) return true;
    return false;
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static st_status prepare_oriented(box_roi *roi) {
    st_object *object = &roi->base.object;
    roi->ready.count = 0;

    if (roi->oriented.count && object->dof->spatial < 3) {
        st_message(object, ST_WARNING, "orientedBox is for three dimensions; it is left out");
        return ST_OK;
    }

    // the planes of the sides are lifted by the whole depth here, by half of it in PlaneROI
    for (size_t i = 0; i < roi->oriented.count; i++) {
        const st_real *ten = roi->oriented.data + ST_ORIENTED_BOX_REALS * i;
        if (!st_list_push(&roi->ready, st_oriented_box_make(ten, ten[9]))) return ST_OUT_OF_MEMORY;
    }
    return ST_OK;
}

static st_status box_roi_init(st_object *object) {
    box_roi *roi = (box_roi *)object;

    if (!st_engine_prepare_boxes(object, &roi->box, roi->oriented.count > 0)) return ST_OUT_OF_MEMORY;
    const st_status status = prepare_oriented(roi);
    return status == ST_OK ? st_roi_init(&roi->base) : status;
}

static void box_roi_update(st_object *object) { st_roi_update((st_roi *)object, box_roi_inside); }

static void box_roi_draw(st_object *object, st_canvas *canvas) {
    const box_roi *roi = (const box_roi *)object;
    st_roi_draw(object, canvas);
    if (!st_region_is_shown(canvas, roi->base.draw_region)) return;
    st_draw_boxes(canvas, &roi->box);
    st_draw_planes(canvas, &roi->oriented);
}

static void box_roi_destroy(st_object *object) { st_list_free(&((box_roi *)object)->ready); }

const st_class st_box_roi_class = {
    .name = "BoxROI",
    .help = "selects the points and elements that lie in boxes",
    .parent = &st_roi_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(box_roi),
    .example = "<RegularGridTopology n=\"3 3 3\" min=\"0 0 0\" max=\"1 1 1\"/>\n"
               "<MechanicalObject/>\n"
               "<BoxROI name=\"bottom\" box=\"-0.1 -0.1 -0.1  1.1 0.1 1.1\"/>\n"
               "<FixedProjectiveConstraint indices=\"@bottom.indices\"/>",
    .init = box_roi_init,
    .update = box_roi_update,
    .draw = box_roi_draw,
    .destroy = box_roi_destroy,
};
