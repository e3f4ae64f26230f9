// MeshClosingEngine: closes the holes of a surface. Each loop of border edges gets a point at the mean of its vertices
// and a triangle from there to each of its edges, against the direction in which the surface runs along them.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/border.h"
#include "engine/engine.h"
#include "engine/rows.h"

typedef struct mesh_closing_engine {
    st_object object;
    st_reals input_position;
    st_uints input_triangles, input_quads;
    st_reals position, closing_position;
    st_uints triangles, quads, closing_triangles;
    st_strings indices;
} mesh_closing_engine;

static const st_field fields[] = {
    ST_INPUT(mesh_closing_engine, input_position, "inputPosition", st_type_vec3s, NULL, "points of the surface"),
    ST_INPUT(mesh_closing_engine, input_triangles, "inputTriangles", st_type_triangles, NULL, "its triangles"),
    ST_INPUT(mesh_closing_engine, input_quads, "inputQuads", st_type_quads, NULL, "its quads"),
    ST_OUTPUT(mesh_closing_engine, position, "position", st_type_vec3s, "points of the closed surface"),
    ST_OUTPUT(mesh_closing_engine, triangles, "triangles", st_type_triangles, "triangles of the closed surface"),
    ST_OUTPUT(mesh_closing_engine, quads, "quads", st_type_quads, "quads of the closed surface"),
    ST_OUTPUT(mesh_closing_engine, indices, "indices", st_type_rows, "points of each hole, its new point first"),
    ST_OUTPUT(mesh_closing_engine, closing_position, "closingPosition", st_type_vec3s, "points of the lids alone"),
    ST_OUTPUT(mesh_closing_engine, closing_triangles, "closingTriangles", st_type_triangles,
              "triangles of the lids alone"),
    ST_FIELDS_END,
};

static bool mesh_closing_engine_copy(mesh_closing_engine *engine) {
    st_object *object = &engine->object;

    if (!st_engine_resize(object, &engine->position, engine->input_position.count) ||
        !st_engine_resize(object, &engine->triangles, engine->input_triangles.count) ||
        !st_engine_resize(object, &engine->quads, engine->input_quads.count))
        return false;

    st_copy_reals(engine->position.data, engine->input_position.data, 3 * engine->input_position.count);
    st_copy_bytes(engine->triangles.data, engine->input_triangles.data, 3 * engine->triangles.count * sizeof(uint32_t));
    st_copy_bytes(engine->quads.data, engine->input_quads.data, 4 * engine->quads.count * sizeof(uint32_t));
    return true;
}

// One loop of the border as the list of its vertices: edge after edge, each taken once.
static bool mesh_closing_engine_walk(const st_uints *border, bool *used, size_t first, st_uints *loop) {
    loop->count = 0;

    for (size_t e = first; e < border->count;) {
        used[e] = true;
        if (!st_list_push(loop, border->data[2 * e])) return false;

        // the first edge that begins where this one ends
        const uint32_t end = border->data[2 * e + 1];
        for (e = 0; e < border->count && (used[e] || border->data[2 * e] != end);) e++;
    }
    return true;
}

static bool add_lid(mesh_closing_engine *engine, const st_uints *loop, st_rows *rows) {
    const uint32_t center = (uint32_t)engine->position.count, n = (uint32_t)loop->count;
    const uint32_t lid_center = (uint32_t)engine->closing_position.count;
    st_uints row = {0};
    st_real mean[3] = {0, 0, 0};

    // the mean of the loop
    for (uint32_t i = 0; i < n; i++) st_vec3_add(mean, mean, engine->input_position.data + 3 * (size_t)loop->data[i]);
    st_vec3_divide(mean, mean, (st_real)n);

    bool ok = st_push_reals(&engine->position, mean, 3) && st_push_reals(&engine->closing_position, mean, 3) &&
              st_list_push(&row, center);

    // each edge of the loop with the center: in the whole surface, and in the lid alone
    for (uint32_t i = 0; i < n && ok; i++) {
        const uint32_t next = (i + 1) % n, whole[3] = {center, loop->data[next], loop->data[i]};
        const uint32_t lid[3] = {lid_center, lid_center + 1 + next, lid_center + 1 + i};

        ok = st_list_push(&row, loop->data[i]) && st_push_uints(&engine->triangles, whole, 3) &&
             st_push_uints(&engine->closing_triangles, lid, 3) &&
             st_push_reals(&engine->closing_position, engine->input_position.data + 3 * (size_t)loop->data[i], 3);
    }

    ok = ok && st_rows_add(rows, row.data, row.count);
    st_list_free(&row);
    return ok;
}

static bool close_holes(mesh_closing_engine *engine, const st_uints *border, st_rows *rows) {
    bool *used = st_alloc(border->count, sizeof *used);
    st_uints loop = {0};
    bool ok = used != NULL;

    for (size_t e = 0; e < border->count && ok; e++)
        // a loop through a vertex that does not exist is left open
        if (!used[e] && st_vertices_exist(border->data + 2 * e, 2, engine->input_position.count)) {
            ok = mesh_closing_engine_walk(border, used, e, &loop);
            bool whole = true;
            for (size_t i = 0; i < loop.count; i++) whole = whole && loop.data[i] < engine->input_position.count;

            if (ok && whole) ok = add_lid(engine, &loop, rows);
        }

    st_list_free(&loop);
    st_free(used);
    return ok;
}

static void mesh_closing_engine_update(st_object *object) {
    mesh_closing_engine *engine = (mesh_closing_engine *)object;
    st_uints border = {0};
    st_rows rows = {0};

    engine->closing_position.count = engine->closing_triangles.count = 0;

    // the whole surface first: lids are added to it
    const bool ok = mesh_closing_engine_copy(engine) &&
                    st_border_edges(&border, &engine->input_triangles, &engine->input_quads) &&
                    close_holes(engine, &border, &rows) && st_rows_write(&rows, &engine->indices);

    st_list_free(&border);
    st_rows_free(&rows);
    st_engine_done(object, ok);
}

const st_class st_mesh_closing_engine_class = {
    .name = "MeshClosingEngine",
    .help = "closes the holes of a surface",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(mesh_closing_engine),
    .update = mesh_closing_engine_update,
};
