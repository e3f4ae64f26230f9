// MeshSubsetEngine: some points of a mesh and the elements that have all vertices among them, renumbered.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

enum { KINDS = ST_HEXAHEDRON + 1 };

typedef struct mesh_subset_engine {
    st_object object;
    st_reals input_position, position;
    st_uints input[KINDS], output[KINDS];
    st_uints indices;
} mesh_subset_engine;

#define KIND(kind, upper, name, type)                                                                                  \
    ST_INPUT(mesh_subset_engine, input[kind], "input" upper, type, NULL, name " of the mesh"),                         \
        ST_OUTPUT(mesh_subset_engine, output[kind], name, type, name " of the subset")

static const st_field fields[] = {
    ST_INPUT(mesh_subset_engine, input_position, "inputPosition", st_type_coords, NULL, "points of the mesh"),
    ST_INPUT(mesh_subset_engine, indices, "indices", st_type_indices, NULL, "points to keep, in their new order"),
    ST_OUTPUT(mesh_subset_engine, position, "position", st_type_coords, "points of the subset"),
    KIND(ST_EDGE, "Edges", "edges", st_type_edges),
    KIND(ST_TRIANGLE, "Triangles", "triangles", st_type_triangles),
    KIND(ST_QUAD, "Quads", "quads", st_type_quads),
    KIND(ST_TETRAHEDRON, "Tetrahedra", "tetrahedra", st_type_tetrahedra),
    KIND(ST_HEXAHEDRON, "Hexahedra", "hexahedra", st_type_hexahedra),
    ST_FIELDS_END,
};

// The new number of each old point, ST_INVALID_INDEX for those that go.
static bool pick_points(mesh_subset_engine *engine, uint32_t *number) {
    const size_t width = st_engine_width(&engine->object);

    for (size_t i = 0; i < engine->input_position.count; i++) number[i] = ST_INVALID_INDEX;
    engine->position.count = 0;

    for (size_t k = 0; k < engine->indices.count; k++) {
        const uint32_t i = engine->indices.data[k];
        if (i >= engine->input_position.count) {
            st_message(&engine->object, ST_ERROR, "indices[%zu] is %lu; there are %zu points", k, (unsigned long)i,
                       engine->input_position.count);
            continue;
        }

        // a point that is picked twice has its first number
        if (number[i] == ST_INVALID_INDEX) number[i] = (uint32_t)engine->position.count;
        if (!st_push_reals(&engine->position, engine->input_position.data + i * width, width)) return false;
    }
    return true;
}

static bool pick_elements(mesh_subset_engine *engine, const uint32_t *number, int kind) {
    const size_t size = st_element_size[kind];

    engine->output[kind].count = 0;
    for (size_t e = 0; e < engine->input[kind].count; e++) {
        // up to the first vertex that goes
        const uint32_t *v = engine->input[kind].data + e * size;
        uint32_t renumbered[8];
        size_t kept = 0;
        while (kept < size && v[kept] < engine->input_position.count && number[v[kept]] != ST_INVALID_INDEX) {
            renumbered[kept] = number[v[kept]];
            kept++;
        }

        if (kept == size && !st_push_uints(&engine->output[kind], renumbered, size)) return false;
    }
    return true;
}

static void mesh_subset_engine_update(st_object *object) {
    mesh_subset_engine *engine = (mesh_subset_engine *)object;
    uint32_t *number = st_alloc(engine->input_position.count, sizeof *number);
    bool ok = number && pick_points(engine, number);
    for (int kind = 0; kind < KINDS && ok; kind++) ok = pick_elements(engine, number, kind);

    st_free(number);
    st_engine_done(object, ok);
}

const st_class st_mesh_subset_engine_class = {
    .name = "MeshSubsetEngine",
    .help = "cuts a part out of a mesh",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(mesh_subset_engine),
    .update = mesh_subset_engine_update,
};
