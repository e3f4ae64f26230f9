// RandomPointDistributionInSurface: random points inside a closed surface, not nearer to each other than a distance.
//
// Candidates are even in the box of the surface; those inside are kept while there are too few, for at most
// numberOfTests failures in a row. outPoints are the candidates that were outside. The numbers come from the seed alone
// (splitmix64), so that a scene gives the same points everywhere.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "engine/random.h"
#include "engine/shapes.h"
#include "engine/surface.h"

typedef struct random_points {
    st_object object;
    uint32_t seed, wanted, tests;
    bool visible, draw_out;
    st_real distance;
    st_reals vertices;
    st_uints triangles;
    st_reals in_points, out_points;
} random_points;

static const st_field fields[] = {
    ST_INPUT(random_points, seed, "randomSeed", st_type_uint, "0", "start of the random numbers"),
    ST_SHOWN(random_points, visible, "isVisible", st_type_bool, "1", "draw the points"),
    ST_SHOWN(random_points, draw_out, "drawOutputPoints", st_type_bool, "0", "draw the points outside, too"),
    ST_INPUT(random_points, distance, "minDistanceBetweenPoints", st_type_real, "0.1",
             "smallest distance of two points"),
    ST_INPUT(random_points, wanted, "numberOfInPoints", st_type_uint, "10", "number of points inside"),
    ST_INPUT(random_points, tests, "numberOfTests", st_type_uint, "5", "failures in a row after which it ends"),
    ST_INPUT(random_points, vertices, "vertices", st_type_vec3s, NULL, "points of the surface"),
    ST_INPUT(random_points, triangles, "triangles", st_type_triangles, NULL, "triangles of the surface"),
    ST_OUTPUT(random_points, in_points, "inPoints", st_type_vec3s, "points inside"),
    ST_OUTPUT(random_points, out_points, "outPoints", st_type_vec3s, "points outside"),
    ST_FIELDS_END,
};

static bool is_free(const random_points *engine, const st_real p[3]) {
    for (size_t i = 0; i < engine->in_points.count; i++)
        if (!(st_vec3_distance(engine->in_points.data + 3 * i, p) >= engine->distance)) return false;
    return true;
}

static bool random_point_distribution_in_surface_fill(random_points *engine, const st_surface *surface) {
    st_random random = {engine->seed};
    st_real box[6];

    st_box_of_points(box, engine->vertices.data, engine->vertices.count);

    for (uint32_t failures = 0; engine->in_points.count < engine->wanted && failures < engine->tests;) {
        // a candidate that is even in the box
        st_real p[3];
        for (int i = 0; i < 3; i++) p[i] = box[i] + st_random_real(&random) * (box[3 + i] - box[i]);

        // too near to a point that is kept: a failure, and no outPoint
        if (!is_free(engine, p)) {
            failures++;
        } else if (st_surface_holds(surface, box, p)) {
            failures = 0;
            if (!st_push_reals(&engine->in_points, p, 3)) return false;
        } else {
            failures++;
            if (!st_push_reals(&engine->out_points, p, 3)) return false;
        }
    }
    return true;
}

static void random_point_distribution_in_surface_update(st_object *object) {
    random_points *engine = (random_points *)object;
    const st_surface surface = {.points = engine->vertices.data,
                                .point_count = engine->vertices.count,
                                .triangles = engine->triangles.data,
                                .triangle_count = engine->triangles.count};

    engine->in_points.count = engine->out_points.count = 0;
    st_engine_done(object, engine->vertices.count == 0 || random_point_distribution_in_surface_fill(engine, &surface));
}

const st_class st_random_point_distribution_in_surface_class = {
    .name = "RandomPointDistributionInSurface",
    .help = "scatters points inside a closed surface",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(random_points),
    .update = random_point_distribution_in_surface_update,
};
