// JoinPoints: points closer than a distance become one, the mean of all that were joined. Points are taken in order;
// each joins the nearest point so far, or stays on its own.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct join_points {
    st_object object;
    st_reals points, merged;
    st_real distance;
} join_points;

static const st_field fields[] = {
    ST_INPUT(join_points, points, "points", st_type_vec3s, NULL, "points"),
    ST_INPUT(join_points, distance, "distance", st_type_real, "0", "points closer than this are joined"),
    ST_OUTPUT(join_points, merged, "mergedPoints", st_type_vec3s, "points after joining"),
    ST_FIELDS_END,
};

static size_t nearest(const join_points *engine, const st_real p[3]) {
    st_real best = engine->distance;
    size_t found = SIZE_MAX;

    for (size_t i = 0; i < engine->merged.count; i++) {
        const st_real d = st_vec3_distance(engine->merged.data + 3 * i, p);

        if (!(d < best)) continue;
        best = d;
        found = i;
    }
    return found;
}

// m <- (m w + p) / (w + 1)
static void join_points_join(st_real m[3], st_real *weight, const st_real p[3]) {
    for (int i = 0; i < 3; i++) m[i] = (m[i] * *weight + p[i]) / (*weight + 1);
    *weight += 1;
}

static void join_points_update(st_object *object) {
    join_points *engine = (join_points *)object;
    st_reals weights = {0};
    bool ok = true;
    engine->merged.count = 0;

    for (size_t i = 0; i < engine->points.count && ok; i++) {
        const st_real *p = engine->points.data + 3 * i;
        const size_t found = nearest(engine, p);

        // m <- (m w + p) / (w + 1), or a new point of weight 1
        if (found != SIZE_MAX) join_points_join(engine->merged.data + 3 * found, &weights.data[found], p);
        else ok = st_push_reals(&engine->merged, p, 3) && st_list_push(&weights, 1);
    }

    st_list_free(&weights);
    st_engine_done(object, ok);
}

const st_class st_join_points_class = {
    .name = "JoinPoints",
    .help = "joins points that are close to each other",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(join_points),
    .update = join_points_update,
};
