// FillReducingOrdering: numbers the points of a mesh such that a factorization in the order of the points fills little.
//
// Points are neighbors when an element holds both. The k-th point of the output is the one that is eliminated k-th:
//
//     position[k] = old position[permutation[k]],     elements are renumbered by invPermutation[permutation[k]] = k.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "engine/engine.h"
#include "linalg/ordering.h"
#include "linalg/pattern.h"
#include "scene/scene.h"
#include "topology/topology.h"

enum { TETRAHEDRA, HEXAHEDRA, KINDS };
static const st_element kinds[KINDS] = {ST_TETRAHEDRON, ST_HEXAHEDRON};

typedef struct fill_reducing_ordering {
    st_object object;
    st_state *state;
    st_object *topology;
    int32_t method;
    st_reals input_position, position;
    st_uints input[KINDS], output[KINDS];
    st_uints permutation, inverse;
} fill_reducing_ordering;

static const char *const methods[] = {"nestedDissection", "approximateMinimumDegree", NULL};
static const st_ordering orderings[] = {ST_ORDERING_METIS, ST_ORDERING_AMD};

static const st_field fields[] = {
    ST_FIELD(fill_reducing_ordering, state, "mstate", st_type_link, NULL, "state; that of the node when not given",
             .role = ST_ROLE(state)),
    ST_FIELD(fill_reducing_ordering, topology, "topology", st_type_link, NULL, "mesh; that of the node when not given",
             .role = ST_ROLE(topology)),
    ST_INPUT(fill_reducing_ordering, method, "orderingMethod", st_type_option, "nestedDissection",
             "how the order is found", .options = methods),
    ST_INPUT(fill_reducing_ordering, input_position, "inputPosition", st_type_coords, NULL,
             "points; the rest positions of the state when not given"),
    ST_INPUT(fill_reducing_ordering, input[TETRAHEDRA], "inputTetrahedra", st_type_tetrahedra, NULL,
             "tetrahedra; those of the mesh when not given"),
    ST_INPUT(fill_reducing_ordering, input[HEXAHEDRA], "inputHexahedra", st_type_hexahedra, NULL,
             "hexahedra; those of the mesh when not given"),
    ST_OUTPUT(fill_reducing_ordering, permutation, "permutation", st_type_indices, "old number of each new point"),
    ST_OUTPUT(fill_reducing_ordering, inverse, "invPermutation", st_type_indices, "new number of each old point"),
    ST_OUTPUT(fill_reducing_ordering, position, "position", st_type_coords, "points in the new order"),
    ST_OUTPUT(fill_reducing_ordering, output[TETRAHEDRA], "tetrahedra", st_type_tetrahedra, "tetrahedra, renumbered"),
    ST_OUTPUT(fill_reducing_ordering, output[HEXAHEDRA], "hexahedra", st_type_hexahedra, "hexahedra, renumbered"),
    ST_FIELDS_END,
};

static st_status fill_reducing_ordering_init(st_object *object) {
    fill_reducing_ordering *engine = (fill_reducing_ordering *)object;
    st_topology *topology = st_context_topology(object->node, engine->topology);

    if (!topology) return st_invalid(object, "there is no topology whose points could be ordered");

    // given positions, or those of the nearest state
    if (engine->state) st_link_field(object, &engine->input_position, &engine->state->object, "rest_position");
    else if (!st_engine_link_state(object, &engine->input_position, "rest_position"))
        return st_invalid(object, "there is no state whose points could be ordered");

    for (int k = 0; k < KINDS; k++) st_engine_link_elements(object, &engine->input[k], topology, kinds[k]);
    return ST_OK;
}

// Every two points of an element. ST_INVALID: one of them does not exist.
static st_status fill_reducing_ordering_record(const fill_reducing_ordering *engine, st_pattern *pattern) {
    const size_t points = engine->input_position.count;
    st_status status = ST_OK;

    for (int k = 0; k < KINDS; k++) {
        const size_t size = st_element_size[kinds[k]];
        for (size_t i = 0; status == ST_OK && i < engine->input[k].count * size * size; i++) {
            const uint32_t *v = engine->input[k].data + i / (size * size) * size;
            const uint32_t a = v[i / size % size], b = v[i % size];
            if (a >= points || b >= points) status = ST_INVALID; // of an element whose points are all the same, too
            else if (a != b) status = st_pattern_record(pattern, (int32_t)a, (int32_t)b);
        }
    }
    return status;
}

static st_status fill_reducing_ordering_order(const fill_reducing_ordering *engine, int32_t *permutation) {
    if (engine->input_position.count > INT32_MAX) return ST_OUT_OF_MEMORY;

    const int32_t points = (int32_t)engine->input_position.count;
    st_pattern pattern = {0};

    // the graph of points that share an element, compressed
    st_status status = st_pattern_begin(&pattern, points, points);
    if (status == ST_OK) status = fill_reducing_ordering_record(engine, &pattern);
    if (status == ST_OK) status = st_pattern_compress(&pattern);

    const st_graph graph = {.n = points, .starts = pattern.starts, .neighbors = pattern.columns};
    if (status == ST_OK) status = st_ordering_compute(orderings[engine->method], &graph, permutation);

    st_pattern_free(&pattern);
    return status;
}

static bool fill_reducing_ordering_write(fill_reducing_ordering *engine, const int32_t *permutation) {
    st_object *object = &engine->object;
    const size_t points = engine->input_position.count, width = st_engine_width(object);

    bool ok = st_engine_resize(object, &engine->permutation, points) &&
              st_engine_resize(object, &engine->inverse, points) && st_engine_resize(object, &engine->position, points);

    // point i of the output is the one that is eliminated i-th
    for (size_t i = 0; ok && i < points; i++) {
        const uint32_t old = (uint32_t)permutation[i];
        engine->permutation.data[i] = old;
        engine->inverse.data[old] = (uint32_t)i;
        memcpy(engine->position.data + i * width, engine->input_position.data + old * width, width * sizeof(st_real));
    }

    // elements, with the new numbers
    for (int k = 0; ok && k < KINDS; k++) {
        ok = st_engine_resize(object, &engine->output[k], engine->input[k].count);
        for (size_t i = 0; ok && i < engine->input[k].count * st_element_size[kinds[k]]; i++)
            engine->output[k].data[i] = engine->inverse.data[engine->input[k].data[i]];
    }
    return ok;
}

static void fill_reducing_ordering_update(st_object *object) {
    fill_reducing_ordering *engine = (fill_reducing_ordering *)object;
    int32_t *permutation = st_alloc(engine->input_position.count, sizeof *permutation);

    engine->permutation.count = engine->inverse.count = engine->position.count = 0;
    for (int k = 0; k < KINDS; k++) engine->output[k].count = 0;

    const st_status status = permutation ? fill_reducing_ordering_order(engine, permutation) : ST_OUT_OF_MEMORY;
    if (status == ST_INVALID)
        st_message(object, ST_ERROR,
                   "an element has a point that does not exist: there are %zu points, none is ordered",
                   engine->input_position.count);

    // elements with wrong points are reported, the outputs stay empty
    const bool ok = status == ST_OK ? fill_reducing_ordering_write(engine, permutation) : status == ST_INVALID;
    st_free(permutation);
    st_engine_done(object, ok);
}

const st_class st_fill_reducing_ordering_class = {
    .name = "FillReducingOrdering",
    .help = "numbers the points of a mesh such that a factorization fills little",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(fill_reducing_ordering),
    .init = fill_reducing_ordering_init,
    .update = fill_reducing_ordering_update,
};
