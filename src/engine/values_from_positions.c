// ValuesFromPositions: values that vary linearly along a direction. With s = p . direction, between the smallest and
// the largest s of all points, the first input value goes over into the last one:
//
//     t = (s - smin) / (smax - smin),   value = v0 + t (v1 - v0)
//
// More than two values are evenly spaced, and the value is linear between each two of them.
//
// Elements have the value of their center; vectors are the unit direction times the value.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "topology/topology.h"

enum { KINDS = 3 };

typedef struct values_from_positions {
    st_object object;
    st_reals input_values;
    st_real direction[3];
    st_reals position;
    st_uints elements[KINDS];
    int32_t field_type; // of `types` below
    st_reals values, element_values[KINDS];
    st_reals vectors, element_vectors[KINDS];
    bool draw;
    st_real draw_length;
    st_real low, range; // of the projections
} values_from_positions;

static const char *const types[] = {"Scalar", "Vector", NULL};
static const st_element kinds[KINDS] = {ST_EDGE, ST_TRIANGLE, ST_TETRAHEDRON};

static const st_field fields[] = {
    ST_INPUT(values_from_positions, input_values, "inputValues", st_type_reals, "0 1", "values between the ends"),
    ST_INPUT(values_from_positions, direction, "direction", st_type_vec3, "0 1 0", "direction along which they vary"),
    ST_INPUT(values_from_positions, position, "position", st_type_coords, NULL,
             "points; the rest positions of the state when not given", .aliases = "rest_position"),
    ST_INPUT(values_from_positions, elements[0], "edges", st_type_edges, NULL, "edges; the topology's when not given"),
    ST_INPUT(values_from_positions, elements[1], "triangles", st_type_triangles, NULL,
             "triangles; the topology's when not given"),
    ST_INPUT(values_from_positions, elements[2], "tetrahedra", st_type_tetrahedra, NULL,
             "tetrahedra; the topology's when not given"),
    ST_INPUT(values_from_positions, field_type, "fieldType", st_type_option, "Scalar", "what the outputs hold",
             .options = types),
    ST_OUTPUT(values_from_positions, values, "values", st_type_reals, "value of each point"),
    ST_OUTPUT(values_from_positions, element_values[0], "edgeValues", st_type_reals, "value of each edge"),
    ST_OUTPUT(values_from_positions, element_values[1], "triangleValues", st_type_reals, "value of each triangle"),
    ST_OUTPUT(values_from_positions, element_values[2], "tetrahedronValues", st_type_reals,
              "value of each tetrahedron"),
    ST_OUTPUT(values_from_positions, vectors, "pointVectors", st_type_vec3s, "vector of each point"),
    ST_OUTPUT(values_from_positions, element_vectors[0], "edgeVectors", st_type_vec3s, "vector of each edge"),
    ST_OUTPUT(values_from_positions, element_vectors[1], "triangleVectors", st_type_vec3s, "vector of each triangle"),
    ST_OUTPUT(values_from_positions, element_vectors[2], "tetrahedronVectors", st_type_vec3s,
              "vector of each tetrahedron"),
    ST_SHOWN(values_from_positions, draw, "drawVectors", st_type_bool, "0", "draw the vectors"),
    ST_SHOWN(values_from_positions, draw_length, "drawVectorLength", st_type_real, "10", "their length"),
    ST_FIELDS_END,
};

static st_status values_from_positions_init(st_object *object) {
    values_from_positions *engine = (values_from_positions *)object;
    if (!st_engine_link_rest(object, &engine->position))
        return st_invalid(object, "position is not given and there is no mechanical state");

    st_topology *topology = st_context_topology(object->node, NULL);
    for (int k = 0; k < KINDS; k++) st_engine_link_elements(object, &engine->elements[k], topology, kinds[k]);
    return ST_OK;
}

static st_real value_at(const values_from_positions *engine, const st_real p[3], const st_real unit[3]) {
    const size_t count = engine->input_values.count;
    const st_real *v = engine->input_values.data;

    if (count == 0) return 0;
    if (count == 1 || !(engine->range > 0)) return v[0];

    // which piece, and how far along it
    const st_real t = st_clamp((st_vec3_dot(p, unit) - engine->low) / engine->range, 0, 1) * (st_real)(count - 1);
    const size_t k = t < (st_real)(count - 1) ? (size_t)t : count - 2;
    return v[k] + (t - (st_real)k) * (v[k + 1] - v[k]);
}

static bool values_from_positions_write(values_from_positions *engine, st_reals *values, st_reals *vectors,
                                        const st_real p[3], const st_real unit[3]) {
    const st_real value = value_at(engine, p, unit);
    st_real vector[3];

    st_vec3_scale(vector, unit, value);
    return engine->field_type == 0 ? st_list_push(values, value) : st_push_reals(vectors, vector, 3);
}

static void find_range(values_from_positions *engine, const st_real unit[3]) {
    const size_t width = st_engine_width(&engine->object);
    st_real low = ST_REAL_MAX, high = -ST_REAL_MAX;

    for (size_t i = 0; i < engine->position.count; i++) {
        const st_real s = st_vec3_dot(engine->position.data + i * width, unit);
        if (s < low) low = s;
        if (s > high) high = s;
    }

    engine->low = low;
    engine->range = high - low;
}

static bool write_elements(values_from_positions *engine, int k, const st_real unit[3]) {
    const size_t width = st_engine_width(&engine->object);
    const size_t size = st_element_size[kinds[k]];

    for (size_t e = 0; e < engine->elements[k].count; e++) {
        const uint32_t *v = engine->elements[k].data + e * size;

        // the mean of the vertices
        st_real center[3] = {0, 0, 0};
        for (size_t i = 0; i < size; i++)
            if (v[i] < engine->position.count) st_vec3_add(center, center, engine->position.data + v[i] * width);
        st_vec3_divide(center, center, (st_real)size);

        if (!values_from_positions_write(engine, &engine->element_values[k], &engine->element_vectors[k], center, unit))
            return false;
    }
    return true;
}

static void values_from_positions_update(st_object *object) {
    values_from_positions *engine = (values_from_positions *)object;
    const size_t width = st_engine_width(object);
    st_real unit[3];

    st_vec3_normalize(unit, engine->direction);

    find_range(engine, unit);

    engine->values.count = engine->vectors.count = 0;
    bool ok = true;

    // points
    for (size_t i = 0; i < engine->position.count && ok; i++)
        ok = values_from_positions_write(engine, &engine->values, &engine->vectors, engine->position.data + i * width,
                                         unit);

    // elements
    for (int k = 0; k < KINDS; k++) {
        engine->element_values[k].count = engine->element_vectors[k].count = 0;
        ok = ok && write_elements(engine, k, unit);
    }

    st_engine_done(object, ok);
}

const st_class st_values_from_positions_class = {
    .name = "ValuesFromPositions",
    .help = "gives points and elements values that vary along a direction",
    .parent = &st_engine_class,
    .templates = "Vec3 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(values_from_positions),
    .init = values_from_positions_init,
    .update = values_from_positions_update,
};
