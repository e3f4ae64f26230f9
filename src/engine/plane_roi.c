// PlaneROI: selects what lies in one of several flat boxes: the parallelogram p0 p1 p2 p3 = p0 + p2 - p1, thick by
// depth/2 on both sides. An element is inside when all of its vertices are in the same box.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/draw_regions.h"
#include "engine/engine.h"
#include "engine/shapes.h"
#include "topology/topology.h"

enum { KINDS = 3 };

typedef struct plane_roi {
    st_object object;
    st_reals plane; // 10 reals each
    st_reals position;
    st_uints elements[KINDS];
    bool compute[KINDS];
    st_uints indices, element_indices[KINDS], elements_in[KINDS];
    st_reals points_in;
    bool draw[5];
    st_real draw_size;
    ST_LIST(st_oriented_box) boxes;
} plane_roi;

static const st_element kinds[KINDS] = {ST_EDGE, ST_TRIANGLE, ST_TETRAHEDRON};

static const st_type plane_type = {
    .name = "list of planes: three corners and a depth",
    .scalar = ST_SCALAR_REAL,
    .width = ST_ORIENTED_BOX_REALS,
    .list = true,
    .syntax = ST_SYNTAX_PLAIN,
};

static const st_field fields[] = {
    ST_FIELD(plane_roi, plane, "plane", plane_type, "0 0 0 0 0 0 0 0 0 0",
             "planes: three corners and the thickness; no input, read when the positions change"),
    ST_INPUT(plane_roi, position, "position", st_type_coords, NULL,
             "points; the rest positions of the state when not given", .aliases = "rest_position"),
    ST_INPUT(plane_roi, elements[0], "edges", st_type_edges, NULL, "edges; the topology's when not given"),
    ST_INPUT(plane_roi, elements[1], "triangles", st_type_triangles, NULL, "triangles; the topology's when not given"),
    ST_INPUT(plane_roi, elements[2], "tetrahedra", st_type_tetrahedra, NULL,
             "tetrahedra; the topology's when not given"),
    ST_INPUT(plane_roi, compute[0], "computeEdges", st_type_bool, "1", "select edges"),
    ST_INPUT(plane_roi, compute[1], "computeTriangles", st_type_bool, "1", "select triangles"),
    ST_INPUT(plane_roi, compute[2], "computeTetrahedra", st_type_bool, "1", "select tetrahedra"),
    ST_OUTPUT(plane_roi, indices, "indices", st_type_indices, "points inside"),
    ST_OUTPUT(plane_roi, element_indices[0], "edgeIndices", st_type_indices, "edges inside"),
    ST_OUTPUT(plane_roi, element_indices[1], "triangleIndices", st_type_indices, "triangles inside"),
    ST_OUTPUT(plane_roi, element_indices[2], "tetrahedronIndices", st_type_indices, "tetrahedra inside"),
    ST_OUTPUT(plane_roi, points_in, "pointsInROI", st_type_coords, "positions of the points inside"),
    ST_OUTPUT(plane_roi, elements_in[0], "edgesInROI", st_type_edges, "vertices of the edges inside"),
    ST_OUTPUT(plane_roi, elements_in[1], "trianglesInROI", st_type_triangles, "vertices of the triangles inside"),
    ST_OUTPUT(plane_roi, elements_in[2], "tetrahedraInROI", st_type_tetrahedra, "vertices of the tetrahedra inside"),
    ST_SHOWN(plane_roi, draw[0], "drawBoxes", st_type_bool, "0", "draw the boxes"),
    ST_SHOWN(plane_roi, draw[1], "drawPoints", st_type_bool, "0", "draw the points inside"),
    ST_SHOWN(plane_roi, draw[2], "drawEdges", st_type_bool, "0", "draw the edges inside"),
    ST_SHOWN(plane_roi, draw[3], "drawTriangles", st_type_bool, "0", "draw the triangles inside"),
    ST_SHOWN(plane_roi, draw[4], "drawTetrahedra", st_type_bool, "0", "draw the tetrahedra inside"),
    ST_SHOWN(plane_roi, draw_size, "drawSize", st_type_real, "0", "size of what is drawn"),
    ST_FIELDS_END,
};

