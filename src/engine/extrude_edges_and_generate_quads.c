// ExtrudeEdgesAndGenerateQuads: draws a curve along a direction into n strips of quads. The copy of a vertex v in layer
// s is v - direction in + unit(direction) s (in + out) / n; layers follow each other.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct extrude_edges {
    st_object object;
    st_real direction[3], thickness_in, thickness_out;
    bool flip;
    int32_t sections;
    st_reals vertices;
    st_uints edges;
    st_reals extruded_vertices;
    st_uints extruded_edges, quads;
} extrude_edges;

static const st_field fields[] = {
    ST_INPUT(extrude_edges, direction, "extrudeDirection", st_type_vec3, "1 0 0", "direction of the extrusion"),
    ST_INPUT(extrude_edges, thickness_in, "thicknessIn", st_type_real, "0", "length against the direction"),
    ST_INPUT(extrude_edges, thickness_out, "thicknessOut", st_type_real, "1", "length along the direction"),
    ST_INPUT(extrude_edges, sections, "numberOfSections", st_type_int, "1", "number of strips"),
    ST_INPUT(extrude_edges, flip, "flipNormals", st_type_bool, "0", "turn the quads around"),
    ST_INPUT(extrude_edges, vertices, "curveVertices", st_type_vec3s, NULL, "points of the curve"),
    ST_INPUT(extrude_edges, edges, "curveEdges", st_type_edges, NULL, "edges of the curve"),
    ST_OUTPUT(extrude_edges, extruded_vertices, "extrudedVertices", st_type_vec3s, "points of the surface"),
    ST_OUTPUT(extrude_edges, extruded_edges, "extrudedEdges", st_type_edges,
              "edges of all layers, then those between layers"),
    ST_OUTPUT(extrude_edges, quads, "extrudedQuads", st_type_quads, "quads of the surface"),
    ST_FIELDS_END,
};

static bool make_vertices(extrude_edges *engine) {
    const size_t count = engine->vertices.count, layers = (size_t)engine->sections + 1;
    const st_real step = (engine->thickness_in + engine->thickness_out) / (st_real)engine->sections;
    st_real unit[3];
    st_vec3_normalize(unit, engine->direction);

    if (!st_engine_resize(&engine->object, &engine->extruded_vertices, count * layers)) return false;

    // v - direction in + unit s (in + out) / n
    for (size_t s = 0; s < layers; s++)
        for (size_t i = 0; i < count; i++) {
            st_real *p = engine->extruded_vertices.data + 3 * (s * count + i);
            st_vec3_add_scaled(p, engine->vertices.data + 3 * i, engine->direction, -engine->thickness_in);
            st_vec3_add_scaled(p, p, unit, step * (st_real)s);
        }
    return true;
}

static bool make_layer_edges(extrude_edges *engine, uint32_t shift) {
    for (size_t e = 0; e < engine->edges.count; e++) {
        const uint32_t *v = engine->edges.data + 2 * e, edge[2] = {v[0] + shift, v[1] + shift};
        if (st_vertices_exist(v, 2, engine->vertices.count) && !st_push_uints(&engine->extruded_edges, edge, 2))
            return false;
    }
    return true;
}

static bool extrude_edges_and_generate_quads_make_quads(extrude_edges *engine, uint32_t shift, uint32_t next) {
    for (size_t e = 0; e < engine->edges.count; e++) {
        const uint32_t *v = engine->edges.data + 2 * e;

        if (!st_vertices_exist(v, 2, engine->vertices.count)) continue;

        const uint32_t a = v[engine->flip ? 1 : 0], b = v[engine->flip ? 0 : 1];
        const uint32_t quad[4] = {a + shift, b + shift, b + next, a + next};
        if (!st_push_uints(&engine->quads, quad, 4)) return false;
    }
    return true;
}

static bool make_elements(extrude_edges *engine) {
    const uint32_t count = (uint32_t)engine->vertices.count, sections = (uint32_t)engine->sections;

    // edges along the layers, and the quads between them
    for (uint32_t s = 0; s <= sections; s++)
        if (!make_layer_edges(engine, s * count) ||
            (s < sections && !extrude_edges_and_generate_quads_make_quads(engine, s * count, (s + 1) * count)))
            return false;

    // edges from each layer to the next
    for (uint32_t s = 0; s < sections; s++)
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t edge[2] = {s * count + i, (s + 1) * count + i};
            if (!st_push_uints(&engine->extruded_edges, edge, 2)) return false;
        }
    return true;
}

static void extrude_edges_and_generate_quads_update(st_object *object) {
    extrude_edges *engine = (extrude_edges *)object;

    engine->extruded_vertices.count = engine->extruded_edges.count = engine->quads.count = 0;

    const bool usable =
        engine->sections >= 1 && (double)engine->vertices.count * ((double)engine->sections + 1) <= ST_ENGINE_LARGEST;
    if (!usable) st_message(object, ST_ERROR, "numberOfSections is %ld: nothing is made", (long)engine->sections);

    st_engine_done(object, !usable || (make_vertices(engine) && make_elements(engine)));
}

const st_class st_extrude_edges_and_generate_quads_class = {
    .name = "ExtrudeEdgesAndGenerateQuads",
    .help = "draws a curve along a direction into a surface of quads",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(extrude_edges),
    .update = extrude_edges_and_generate_quads_update,
};
