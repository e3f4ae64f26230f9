// BoxROI: selects what lies in one of several boxes.
//
//     box            xmin ymin zmin xmax ymax zmax, faces included
//     orientedBox    p0 p1 p2 depth: the parallelogram p0 p1 p2 p3 = p0 + p2 - p1, thick by depth/2 on both sides
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "engine/roi.h"
#include "math/vec3.h"
#include "settee/state.h"

// An oriented box, ready for tests: distances to its planes.
typedef struct oriented_box {
    st_real p0[3], p2[3], normal[3], plane[4][3];
    st_real width, length, depth;
} oriented_box;

typedef struct box_roi {
    st_roi base;
    st_reals box;      // 6 reals each
    st_reals oriented; // 10 reals each
    ST_LIST(oriented_box) ready;
} box_roi;

static const st_type oriented_type = {
    .name = "list of oriented boxes: three corners and a depth",
    .scalar = ST_SCALAR_REAL,
    .width = 10,
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

static bool in_box(const st_real *box, const st_real *p, int dim) {
    for (int i = 0; i < dim; i++)
        if (!(p[i] >= box[i] && p[i] <= box[3 + i])) return false;
    return true;
}

// |(p - origin) . normal|
static st_real plane_distance(const st_real *p, const st_real *origin, const st_real *normal) {
    st_real offset[3];
    st_vec3_sub(offset, p, origin);
    return fabs(st_vec3_dot(offset, normal));
}

static bool in_oriented_box(const oriented_box *box, const st_real *p) {
    return plane_distance(p, box->p0, box->plane[0]) <= box->width &&
           plane_distance(p, box->p2, box->plane[1]) <= box->width &&
           plane_distance(p, box->p0, box->plane[2]) <= box->length &&
           plane_distance(p, box->p2, box->plane[3]) <= box->length &&
           plane_distance(p, box->p0, box->normal) <= fabs(box->depth / 2);
}

static bool inside(const st_roi *base, const st_real *p) {
    const box_roi *roi = (const box_roi *)base;
    for (size_t i = 0; i < roi->box.count; i++)
        if (in_box(roi->box.data + 6 * i, p, base->object.dof->spatial)) return true;
    for (size_t i = 0; i < roi->ready.count; i++)
        if (in_oriented_box(&roi->ready.data[i], p)) return true;
    return false;
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static void sort_bounds(st_real *box) {
    for (int i = 0; i < 3; i++)
        if (box[i] > box[3 + i]) {
            const st_real swap = box[i];
            box[i] = box[3 + i];
            box[3 + i] = swap;
        }
}

static void unit_cross(st_real r[3], const st_real a[3], const st_real b[3]) {
    st_vec3_cross(r, a, b);
    st_vec3_normalize(r, r);
}

static oriented_box prepare(const st_real ten[10]) {
    oriented_box box = {.depth = ten[9]};
    const st_real *p0 = ten, *p1 = ten + 3, *p2 = ten + 6;
    st_real p10[3], p20[3], p21[3], p3[3], p30[3], p23[3], p6[3], p63[3], p62[3];
    st_vec3_sub(p10, p1, p0);
    st_vec3_sub(p20, p2, p0);
    st_vec3_sub(p21, p2, p1);
    st_vec3_add(p3, p0, p21);
    unit_cross(box.normal, p10, p20);
    st_vec3_add_scaled(p6, p2, box.normal, box.depth);
    st_vec3_sub(p30, p3, p0);
    st_vec3_sub(p23, p2, p3);
    st_vec3_sub(p63, p6, p3);
    st_vec3_sub(p62, p6, p2);
    unit_cross(box.plane[0], p10, box.normal);
    unit_cross(box.plane[1], p23, p63);
    unit_cross(box.plane[2], p30, box.normal);
    unit_cross(box.plane[3], p21, p62);
    st_vec3_copy(box.p0, p0);
    st_vec3_copy(box.p2, p2);
    box.width = fabs(st_vec3_dot(p20, box.plane[0]));
    box.length = fabs(st_vec3_dot(p20, box.plane[2]));
    return box;
}

static st_status prepare_oriented(box_roi *roi) {
    st_object *object = &roi->base.object;
    roi->ready.count = 0;
    if (roi->oriented.count && object->dof->spatial < 3) {
        st_message(object, ST_WARNING, "orientedBox is for three dimensions; it is left out");
        return ST_OK;
    }
    for (size_t i = 0; i < roi->oriented.count; i++)
        if (!st_list_push(&roi->ready, prepare(roi->oriented.data + 10 * i))) return ST_OUT_OF_MEMORY;
    return ST_OK;
}

static st_status init(st_object *object) {
    box_roi *roi = (box_roi *)object;
    if (!roi->box.count && !roi->oriented.count) {
        if (!st_resize_member(object, &roi->box, 1)) return ST_OUT_OF_MEMORY;
        for (int i = 3; i < 6; i++) roi->box.data[i] = 1;
    }
    for (size_t i = 0; i < roi->box.count; i++) sort_bounds(roi->box.data + 6 * i);
    const st_status status = prepare_oriented(roi);
    return status == ST_OK ? st_roi_init(&roi->base) : status;
}

static void update(st_object *object) { st_roi_update((st_roi *)object, inside); }

static void destroy(st_object *object) { st_list_free(&((box_roi *)object)->ready); }

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
    .init = init,
    .update = update,
    .destroy = destroy,
};
