// SubsetTopology: cuts a mesh in two, what lies in boxes or spheres and the rest.
//
// With localIndices the vertices of both parts are renumbered, and both parts have the points on the cut: those inside
// that an element outside uses. They come first in both lists of points, in the same order, so that the two parts can
// be tied together.
//
//   1. each point is inside or outside, by the shapes alone
//   2. points on the cut are added to both parts
//   3. all other points are added to their part
//   4. elements with all vertices inside go to the part inside, the others to the one outside
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "engine/shapes.h"
#include "topology/topology.h"

enum { KINDS = ST_HEXAHEDRON + 1 };

typedef struct subset_topology {
    st_object object;
    st_reals box, centers, radii;
    st_reals position;
    st_uints elements[KINDS];
    bool local;
    st_uints indices, indices_out, element_indices[KINDS], element_indices_out[KINDS];
    st_reals points_in, points_out;
    st_uints elements_in[KINDS], elements_out[KINDS];
    uint32_t border_count;
    bool draw[7];
    st_real draw_size;

    // while it computes, by point
    bool *inside;
    uint32_t *number_in, *number_out;
} subset_topology;

#define KIND(kind, one, many, type)                                                                                    \
    ST_INPUT(subset_topology, elements[kind], many, type, NULL, many "; the node's own when not given"),               \
        ST_OUTPUT(subset_topology, element_indices[kind], one "Indices", st_type_indices, many " inside"),             \
        ST_OUTPUT(subset_topology, elements_in[kind], many "InROI", type, "vertices of the " many " inside"),          \
        ST_OUTPUT(subset_topology, element_indices_out[kind], one "OutIndices", st_type_indices, many " outside"),     \
        ST_OUTPUT(subset_topology, elements_out[kind], many "OutROI", type, "vertices of the " many " outside")

static const st_field fields[] = {
    ST_INPUT(subset_topology, box, "box", st_type_boxes, NULL, "boxes: xmin ymin zmin xmax ymax zmax"),
    ST_INPUT(subset_topology, centers, "centers", st_type_vec3s, NULL, "centers of spheres, where there are no boxes"),
    ST_INPUT(subset_topology, radii, "radii", st_type_reals, NULL, "radii of the spheres; one is enough for all"),
    ST_INPUT(subset_topology, position, "position", st_type_coords, NULL,
             "points; the rest positions of the state when not given", .aliases = "rest_position"),
    ST_INPUT(subset_topology, local, "localIndices", st_type_bool, "0",
             "renumber the vertices of both parts, points on the cut first"),
    ST_OUTPUT(subset_topology, indices, "indices", st_type_indices, "points inside"),
    ST_OUTPUT(subset_topology, indices_out, "indicesOut", st_type_indices, "points outside"),
    ST_OUTPUT(subset_topology, points_in, "pointsInROI", st_type_coords, "positions of the points inside"),
    ST_OUTPUT(subset_topology, points_out, "pointsOutROI", st_type_coords, "positions of the points outside"),
    KIND(ST_EDGE, "edge", "edges", st_type_edges),
    KIND(ST_TRIANGLE, "triangle", "triangles", st_type_triangles),
    KIND(ST_QUAD, "quad", "quads", st_type_quads),
    KIND(ST_TETRAHEDRON, "tetrahedron", "tetrahedra", st_type_tetrahedra),
    KIND(ST_HEXAHEDRON, "hexahedron", "hexahedra", st_type_hexahedra),
    ST_OUTPUT(subset_topology, border_count, "nbrborder", st_type_uint, "number of points on the cut"),
    ST_SHOWN(subset_topology, draw[0], "drawROI", st_type_bool, "0", "draw the region"),
    ST_SHOWN(subset_topology, draw[1], "drawPoints", st_type_bool, "0", "draw the points inside"),
    ST_SHOWN(subset_topology, draw[2], "drawEdges", st_type_bool, "0", "draw the edges inside"),
    ST_SHOWN(subset_topology, draw[3], "drawTriangles", st_type_bool, "0", "draw the triangles inside"),
    ST_SHOWN(subset_topology, draw[4], "drawQuads", st_type_bool, "0", "draw the quads inside"),
    ST_SHOWN(subset_topology, draw[5], "drawTetrahedra", st_type_bool, "0", "draw the tetrahedra inside"),
    ST_SHOWN(subset_topology, draw[6], "drawHexahedra", st_type_bool, "0", "draw the hexahedra inside"),
    ST_SHOWN(subset_topology, draw_size, "drawSize", st_type_real, "0", "size of what is drawn"),
    ST_FIELDS_END,
};

