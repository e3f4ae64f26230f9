// MeshSplittingEngine: divides the points of a mesh among several parts. Part k takes the points of its own lists:
// points, and the vertices of elements. A point that two parts ask for belongs to the first; the last part, one more
// than there are inputs, takes all others. indexPairs has for each point its part and its place there.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

enum { KINDS = ST_HEXAHEDRON + 1 };

typedef struct mesh_splitting_engine {
    st_object object;
    st_reals position;
    st_uints elements[KINDS];
    uint32_t input_count;
    st_uints indices[ST_ENGINE_INPUTS];
    st_uints element_indices[KINDS][ST_ENGINE_INPUTS];
    st_uints pairs;
    st_reals parts[ST_ENGINE_INPUTS + 1];
} mesh_splitting_engine;

#define PART(n)                                                                                                        \
    ST_INPUT(mesh_splitting_engine, indices[n - 1], "indices" #n, st_type_indices, NULL, "points of part " #n),        \
        ST_INPUT(mesh_splitting_engine, element_indices[ST_EDGE][n - 1], "edgeIndices" #n, st_type_indices, NULL,      \
                 "edges of part " #n),                                                                                 \
        ST_INPUT(mesh_splitting_engine, element_indices[ST_TRIANGLE][n - 1], "triangleIndices" #n, st_type_indices,    \
                 NULL, "triangles of part " #n),                                                                       \
        ST_INPUT(mesh_splitting_engine, element_indices[ST_QUAD][n - 1], "quadIndices" #n, st_type_indices, NULL,      \
                 "quads of part " #n),                                                                                 \
        ST_INPUT(mesh_splitting_engine, element_indices[ST_TETRAHEDRON][n - 1], "tetrahedronIndices" #n,               \
                 st_type_indices, NULL, "tetrahedra of part " #n),                                                     \
        ST_INPUT(mesh_splitting_engine, element_indices[ST_HEXAHEDRON][n - 1], "hexahedronIndices" #n,                 \
                 st_type_indices, NULL, "hexahedra of part " #n),                                                      \
        ST_OUTPUT(mesh_splitting_engine, parts[n - 1], "position" #n, st_type_coords, "points of part " #n),

static const st_field fields[] = {
    ST_INPUT(mesh_splitting_engine, position, "position", st_type_coords, NULL, "points of the mesh"),
    ST_INPUT(mesh_splitting_engine, elements[ST_EDGE], "edges", st_type_edges, NULL, "edges of the mesh"),
    ST_INPUT(mesh_splitting_engine, elements[ST_TRIANGLE], "triangles", st_type_triangles, NULL,
             "triangles of the mesh"),
    ST_INPUT(mesh_splitting_engine, elements[ST_QUAD], "quads", st_type_quads, NULL, "quads of the mesh"),
    ST_INPUT(mesh_splitting_engine, elements[ST_TETRAHEDRON], "tetrahedra", st_type_tetrahedra, NULL,
             "tetrahedra of the mesh"),
    ST_INPUT(mesh_splitting_engine, elements[ST_HEXAHEDRON], "hexahedra", st_type_hexahedra, NULL,
             "hexahedra of the mesh"),
    ST_INPUT(mesh_splitting_engine, input_count, "nbInputs", st_type_uint, "0", "number of parts that are given"),
    ST_EACH_INPUT(PART) ST_OUTPUT(mesh_splitting_engine, parts[ST_ENGINE_INPUTS], "position21", st_type_coords,
                                  "points of the part after"),
    ST_OUTPUT(mesh_splitting_engine, pairs, "indexPairs", st_type_indices,
              "part and place in it, for each point: for SubsetMultiMapping"),
    ST_FIELDS_END,
};

static void claim(mesh_splitting_engine *engine, uint32_t *part, size_t point, size_t k) {
    if (point < engine->position.count && part[point] == ST_INVALID_INDEX) part[point] = (uint32_t)k;
}

static void claim_elements(mesh_splitting_engine *engine, uint32_t *part, int kind, size_t k) {
    const size_t size = st_element_size[kind];
    const st_uints *list = &engine->element_indices[kind][k];

    for (size_t i = 0; i < list->count; i++)
        for (size_t v = 0; v < size && list->data[i] < engine->elements[kind].count; v++)
            claim(engine, part, engine->elements[kind].data[list->data[i] * size + v], k);
}

static bool share_out(mesh_splitting_engine *engine, const uint32_t *part, size_t last) {
    const size_t width = st_engine_width(&engine->object);

    for (size_t i = 0; i < engine->position.count; i++) {
        const uint32_t k = part[i] == ST_INVALID_INDEX ? (uint32_t)last : part[i];

        // (part, place there)
        if (!st_list_push(&engine->pairs, k) || !st_list_push(&engine->pairs, (uint32_t)engine->parts[k].count))
            return false;
        if (!st_push_reals(&engine->parts[k], engine->position.data + i * width, width)) return false;
    }

    return true;
}

static void mesh_splitting_engine_update(st_object *object) {
    mesh_splitting_engine *engine = (mesh_splitting_engine *)object;
    const size_t parts = st_engine_inputs(object, engine->input_count);
    uint32_t *part = st_alloc(engine->position.count, sizeof *part);

    engine->pairs.count = 0;
    for (size_t k = 0; k <= ST_ENGINE_INPUTS; k++) engine->parts[k].count = 0;

    // each part claims its points, the first parts first
    for (size_t i = 0; part && i < engine->position.count; i++) part[i] = ST_INVALID_INDEX;
    for (size_t k = 0; part && k < parts; k++) {
        for (size_t i = 0; i < engine->indices[k].count; i++) claim(engine, part, engine->indices[k].data[i], k);
        for (int kind = 0; kind < KINDS; kind++) claim_elements(engine, part, kind, k);
    }

    const bool ok = part && share_out(engine, part, parts);
    st_free(part);
    st_engine_done(object, ok);
}

const st_class st_mesh_splitting_engine_class = {
    .name = "MeshSplittingEngine",
    .help = "divides the points of a mesh among several parts",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(mesh_splitting_engine),
    .update = mesh_splitting_engine_update,
};
