// ClusteringEngine: overlapping groups of points. Centers are spread over the points; a group has the points for which
// its center is the nearest one, and the neighbors of these: those along an edge of the topology, or, without one, those
// within the radius. The center comes first.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "engine/rows.h"
#include "engine/sampling.h"
#include "topology/topology.h"

typedef struct clustering_engine {
    st_object object;
    bool use_topology, draw;
    st_real radius;
    int32_t number;
    st_object *topology;
    st_reals position;
    st_strings cluster;
} clustering_engine;

static const st_field fields[] = {
    ST_INPUT(clustering_engine, use_topology, "useTopo", st_type_bool, "1",
             "measure distances along the edges of the topology"),
    ST_INPUT(clustering_engine, radius, "radius", st_type_real, "1",
             "without a topology: points so near to one of a group are in it, too"),
    ST_INPUT(clustering_engine, number, "number", st_type_int, "-1", "number of groups; negative: one for each point"),
    ST_INPUT(clustering_engine, position, "position", st_type_vec3s, NULL,
             "points; the rest positions of the state when not given", .aliases = "rest_position"),
    ST_FIELD(clustering_engine, topology, "topology", st_type_link, NULL, "topology; the node's when not given",
             .role = ST_ROLE(topology)),
    ST_OUTPUT(clustering_engine, cluster, "cluster", st_type_rows, "the groups, one list of points each"),
    ST_SHOWN(clustering_engine, draw, "drawEdges", st_type_bool, "0", "draw the groups"),
    ST_FIELDS_END,
};

static st_status clustering_engine_init(st_object *object) {
    clustering_engine *engine = (clustering_engine *)object;
    if (!st_engine_link_rest(object, &engine->position))
        return st_invalid(object, "position is not given and there is no mechanical state");
    return ST_OK;
}

// Neighbors of one point, which then are in the group, too. `distance` has room for all points.
static bool mark_neighbors(const st_cloud *cloud, uint32_t point, st_real radius, bool *inside, st_real *distance) {
    if (cloud->starts) {
        for (uint32_t k = cloud->starts[point]; k < cloud->starts[point + 1]; k++) inside[cloud->neighbors[k]] = true;
        return true;
    }

    if (!st_cloud_distances(cloud, point, distance)) return false;
    for (size_t i = 0; i < cloud->count; i++)
        if (distance[i] <= radius) inside[i] = true;
    return true;
}

static bool add_group(const st_cloud *cloud, const st_uints *samples, size_t k, st_real radius, st_rows *rows,
                      bool *inside, st_real *distance) {
    st_uints group = {0};
    bool ok = st_list_push(&group, samples->data[k]);

    // those that belong to the center, and their neighbors
    memset(inside, 0, cloud->count * sizeof *inside);
    for (size_t i = 0; i < cloud->count && ok; i++)
        if (cloud->owner[i] == k) {
            inside[i] = true;
            ok = mark_neighbors(cloud, (uint32_t)i, radius, inside, distance);
        }

    for (size_t i = 0; i < cloud->count && ok; i++)
        if (inside[i] && i != samples->data[k]) ok = st_list_push(&group, (uint32_t)i);

    ok = ok && st_rows_add(rows, group.data, group.count);
    st_list_free(&group);
    return ok;
}

static bool sample(const clustering_engine *engine, st_cloud *cloud, st_uints *samples) {
    if (engine->number >= 0) return st_cloud_sample(cloud, samples, (size_t)engine->number, 0);

    // a negative number: every point is a center
    for (size_t i = 0; i < cloud->count; i++) {
        cloud->owner[i] = (uint32_t)i;
        if (!st_list_push(samples, (uint32_t)i)) return false;
    }
    return true;
}

static bool cluster(clustering_engine *engine, const st_uints *edges) {
    st_cloud cloud;
    st_uints samples = {0};
    st_rows rows = {0};
    st_real *distance = st_alloc(engine->position.count, sizeof *distance);
    bool *inside = st_alloc(engine->position.count, sizeof *inside);
    bool ok = st_cloud_create(&cloud, engine->position.data, engine->position.count, edges) && distance && inside &&
              sample(engine, &cloud, &samples);

    // a group for each sample
    for (size_t k = 0; k < samples.count && ok; k++)
        ok = add_group(&cloud, &samples, k, engine->radius, &rows, inside, distance);
    ok = ok && st_rows_write(&rows, &engine->cluster);

    st_free(distance);
    st_free(inside);
    st_rows_free(&rows);
    st_list_free(&samples);
    st_cloud_free(&cloud);
    return ok;
}

static void clustering_engine_update(st_object *object) {
    clustering_engine *engine = (clustering_engine *)object;
    st_topology *topology = engine->use_topology ? st_context_topology(object->node, engine->topology) : NULL;
    const st_uints none = {0};
    st_engine_done(object, cluster(engine, topology ? st_topology_elements(topology, ST_EDGE) : &none));
}

const st_class st_clustering_engine_class = {
    .name = "ClusteringEngine",
    .help = "makes overlapping groups of points",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(clustering_engine),
    .init = clustering_engine_init,
    .update = clustering_engine_update,
};