static st_status subset_topology_init(st_object *object) {
    subset_topology *engine = (subset_topology *)object;

    if (!st_engine_link_rest(object, &engine->position))
        return st_invalid(object, "position is not given and there is no mechanical state: nothing is selected");

    if (!st_engine_prepare_boxes(object, &engine->box, engine->centers.count > 0)) return ST_OUT_OF_MEMORY;

    st_topology *topology = st_local_topology(object->node);
    for (int k = 0; k < KINDS; k++) st_engine_link_elements(object, &engine->elements[k], topology, (st_element)k);

    st_engine_invalidate(object);
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

static bool subset_topology_holds(const subset_topology *engine, const st_real *p) {
    for (size_t i = 0; i < engine->box.count; i++)
        if (st_in_box(engine->box.data + 6 * i, p, 3)) return true;

    // spheres count only where there is no box
    const bool spheres = engine->box.count == 0 && engine->radii.count > 0 &&
                         (engine->radii.count == 1 || engine->radii.count == engine->centers.count);
    return spheres && st_in_spheres(&engine->centers, &engine->radii, p);
}

static bool is_inside(const subset_topology *engine, const uint32_t *v, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (v[i] >= engine->position.count || !engine->inside[v[i]]) return false;
    return true;
}

static bool subset_topology_add_point(subset_topology *engine, size_t i, bool in) {
    const size_t width = st_engine_width(&engine->object);
    uint32_t *number = in ? engine->number_in : engine->number_out;
    st_reals *points = in ? &engine->points_in : &engine->points_out;

    if (number[i] != ST_INVALID_INDEX) return true;

    number[i] = (uint32_t)points->count;
    return st_push_reals(points, engine->position.data + i * width, width);
}

// Points inside of elements that are not, marked in number_in.
static void mark_border(subset_topology *engine, int kind) {
    const size_t size = st_element_size[kind];

    for (size_t e = 0; e < engine->elements[kind].count; e++) {
        const uint32_t *v = engine->elements[kind].data + e * size;
        if (is_inside(engine, v, size)) continue;

        for (size_t i = 0; i < size; i++)
            if (v[i] < engine->position.count && engine->inside[v[i]]) engine->number_in[v[i]] = 0;
    }
}

// They are the first points of both parts.
static bool add_border(subset_topology *engine) {
    // any number in number_in marks a point of the border until it gets its own
    for (int kind = 0; kind < KINDS && engine->local; kind++) mark_border(engine, kind);

    for (size_t i = 0; i < engine->position.count; i++) {
        if (engine->number_in[i] == ST_INVALID_INDEX) continue;
        engine->number_in[i] = ST_INVALID_INDEX;
        if (!subset_topology_add_point(engine, i, true) || !subset_topology_add_point(engine, i, false)) return false;
    }

    engine->border_count = (uint32_t)engine->points_in.count;
    return true;
}

static bool subset_topology_select_points(subset_topology *engine) {
    const size_t width = st_engine_width(&engine->object);

    // inside or outside, by shape alone
    for (size_t i = 0; i < engine->position.count; i++) {
        engine->inside[i] = subset_topology_holds(engine, engine->position.data + i * width);
        engine->number_in[i] = engine->number_out[i] = ST_INVALID_INDEX;
        if (!st_list_push(engine->inside[i] ? &engine->indices : &engine->indices_out, (uint32_t)i)) return false;
    }

    // the border first, then each point in its own part
    if (!add_border(engine)) return false;
    for (size_t i = 0; i < engine->position.count; i++)
        if (!subset_topology_add_point(engine, i, engine->inside[i])) return false;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------------------------------

static bool add_element(subset_topology *engine, int kind, uint32_t e, bool in) {
    const size_t size = st_element_size[kind];
    const uint32_t *v = engine->elements[kind].data + e * size;
    const uint32_t *number = in ? engine->number_in : engine->number_out;
    uint32_t renumbered[8];

    // elements outside can use points inside: those are on the border and have a number in both parts
    for (size_t i = 0; i < size; i++)
        renumbered[i] = engine->local && v[i] < engine->position.count ? number[v[i]] : v[i];

    return st_list_push(in ? &engine->element_indices[kind] : &engine->element_indices_out[kind], e) &&
           st_push_uints(in ? &engine->elements_in[kind] : &engine->elements_out[kind], renumbered, size);
}

static bool select_elements(subset_topology *engine, int kind) {
    const size_t size = st_element_size[kind];

    for (size_t e = 0; e < engine->elements[kind].count; e++)
        if (!add_element(engine, kind, (uint32_t)e, is_inside(engine, engine->elements[kind].data + e * size, size)))
            return false;
    return true;
}

static void subset_topology_clear(subset_topology *engine) {
    engine->indices.count = engine->indices_out.count = engine->points_in.count = engine->points_out.count = 0;

    for (int k = 0; k < KINDS; k++)
        engine->element_indices[k].count = engine->element_indices_out[k].count = engine->elements_in[k].count =
            engine->elements_out[k].count = 0;
}

static void subset_topology_update(st_object *object) {
    subset_topology *engine = (subset_topology *)object;
    const size_t points = engine->position.count;

    subset_topology_clear(engine);

    engine->inside = st_alloc(points, sizeof *engine->inside);
    engine->number_in = st_alloc(points, sizeof *engine->number_in);
    engine->number_out = st_alloc(points, sizeof *engine->number_out);

    // points first: elements use their numbers
    bool ok = engine->inside && engine->number_in && engine->number_out && subset_topology_select_points(engine);
    for (int k = 0; k < KINDS && ok; k++) ok = select_elements(engine, k);

    // nothing is kept between two updates
    st_free(engine->inside);
    st_free(engine->number_in);
    st_free(engine->number_out);
    engine->inside = NULL;
    engine->number_in = engine->number_out = NULL;

    st_engine_done(object, ok);
}

const st_class st_subset_topology_class = {
    .name = "SubsetTopology",
    .help = "cuts a mesh in two: what lies in boxes or spheres, and the rest",
    .parent = &st_engine_class,
    .templates = "Vec3 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(subset_topology),
    .init = subset_topology_init,
    .update = subset_topology_update,
};
