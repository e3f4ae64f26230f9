// What projective constraints on listed points share: the list, its checks, and zero for whole points.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PROJECTION_POINTS_H
#define SETTEE_PROJECTION_POINTS_H

#include "settee/plugin/physics.h"

typedef void st_clear(void *context, size_t scalar);
typedef void st_filter(void *context, size_t dof, const st_real *block);

typedef struct st_points {
    st_projection base;
    st_uints indices;
    bool all;                                    // every point of the state, whatever the list says
    const bool *directions;                      // scalars of each point that are constrained; NULL: all of them
    bool (*is_active)(const struct st_points *); // NULL: always
} st_points;

// Number of constrained points, and the k-th of them; SIZE_MAX when the state has no such point.
static inline size_t st_points_count(const st_points *points) {
    if (!points->base.state) return 0;
    return points->all ? points->base.state->size : points->indices.count;
}
static inline size_t st_points_at(const st_points *points, size_t k) {
    const size_t point = points->all ? k : points->indices.data[k];
    return point < points->base.state->size ? point : SIZE_MAX;
}
// for (ST_EACH_POINT(points, k, point)) visits the points that exist.
#define ST_EACH_POINT(points, k, point)                                                                                \
    size_t k = st_next_point((points), 0), point = st_point_or_none((points), k);                                      \
    point != SIZE_MAX;                                                                                                 \
    k = st_next_point((points), k + 1), point = st_point_or_none((points), k)
static inline size_t st_next_point(const st_points *points, size_t k) {
    const size_t count = st_points_count(points);
    while (k < count && st_points_at(points, k) == SIZE_MAX) k++;
    return k;
}
static inline size_t st_point_or_none(const st_points *points, size_t k) {
    return k < st_points_count(points) ? st_points_at(points, k) : SIZE_MAX;
}

// Finds the state and removes indices that it does not have, with a message of this severity.
st_status st_points_init(st_object *object, st_severity severity);
void st_points_changed(st_object *object); // for `changed` of a tracked list

// Ops: zero for the constrained scalars of each point, while it is active.
void st_points_response(st_projection *base, st_deriv_id d);
void st_points_velocity(st_projection *base, st_deriv_id v);
void st_points_discard(st_projection *base, st_clear *clear, void *context);
void st_points_columns(st_projection *base, st_filter *filter, void *context);

// Positions as they are now, `coord` reals for each DOF of the state. False when out of memory.
bool st_projection_remember(const st_projection *projection, st_reals *kept, const st_real *x);

// Are the key times finite and in order, and is there a finite value for each? Says what is wrong.
st_status st_check_keys(st_object *object, const st_reals *times, const char *name, const st_reals *values,
                        size_t width);
// Index of the last key at or before t, and how far t is on the way to the next one, in [0, 1). False outside of
// [first, last).
bool st_find_key(const st_reals *times, st_real t, size_t *key, st_real *way);

// Are all of them finite numbers?
bool st_all_finite(const st_real *values, size_t count);

#endif
