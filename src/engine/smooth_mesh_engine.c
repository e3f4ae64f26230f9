// SmoothMeshEngine: Laplacian smoothing. In each iteration every point goes to the mean of its neighbors along edges,
// all at once from the positions of the iteration before.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "topology/topology.h"

typedef struct smooth_mesh_engine {
    st_object object;
    st_reals input, output;
    st_uints indices;
    uint32_t iterations;
    bool show_input, show_output;
    st_object *topology;
    st_uints edges; // follow the topology
} smooth_mesh_engine;

static const st_field fields[] = {
    ST_INPUT(smooth_mesh_engine, input, "input_position", st_type_vec3s, NULL, "points"),
    ST_INPUT(smooth_mesh_engine, indices, "input_indices", st_type_indices, NULL, "points to smooth; all when empty"),
    ST_INPUT(smooth_mesh_engine, iterations, "nb_iterations", st_type_uint, "1", "number of iterations"),
    ST_INPUT(smooth_mesh_engine, edges, "edges", st_type_edges, NULL, "edges; the topology's when not given"),
    ST_FIELD(smooth_mesh_engine, topology, "topology", st_type_link, NULL, "topology; the node's when not given",
             .role = ST_ROLE(topology)),
    ST_OUTPUT(smooth_mesh_engine, output, "output_position", st_type_vec3s, "points after smoothing"),
    ST_SHOWN(smooth_mesh_engine, show_input, "showInput", st_type_bool, "0", "draw the points before"),
    ST_SHOWN(smooth_mesh_engine, show_output, "showOutput", st_type_bool, "0", "draw the points after"),
    ST_FIELDS_END,
};

static st_status smooth_mesh_engine_init(st_object *object) {
    smooth_mesh_engine *engine = (smooth_mesh_engine *)object;
    st_topology *topology = st_context_topology(object->node, engine->topology);

    if (!topology && !st_is_set(object, &engine->edges))
        return st_invalid(object, "there is no topology whose edges could be followed");

    st_engine_link_elements(object, &engine->edges, topology, ST_EDGE);
    return ST_OK;
}

static void add_neighbor(const st_real *x, st_real *sums, st_real *counts, size_t point, size_t neighbor) {
    st_vec3_add(sums + 3 * point, sums + 3 * point, x + 3 * neighbor);
    counts[point] += 1;
}

static void smooth(const smooth_mesh_engine *engine, const bool *chosen, st_real *sums, st_real *counts) {
    const size_t points = engine->output.count;
    st_real *x = engine->output.data;

    memset(sums, 0, 3 * points * sizeof *sums);
    memset(counts, 0, points * sizeof *counts);

    // sums over the neighbors along edges
    for (size_t e = 0; e < engine->edges.count; e++) {
        const uint32_t *v = engine->edges.data + 2 * e;
        if (!st_vertices_exist(v, 2, points)) continue;
        add_neighbor(x, sums, counts, v[0], v[1]);
        add_neighbor(x, sums, counts, v[1], v[0]);
    }

    // all at once, so that the order of points does not matter
    for (size_t i = 0; i < points; i++)
        if (chosen[i] && counts[i] > 0) st_vec3_divide(x + 3 * i, sums + 3 * i, counts[i]);
}

static void smooth_mesh_engine_choose(const smooth_mesh_engine *engine, bool *chosen) {
    for (size_t i = 0; i < engine->input.count; i++) chosen[i] = engine->indices.count == 0;

    for (size_t i = 0; i < engine->indices.count; i++)
        if (engine->indices.data[i] < engine->input.count) chosen[engine->indices.data[i]] = true;
}

static void smooth_mesh_engine_update(st_object *object) {
    smooth_mesh_engine *engine = (smooth_mesh_engine *)object;
    const size_t points = engine->input.count;
    bool *chosen = st_alloc(points, sizeof *chosen);
    st_real *sums = st_alloc(3 * points, sizeof *sums), *counts = st_alloc(points, sizeof *counts);
    const bool ok = chosen && sums && counts && st_engine_resize(object, &engine->output, points);

    // each iteration moves the chosen points of the output
    if (ok) {
        st_copy_reals(engine->output.data, engine->input.data, 3 * points);
        smooth_mesh_engine_choose(engine, chosen);
    }

    for (uint32_t i = 0; ok && i < engine->iterations; i++) smooth(engine, chosen, sums, counts);

    st_free(chosen);
    st_free(sums);
    st_free(counts);
    st_engine_done(object, ok);
}

const st_class st_smooth_mesh_engine_class = {
    .name = "SmoothMeshEngine",
    .help = "smooths a mesh",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(smooth_mesh_engine),
    .init = smooth_mesh_engine_init,
    .update = smooth_mesh_engine_update,
};
