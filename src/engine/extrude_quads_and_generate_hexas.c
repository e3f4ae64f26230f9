// ExtrudeQuadsAndGenerateHexas: thickens a surface of quads into n slices of hexahedra.
//
// With N the unit normal of vertex i (sum of the unit normals of its quads), its copy of slice s has the index
// i (n + 1) + s and the position scale∘v - N in + N s (in + out) / n.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "engine/surface.h"
#include "topology/element_set.h"
#include "topology/tables.h"

typedef struct extrude_quads {
    st_object object;
    bool flip;
    st_real scale[3], thickness_in, thickness_out;
    uint32_t slices;
    st_reals vertices;
    st_uints quads;
    st_reals extruded_vertices;
    st_uints surface_quads, all_quads, hexahedra;
} extrude_quads;

static const st_field fields[] = {
    ST_INPUT(extrude_quads, flip, "flipNormals", st_type_bool, "0", "turn the elements around"),
    ST_INPUT(extrude_quads, scale, "scale", st_type_vec3, "1 1 1", "factors of the coordinates"),
    ST_INPUT(extrude_quads, thickness_in, "thicknessIn", st_type_real, "0", "thickness against the normals"),
    ST_INPUT(extrude_quads, thickness_out, "thicknessOut", st_type_real, "1", "thickness along the normals"),
    ST_INPUT(extrude_quads, slices, "numberOfSlices", st_type_uint, "1", "number of layers of hexahedra"),
    ST_INPUT(extrude_quads, vertices, "surfaceVertices", st_type_vec3s, NULL, "points of the surface"),
    ST_INPUT(extrude_quads, quads, "surfaceQuads", st_type_quads, NULL, "quads of the surface"),
    ST_OUTPUT(extrude_quads, extruded_vertices, "extrudedVertices", st_type_vec3s, "points of the solid"),
    ST_OUTPUT(extrude_quads, surface_quads, "extrudedSurfaceQuads", st_type_quads, "faces on the outside of the solid"),
    ST_OUTPUT(extrude_quads, all_quads, "extrudedQuads", st_type_quads, "all faces, each once"),
    ST_OUTPUT(extrude_quads, hexahedra, "extrudedHexas", st_type_hexahedra, "hexahedra of the solid"),
    ST_FIELDS_END,
};

static bool make_vertices(extrude_quads *engine, const st_real *normals) {
    const size_t layers = (size_t)engine->slices + 1;

    if (!st_engine_resize(&engine->object, &engine->extruded_vertices, engine->vertices.count * layers)) return false;

    const st_real step = (engine->thickness_in + engine->thickness_out) / (st_real)engine->slices;

    // scale∘v - N in + N s (in + out) / n
    for (size_t i = 0; i < engine->vertices.count; i++) {
        const st_real *v = engine->vertices.data + 3 * i, *n = normals + 3 * i;
        st_real base[3] = {v[0] * engine->scale[0], v[1] * engine->scale[1], v[2] * engine->scale[2]};

        st_vec3_add_scaled(base, base, n, -engine->thickness_in);
        for (size_t s = 0; s < layers; s++)
            st_vec3_add_scaled(engine->extruded_vertices.data + 3 * (i * layers + s), base, n, step * (st_real)s);
    }
    return true;
}

static bool make_hexahedra(extrude_quads *engine) {
    const uint32_t layers = engine->slices + 1;

    for (size_t q = 0; q < engine->quads.count; q++) {
        const uint32_t *v = engine->quads.data + 4 * q;
        if (!st_vertices_exist(v, 4, engine->vertices.count)) continue;
        for (uint32_t s = 0; s < engine->slices; s++) {
            // the quad of one slice and that of the next; the order makes the volume positive
            uint32_t h[8];
            for (uint32_t k = 0; k < 4; k++) {
                h[k] = v[engine->flip ? k : 3 - k] * layers + s;
                h[4 + k] = h[k] + 1;
            }

            if (!st_push_uints(&engine->hexahedra, h, 8)) return false;
        }
    }
    return true;
}

static void face_of(const extrude_quads *engine, size_t hexahedron, int f, uint32_t face[4]) {
    for (int k = 0; k < 4; k++) face[k] = engine->hexahedra.data[8 * hexahedron + (size_t)st_hexahedron_quads[f][k]];
}

// Each face once; `uses` counts the hexahedra of each.
static bool collect_faces(extrude_quads *engine, st_element_set *known, st_uints *uses) {
    for (size_t h = 0; h < engine->hexahedra.count; h++)
        for (int f = 0; f < 6; f++) {
            uint32_t face[4];

            face_of(engine, h, f, face);

            // a face that is known has one hexahedron more
            const uint32_t place = st_element_set_find(known, face, 4);
            if (place != ST_INVALID_INDEX) {
                uses->data[place]++;
                continue;
            }

            if (st_element_set_add(known, face, 4, (uint32_t)engine->all_quads.count) == ST_SET_NO_MEMORY) return false;
            if (!st_push_uints(&engine->all_quads, face, 4) || !st_list_push(uses, 1)) return false;
        }
    return true;
}

static bool make_faces(extrude_quads *engine) {
    st_element_set known = {0};
    st_uints uses = {0};
    bool ok = collect_faces(engine, &known, &uses);

    // the surface: faces that one hexahedron has
    for (size_t q = 0; q < uses.count && ok; q++)
        if (uses.data[q] == 1) ok = st_push_uints(&engine->surface_quads, engine->all_quads.data + 4 * q, 4);

    st_element_set_free(&known);
    st_list_free(&uses);
    return ok;
}

static void extrude_quads_and_generate_hexas_update(st_object *object) {
    extrude_quads *engine = (extrude_quads *)object;

    engine->extruded_vertices.count = engine->hexahedra.count = engine->surface_quads.count = engine->all_quads.count =
        0;

    const double points = (double)engine->vertices.count * ((double)engine->slices + 1);
    if (engine->slices < 1 || points > ST_ENGINE_LARGEST) {
        st_message(object, ST_ERROR, "numberOfSlices is %lu: nothing is made", (unsigned long)engine->slices);
        st_engine_done(object, true);
        return;
    }

    // unit normals of the vertices, then the solid along them
    st_real *normals = st_alloc(3 * engine->vertices.count, sizeof *normals);
    const st_surface surface = {.points = engine->vertices.data,
                                .point_count = engine->vertices.count,
                                .quads = engine->quads.data,
                                .quad_count = engine->quads.count};
    if (normals) st_surface_normals(&surface, ST_NORMAL_UNIT, normals);

    const bool ok = normals && make_vertices(engine, normals) && make_hexahedra(engine) && make_faces(engine);
    st_free(normals);
    st_engine_done(object, ok);
}

const st_class st_extrude_quads_and_generate_hexas_class = {
    .name = "ExtrudeQuadsAndGenerateHexas",
    .help = "thickens a surface of quads into hexahedra",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(extrude_quads),
    .update = extrude_quads_and_generate_hexas_update,
};
