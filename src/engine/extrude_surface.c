// ExtrudeSurface: a closed thick surface from some triangles of a surface. Vertex k of the selection, in the order in
// which the triangles name them, gives the points 2k (where it is) and 2k + 1 (moved by heightFactor along its unit
// normal). The selection is the bottom, turned over; its copy is the lid; two triangles close each edge of the border.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/border.h"
#include "engine/engine.h"
#include "engine/surface.h"
#include "topology/topology.h"

typedef struct extrude_surface {
    st_object object;
    bool visible;
    st_real height;
    st_reals position;
    st_uints all, selected;
    st_reals vertices;
    st_uints triangles;
} extrude_surface;

static const st_field fields[] = {
    ST_SHOWN(extrude_surface, visible, "isVisible", st_type_bool, "1", "draw the surface"),
    ST_INPUT(extrude_surface, height, "heightFactor", st_type_real, "1", "how far the lid is from the bottom"),
    ST_INPUT(extrude_surface, position, "position", st_type_vec3s, NULL,
             "points; the positions of the state when not given"),
    ST_INPUT(extrude_surface, all, "surfaceTriangles", st_type_triangles, NULL,
             "all triangles; the topology's when not given"),
    ST_INPUT(extrude_surface, selected, "triangles", st_type_indices, NULL, "indices of the triangles to thicken"),
    ST_OUTPUT(extrude_surface, vertices, "extrusionVertices", st_type_vec3s, "points of the thick surface"),
    ST_OUTPUT(extrude_surface, triangles, "extrusionTriangles", st_type_triangles, "triangles of the thick surface"),
    ST_FIELDS_END,
};

static st_status extrude_surface_init(st_object *object) {
    extrude_surface *engine = (extrude_surface *)object;
    if (!st_engine_link_state(object, &engine->position, "position"))
        return st_invalid(object, "position is not given and there is no mechanical state");

    st_engine_link_elements(object, &engine->all, st_context_topology(object->node, NULL), ST_TRIANGLE);
    return ST_OK;
}

static bool pick(const extrude_surface *engine, st_uints *chosen) {
    for (size_t i = 0; i < engine->selected.count; i++) {
        const size_t t = engine->selected.data[i];
        if (t >= engine->all.count) continue;

        const uint32_t *v = engine->all.data + 3 * t;
        if (st_vertices_exist(v, 3, engine->position.count) && !st_push_uints(chosen, v, 3)) return false;
    }
    return true;
}

static bool make_vertices(extrude_surface *engine, const st_uints *chosen, uint32_t *number, const st_real *normals) {
    for (size_t i = 0; i < engine->position.count; i++) number[i] = ST_INVALID_INDEX;

    // numbers in the order in which the triangles name their vertices
    for (size_t i = 0; i < 3 * chosen->count; i++) {
        const size_t v = chosen->data[i];
        if (number[v] != ST_INVALID_INDEX) continue;

        number[v] = (uint32_t)engine->vertices.count;
        st_real p[3];

        // 2k where it is, 2k + 1 along the normal
        st_vec3_add_scaled(p, engine->position.data + 3 * v, normals + 3 * v, engine->height);
        if (!st_push_reals(&engine->vertices, engine->position.data + 3 * v, 3) ||
            !st_push_reals(&engine->vertices, p, 3))
            return false;
    }
    return true;
}

static bool extrude_surface_add(extrude_surface *engine, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t v[3] = {a, b, c};
    return st_push_uints(&engine->triangles, v, 3);
}

static bool make_triangles(extrude_surface *engine, const st_uints *chosen, const uint32_t *number,
                           const st_uints *border) {
    // the bottom turned over, and the lid
    for (size_t t = 0; t < chosen->count; t++) {
        const uint32_t a = number[chosen->data[3 * t]], b = number[chosen->data[3 * t + 1]],
                       c = number[chosen->data[3 * t + 2]];
        if (!extrude_surface_add(engine, a, c, b) || !extrude_surface_add(engine, a + 1, b + 1, c + 1)) return false;
    }

    // two triangles close each edge of the border
    for (size_t e = 0; e < border->count; e++) {
        const uint32_t a = number[border->data[2 * e]], b = number[border->data[2 * e + 1]];
        if (!extrude_surface_add(engine, a, b, b + 1) || !extrude_surface_add(engine, a, b + 1, a + 1)) return false;
    }
    return true;
}

static void extrude_surface_update(st_object *object) {
    extrude_surface *engine = (extrude_surface *)object;
    st_uints chosen = {0}, border = {0}, none = {0};
    uint32_t *number = st_alloc(engine->position.count, sizeof *number);
    st_real *normals = st_alloc(3 * engine->position.count, sizeof *normals);

    engine->vertices.count = engine->triangles.count = 0;

    // the selection and its border
    bool ok = number && normals && pick(engine, &chosen) && st_border_edges(&border, &chosen, &none);

    if (ok) {
        const st_surface surface = {.points = engine->position.data,
                                    .point_count = engine->position.count,
                                    .triangles = chosen.data,
                                    .triangle_count = chosen.count};
        st_surface_normals(&surface, ST_NORMAL_UNIT, normals);
        ok = make_vertices(engine, &chosen, number, normals) && make_triangles(engine, &chosen, number, &border);
    }

    st_free(number);
    st_free(normals);
    st_list_free(&chosen);
    st_list_free(&border);
    st_engine_done(object, ok);
}

const st_class st_extrude_surface_class = {
    .name = "ExtrudeSurface",
    .help = "thickens some triangles into a closed surface",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(extrude_surface),
    .init = extrude_surface_init,
    .update = extrude_surface_update,
};
