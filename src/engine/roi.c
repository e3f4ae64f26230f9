// What all regions of interest share: where points and elements come from, and how both are selected.
//
// Without `position` the points are those of the rest positions of the node's state, else of its mesh loader, else of
// the nearest state upwards; without element lists they are those of the node's own topology. Both are links, so that
// the selection follows.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/roi.h"

#include "engine/draw_regions.h"
#include "engine/engine.h"
#include "topology/topology.h"

static const st_element out_kinds[ST_ROI_OUT_KINDS] = {ST_EDGE, ST_TRIANGLE, ST_TETRAHEDRON};

#define INPUT(member, name, type, value, help, ...)                                                                    \
    ST_FIELD(st_roi, member, name, type, value, help, .flags = ST_FIELD_INPUT, ##__VA_ARGS__)
#define OUTPUT(member, name, type, help, ...)                                                                          \
    ST_FIELD(st_roi, member, name, type, NULL, help, .flags = ST_FIELD_OUTPUT, ##__VA_ARGS__)
#define DISPLAY(member, name, value, help, ...)                                                                        \
    ST_FIELD(st_roi, member, name, st_type_bool, value, help, .flags = ST_FIELD_DISPLAY, ##__VA_ARGS__)

static const st_field fields[] = {
    INPUT(position, "position", st_type_coords, NULL, "points; the rest positions of the state when not given",
          .aliases = "rest_position"),
    INPUT(elements[ST_EDGE], "edges", st_type_edges, NULL, "edges; the node's own when not given"),
    INPUT(elements[ST_TRIANGLE], "triangles", st_type_triangles, NULL, "triangles; the node's own when not given"),
    INPUT(elements[ST_QUAD], "quads", st_type_quads, NULL, "quads; the node's own when not given", .aliases = "quad"),
    INPUT(elements[ST_TETRAHEDRON], "tetrahedra", st_type_tetrahedra, NULL,
          "tetrahedra; the node's own when not given"),
    INPUT(elements[ST_HEXAHEDRON], "hexahedra", st_type_hexahedra, NULL, "hexahedra; the node's own when not given"),
    INPUT(compute[ST_EDGE], "computeEdges", st_type_bool, "1", "select edges"),
    INPUT(compute[ST_TRIANGLE], "computeTriangles", st_type_bool, "1", "select triangles"),
    INPUT(compute[ST_QUAD], "computeQuads", st_type_bool, "1", "select quads", .aliases = "computeQuad"),
    INPUT(compute[ST_TETRAHEDRON], "computeTetrahedra", st_type_bool, "1", "select tetrahedra"),
    INPUT(compute[ST_HEXAHEDRON], "computeHexahedra", st_type_bool, "1", "select hexahedra"),
    INPUT(strict, "strict", st_type_bool, "1", "all vertices of an element must be inside, else its center"),
    ST_FIELD(st_roi, do_update, "doUpdate", st_type_bool, "1", "false: the selection made at init stays"),
    ST_FIELD(st_roi, indices, "indices", st_type_indices, "0", "points inside", .aliases = "pointIndices",
             .flags = ST_FIELD_OUTPUT),
    OUTPUT(element_indices[ST_EDGE], "edgeIndices", st_type_indices, "edges inside"),
    OUTPUT(element_indices[ST_TRIANGLE], "triangleIndices", st_type_indices, "triangles inside"),
    OUTPUT(element_indices[ST_QUAD], "quadIndices", st_type_indices, "quads inside"),
    OUTPUT(element_indices[ST_TETRAHEDRON], "tetrahedronIndices", st_type_indices, "tetrahedra inside"),
    OUTPUT(element_indices[ST_HEXAHEDRON], "hexahedronIndices", st_type_indices, "hexahedra inside"),
    OUTPUT(points_in, "pointsInROI", st_type_coords, "positions of the points inside"),
    OUTPUT(elements_in[ST_EDGE], "edgesInROI", st_type_edges, "vertices of the edges inside"),
    OUTPUT(elements_in[ST_TRIANGLE], "trianglesInROI", st_type_triangles, "vertices of the triangles inside"),
    OUTPUT(elements_in[ST_QUAD], "quadsInROI", st_type_quads, "vertices of the quads inside", .aliases = "quadInROI"),
    OUTPUT(elements_in[ST_TETRAHEDRON], "tetrahedraInROI", st_type_tetrahedra, "vertices of the tetrahedra inside"),
    OUTPUT(elements_in[ST_HEXAHEDRON], "hexahedraInROI", st_type_hexahedra, "vertices of the hexahedra inside"),
    OUTPUT(index_count, "nbIndices", st_type_uint, "number of points inside"),
    OUTPUT(indices_out, "indicesOut", st_type_indices, "points outside"),
    OUTPUT(points_out, "pointsOutROI", st_type_coords, "positions of the points outside"),
    OUTPUT(element_indices_out[0], "edgeOutIndices", st_type_indices, "edges outside"),
    OUTPUT(elements_out[0], "edgesOutROI", st_type_edges, "vertices of the edges outside"),
    OUTPUT(element_indices_out[1], "triangleOutIndices", st_type_indices, "triangles outside"),
    OUTPUT(elements_out[1], "trianglesOutROI", st_type_triangles, "vertices of the triangles outside"),
    OUTPUT(element_indices_out[2], "tetrahedronOutIndices", st_type_indices, "tetrahedra outside"),
    OUTPUT(elements_out[2], "tetrahedraOutROI", st_type_tetrahedra, "vertices of the tetrahedra outside"),
    DISPLAY(draw_region, "drawROI", "0", "draw the region", .aliases = "drawBoxes isVisible drawSphere"),
    DISPLAY(draw_points, "drawPoints", "0", "draw the points inside"),
    DISPLAY(draw_kind[ST_EDGE], "drawEdges", "0", "draw the edges inside"),
    DISPLAY(draw_kind[ST_TRIANGLE], "drawTriangles", "0", "draw the triangles inside"),
    DISPLAY(draw_kind[ST_QUAD], "drawQuads", "0", "draw the quads inside", .aliases = "drawQuad"),
    DISPLAY(draw_kind[ST_TETRAHEDRON], "drawTetrahedra", "0", "draw the tetrahedra inside"),
    DISPLAY(draw_kind[ST_HEXAHEDRON], "drawHexahedra", "0", "draw the hexahedra inside"),
    ST_FIELD(st_roi, draw_size, "drawSize", st_type_real, "0", "size of what is drawn", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Inputs
// ---------------------------------------------------------------------------------------------------

static st_status link_position(st_roi *roi) {
    st_object *object = &roi->object;

    if (st_engine_link_rest(object, &roi->position)) return ST_OK;
    return st_invalid(object, "position is not given and there is no mechanical state: nothing is selected");
}

static void link_elements(st_roi *roi) {
    st_topology *topology = st_local_topology(roi->object.node);

    for (int kind = 0; kind < ST_ROI_KINDS; kind++)
        if (roi->compute[kind]) st_engine_link_elements(&roi->object, &roi->elements[kind], topology, (st_element)kind);
}

st_status st_roi_init(st_roi *roi) {
    const st_status status = link_position(roi);

    if (status != ST_OK) return status;

    link_elements(roi);

    // an ROI whose links did not change anything has not computed yet
    roi->computed = false;
    st_pull(&roi->object); // computes when something was linked
    if (!roi->computed) roi->object.type->update(&roi->object);

    if (roi->position.count == 0) st_message(&roi->object, ST_WARNING, "there are no positions to select from");
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Selection
// ---------------------------------------------------------------------------------------------------

static bool roi_select_points(st_roi *roi, st_roi_inside *inside, bool *flags) {
    const size_t width = st_engine_width(&roi->object);

    roi->indices.count = roi->indices_out.count = roi->points_in.count = roi->points_out.count = 0;

    for (size_t i = 0; i < roi->position.count; i++) {
        const st_real *p = roi->position.data + i * width;

        // one of the two lists has each point
        flags[i] = inside(roi, p);
        if (!st_list_push(flags[i] ? &roi->indices : &roi->indices_out, (uint32_t)i)) return false;
        if (!st_push_reals(flags[i] ? &roi->points_in : &roi->points_out, p, width)) return false;
    }

    roi->index_count = (uint32_t)roi->indices.count;
    return true;
}

static bool center_inside(const st_roi *roi, st_roi_inside *inside, const uint32_t *v, size_t size) {
    const size_t width = roi->object.dof->coord;
    st_real center[7] = {0};

    // the mean of the vertices
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < width; j++) center[j] += roi->position.data[v[i] * width + j];
    for (size_t j = 0; j < width; j++) center[j] /= (st_real)size;

    return inside(roi, center);
}

static bool element_inside(const st_roi *roi, st_roi_inside *inside, const bool *flags, const uint32_t *v, int kind) {
    const size_t size = st_element_size[kind];
    bool all = true;

    for (size_t i = 0; i < size; i++) {
        if (v[i] >= roi->position.count) return false;
        all = all && flags[v[i]];
    }

    // strict: all vertices; otherwise the center, or all vertices where the class says that they suffice
    const bool enough = all && (roi->strict || roi->vertices_suffice);
    if (!enough && (roi->strict || !center_inside(roi, inside, v, size))) return false;

    return !roi->element || roi->element(roi, (st_element)kind, v);
}

static int out_place(int kind) {
    for (int i = 0; i < ST_ROI_OUT_KINDS; i++)
        if ((int)out_kinds[i] == kind) return i;
    return -1;
}

static bool select_elements(st_roi *roi, st_roi_inside *inside, const bool *flags, int kind) {
    const size_t size = st_element_size[kind];
    const int out = out_place(kind);

    roi->element_indices[kind].count = roi->elements_in[kind].count = 0;
    if (out >= 0) roi->element_indices_out[out].count = roi->elements_out[out].count = 0;

    for (size_t e = 0; roi->compute[kind] && e < roi->elements[kind].count; e++) {
        const uint32_t *v = roi->elements[kind].data + e * size;

        // lists of what is outside exist for edges, triangles and tetrahedra only
        if (element_inside(roi, inside, flags, v, kind)) {
            if (!st_list_push(&roi->element_indices[kind], (uint32_t)e)) return false;
            if (!st_push_uints(&roi->elements_in[kind], v, size)) return false;
        } else if (out >= 0) {
            if (!st_list_push(&roi->element_indices_out[out], (uint32_t)e)) return false;
            if (!st_push_uints(&roi->elements_out[out], v, size)) return false;
        }
    }
    return true;
}

static void touch_outputs(st_roi *roi) {
    st_object *object = &roi->object;
    const void *points[] = {&roi->indices, &roi->indices_out, &roi->points_in, &roi->points_out, &roi->index_count};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) st_touch(object, points[i]);

    for (int kind = 0; kind < ST_ROI_KINDS; kind++) {
        st_touch(object, &roi->element_indices[kind]);
        st_touch(object, &roi->elements_in[kind]);
    }

    for (int i = 0; i < ST_ROI_OUT_KINDS; i++) {
        st_touch(object, &roi->element_indices_out[i]);
        st_touch(object, &roi->elements_out[i]);
    }
}

void st_roi_update(st_roi *roi, st_roi_inside *inside) {
    // without doUpdate a selection is made once
    if (roi->computed && !roi->do_update) return;

    // points first: elements use their flags
    bool *flags = st_alloc(roi->position.count, sizeof *flags);
    bool ok = flags && roi_select_points(roi, inside, flags);
    for (int kind = 0; kind < ST_ROI_KINDS && ok; kind++) ok = select_elements(roi, inside, flags, kind);

    st_free(flags);
    if (!ok) st_message(&roi->object, ST_ERROR, "out of memory: the selection is not complete");

    roi->computed = true;
    touch_outputs(roi);
}

void st_roi_draw(st_object *object, st_canvas *canvas) {
    static const st_rgba color = {0.15F, 0.45F, 0.60F, 1};
    const st_roi *roi = (const st_roi *)object;
    const size_t width = st_engine_width(object);
    if (st_region_is_shown(canvas, roi->draw_points)) st_draw_selected_points(canvas, &roi->points_in, width);

    // elements inside, by the positions that were tested
    const st_uints *edges = &roi->elements_in[ST_EDGE], *triangles = &roi->elements_in[ST_TRIANGLE];
    if (roi->draw_kind[ST_EDGE] && edges->count)
        canvas->lines(canvas, edges->count, edges->data, roi->position.data, roi->position.count, (int)width, color);
    if (roi->draw_kind[ST_TRIANGLE] && triangles->count)
        canvas->triangles(canvas, triangles->count, triangles->data, roi->position.data, roi->position.count,
                          (int)width, color);
}

const st_class st_roi_class = {
    .name = "BaseROI",
    .help = "what every region of interest has",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_roi),
    .flags = ST_CLASS_ABSTRACT,
    .draw = st_roi_draw,
};