static st_status plane_roi_init(st_object *object) {
    plane_roi *roi = (plane_roi *)object;
    if (!st_engine_link_state(object, &roi->position, "rest_position") && !st_engine_link_rest(object, &roi->position))
        return st_invalid(object, "position is not given and there is no mechanical state: nothing is selected");

    st_topology *topology = st_context_topology(object->node, NULL);
    for (int k = 0; k < KINDS; k++)
        if (roi->compute[k]) st_engine_link_elements(object, &roi->elements[k], topology, kinds[k]);
    return ST_OK;
}

// The sides of a box are spanned by its thickness: without any there are no sides, and the whole plane is selected.
static bool plane_roi_prepare(plane_roi *roi) {
    roi->boxes.count = 0;

    for (size_t i = 0; i < roi->plane.count; i++) {
        const st_real *ten = roi->plane.data + ST_ORIENTED_BOX_REALS * i;
        st_oriented_box box = st_oriented_box_make(ten, ten[9] / 2);

        if (ten[9] == 0) {
            // without thickness the sides select everything
            memset(box.plane, 0, sizeof box.plane);
            box.width = box.length = 0;
        }

        if (!st_list_push(&roi->boxes, box)) return false;
    }
    return true;
}

// Are all these points in the same box?
static bool plane_roi_inside(const plane_roi *roi, const uint32_t *vertices, size_t count) {
    const size_t width = st_engine_width(&roi->object);
    if (!st_vertices_exist(vertices, count, roi->position.count)) return false;

    for (size_t b = 0; b < roi->boxes.count; b++) {
        size_t found = 0;
        while (found < count && st_in_oriented_box(&roi->boxes.data[b], roi->position.data + vertices[found] * width))
            found++;

        if (found == count) return true;
    }
    return false;
}

static bool plane_roi_select_points(plane_roi *roi) {
    const size_t width = st_engine_width(&roi->object);
    roi->indices.count = roi->points_in.count = 0;

    for (uint32_t i = 0; i < roi->position.count; i++) {
        if (!plane_roi_inside(roi, &i, 1)) continue;

        if (!st_list_push(&roi->indices, i)) return false;
        if (!st_push_reals(&roi->points_in, roi->position.data + i * width, width)) return false;
    }
    return true;
}

static bool select_elements(plane_roi *roi, int k) {
    const size_t size = st_element_size[kinds[k]];

    roi->element_indices[k].count = roi->elements_in[k].count = 0;
    for (size_t e = 0; roi->compute[k] && e < roi->elements[k].count; e++) {
        const uint32_t *v = roi->elements[k].data + e * size;
        if (!plane_roi_inside(roi, v, size)) continue;

        if (!st_list_push(&roi->element_indices[k], (uint32_t)e)) return false;
        if (!st_push_uints(&roi->elements_in[k], v, size)) return false;
    }
    return true;
}

static void plane_roi_update(st_object *object) {
    plane_roi *roi = (plane_roi *)object;
    bool ok = plane_roi_prepare(roi) && plane_roi_select_points(roi);

    for (int k = 0; k < KINDS && ok; k++) ok = select_elements(roi, k);
    st_engine_done(object, ok);
}

static void plane_roi_destroy(st_object *object) { st_list_free(&((plane_roi *)object)->boxes); }

static void plane_roi_draw(st_object *object, st_canvas *canvas) {
    const plane_roi *roi = (const plane_roi *)object;
    if (st_region_is_shown(canvas, roi->draw[0])) st_draw_planes(canvas, &roi->plane);
    if (st_region_is_shown(canvas, roi->draw[1]))
        st_draw_selected_points(canvas, &roi->points_in, st_engine_width(object));
}

const st_class st_plane_roi_class = {
    .name = "PlaneROI",
    .help = "selects the points and elements that lie in thick parallelograms",
    .parent = &st_engine_class,
    .templates = "Vec3 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(plane_roi),
    .example = "<RegularGridTopology n=\"3 3 3\" min=\"0 0 0\" max=\"1 1 1\"/>\n"
               "<MechanicalObject/>\n"
               "<PlaneROI name=\"bottom\" plane=\"-1 0 -1  2 0 -1  2 0 2  0.2\"/>\n"
               "<FixedProjectiveConstraint indices=\"@bottom.indices\"/>",
    .init = plane_roi_init,
    .draw = plane_roi_draw,
    .update = plane_roi_update,
    .destroy = plane_roi_destroy,
};
