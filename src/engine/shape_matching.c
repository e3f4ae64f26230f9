// ShapeMatching: where points would be if each group of them had kept its shape at rest.
//
// For a group with the centers c0 at rest and c now, the rotation R nearest to A = sum (x - c) (x0 - c0)^T (mixed with
// the best linear map by affineRatio) takes the group at rest to its goal: R (x0 - c0) + c. A point of several groups
// goes to the mean of its goals. More iterations start from the goals of the one before.
//
//   1. centers c and c0 of the group
//   2. A, and its rotation R by polar decomposition
//   3. with affineRatio, R mixed with the linear map A B^-1
//   4. the goals of the group are added up
//   5. each point goes to the mean of its goals
//
//     M. Mueller et al., Meshless deformations based on shape matching, 2005
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "engine/rows.h"
#include "math/decompose.h"

typedef struct shape_matching {
    st_object object;
    uint32_t iterations;
    st_real affine_ratio;
    st_reals position, rest;
    st_strings cluster;
    st_reals target;
} shape_matching;

static const st_field fields[] = {
    ST_INPUT(shape_matching, iterations, "iterations", st_type_uint, "1", "number of iterations"),
    ST_INPUT(shape_matching, affine_ratio, "affineRatio", st_type_real, "0", "0: rotations, 1: linear maps"),
    ST_INPUT(shape_matching, position, "position", st_type_vec3s, NULL,
             "points; the positions of the state when not given"),
    ST_INPUT(shape_matching, rest, "restPosition", st_type_vec3s, NULL,
             "points at rest; the rest positions of the state when not given"),
    ST_INPUT(shape_matching, cluster, "cluster", st_type_rows, NULL,
             "groups of points; none: all points are one group"),
    ST_OUTPUT(shape_matching, target, "targetPosition", st_type_vec3s, "goals of the points"),
    ST_FIELDS_END,
};

static st_status shape_matching_init(st_object *object) {
    shape_matching *engine = (shape_matching *)object;

    if (!st_engine_link_state(object, &engine->position, "position") ||
        !st_engine_link_state(object, &engine->rest, "rest_position"))
        return st_invalid(object, "the positions or those at rest are not given and there is no mechanical state");
    return ST_OK;
}

typedef struct group {
    const uint32_t *points;
    size_t count;
    st_real center[3], center0[3];
    st_real map[9];
} group;

static bool find_centers(const shape_matching *engine, const st_real *x, group *g) {
    size_t used = 0;

    st_vec3_zero(g->center);
    st_vec3_zero(g->center0);

    for (size_t i = 0; i < g->count; i++) {
        const size_t p = g->points[i];
        if (p >= engine->target.count) continue;

        st_vec3_add(g->center, g->center, x + 3 * p);
        st_vec3_add(g->center0, g->center0, engine->rest.data + 3 * p);
        used++;
    }

    if (!used) return false;

    st_vec3_divide(g->center, g->center, (st_real)used);
    st_vec3_divide(g->center0, g->center0, (st_real)used);
    return true;
}

// R, or (1 - ratio) R + ratio A B^-1 with B = sum (x0 - c0) (x0 - c0)^T scaled to keep the volume.
static void find_map(const shape_matching *engine, const st_real *x, group *g) {
    st_real a[9] = {0}, b[9] = {0}, part[9], now[3], rest[3];

    // A = Σ (x - c)(x0 - c0)ᵀ and B = Σ (x0 - c0)(x0 - c0)ᵀ
    for (size_t i = 0; i < g->count; i++) {
        const size_t p = g->points[i];
        if (p >= engine->target.count) continue;

        st_vec3_sub(now, x + 3 * p, g->center);
        st_vec3_sub(rest, engine->rest.data + 3 * p, g->center0);

        st_mat3_outer(part, now, rest);
        st_mat3_add(a, a, part);
        st_mat3_outer(part, rest, rest);
        st_mat3_add(b, b, part);
    }

    // the rotation of the polar decomposition of A
    st_polar_stable(g->map, a);
    if (!(engine->affine_ratio > 0) || !st_mat3_inverse_above(b, b, 0)) return;

    // the linear map A B^-1, scaled to determinant 1
    st_mat3_multiply(a, a, b);
    const st_real det = st_mat3_determinant(a);
    if (!(fabs(det) > 0)) return;
    st_mat3_scale(a, a, 1 / cbrt(det));

    // R + ratio (A B^-1 - R)
    for (int i = 0; i < 9; i++) g->map[i] += (a[i] - g->map[i]) * engine->affine_ratio;
}

static void add_goals(const shape_matching *engine, const st_real *x, group *g, st_real *sums, st_real *counts) {
    if (!find_centers(engine, x, g)) return;

    find_map(engine, x, g);
    for (size_t i = 0; i < g->count; i++) {
        const size_t p = g->points[i];
        if (p >= engine->target.count) continue;

        // R (x0 - c0) + c
        st_real goal[3];
        st_vec3_sub(goal, engine->rest.data + 3 * p, g->center0);
        st_mat3_times_vec(goal, g->map, goal);
        st_vec3_add(goal, goal, g->center);

        st_vec3_add(sums + 3 * p, sums + 3 * p, goal);
        counts[p] += 1;
    }
}

// One pass: the goals of all groups from the points in `target`, which then become the goals.
static void shape_matching_match(shape_matching *engine, const st_rows *groups, st_real *sums, st_real *counts) {
    const size_t points = engine->target.count;

    memset(sums, 0, 3 * points * sizeof *sums);
    memset(counts, 0, points * sizeof *counts);

    for (size_t r = 0; r < st_rows_count(groups); r++) {
        group g;
        g.points = st_row(groups, r, &g.count);
        add_goals(engine, engine->target.data, &g, sums, counts);
    }

    // a point in no group stays
    for (size_t p = 0; p < points; p++)
        if (counts[p] > 0) st_vec3_divide(engine->target.data + 3 * p, sums + 3 * p, counts[p]);
}

static bool read_groups(const shape_matching *engine, st_rows *groups) {
    if (!st_rows_read(groups, &engine->cluster)) return false;

    if (st_rows_count(groups)) return true;

    // no group is given: all points are one
    for (size_t i = 0; i < engine->position.count; i++)
        if (!st_list_push(&groups->values, (uint32_t)i)) return false;
    return st_list_push(&groups->starts, (uint32_t)groups->values.count);
}

static void shape_matching_update(st_object *object) {
    shape_matching *engine = (shape_matching *)object;
    const size_t points = engine->position.count < engine->rest.count ? engine->position.count : engine->rest.count;
    st_rows groups = {0};
    st_real *sums = st_alloc(3 * points, sizeof *sums), *counts = st_alloc(points, sizeof *counts);
    const bool ok = sums && counts && read_groups(engine, &groups) && st_engine_resize(object, &engine->target, points);

    // each iteration starts from the goals of the one before
    if (ok) st_copy_reals(engine->target.data, engine->position.data, 3 * points);
    for (uint32_t i = 0; ok && i < engine->iterations; i++) shape_matching_match(engine, &groups, sums, counts);

    st_free(sums);
    st_free(counts);
    st_rows_free(&groups);
    st_engine_done(object, ok);
}

const st_class st_shape_matching_class = {
    .name = "ShapeMatching",
    .help = "gives the positions that points would have if groups of them had kept their shape",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(shape_matching),
    .init = shape_matching_init,
    .update = shape_matching_update,
};
