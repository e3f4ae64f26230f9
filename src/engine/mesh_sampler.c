// MeshSampler: a few points of a mesh, evenly spread (sampling.h).
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "engine/sampling.h"

typedef struct mesh_sampler {
    st_object object;
    uint32_t number, max_iterations;
    st_reals position;
    st_uints edges;
    st_uints output_indices;
    st_reals output_position;
} mesh_sampler;

static const st_field fields[] = {
    ST_INPUT(mesh_sampler, number, "number", st_type_uint, "1", "number of samples"),
    ST_INPUT(mesh_sampler, position, "position", st_type_vec3s, NULL, "points of the mesh"),
    ST_INPUT(mesh_sampler, edges, "edges", st_type_edges, NULL,
             "edges along which distances are measured; none: straight distances"),
    ST_INPUT(mesh_sampler, max_iterations, "maxIter", st_type_uint, "500", "most steps of relaxation"),
    ST_OUTPUT(mesh_sampler, output_indices, "outputIndices", st_type_indices, "the samples"),
    ST_OUTPUT(mesh_sampler, output_position, "outputPosition", st_type_vec3s, "their positions"),
    ST_FIELDS_END,
};

static void mesh_sampler_update(st_object *object) {
    mesh_sampler *engine = (mesh_sampler *)object;
    st_cloud cloud;

    engine->output_position.count = 0;

    // samples as indices, then their positions
    bool ok = st_cloud_create(&cloud, engine->position.data, engine->position.count, &engine->edges) &&
              st_cloud_sample(&cloud, &engine->output_indices, engine->number, engine->max_iterations);

    for (size_t i = 0; i < engine->output_indices.count && ok; i++)
        ok = st_push_reals(&engine->output_position, engine->position.data + 3 * (size_t)engine->output_indices.data[i],
                           3);

    st_cloud_free(&cloud);
    st_engine_done(object, ok);
}

const st_class st_mesh_sampler_class = {
    .name = "MeshSampler",
    .help = "picks a few points of a mesh, evenly spread",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(mesh_sampler),
    .update = mesh_sampler_update,
};
