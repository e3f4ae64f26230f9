// Listed points and key times: checks, and what is zero for all of them.
//
// SPDX-License-Identifier: Apache-2.0
#include "projection/points.h"

#include "base/array.h"
#include "math/real.h"

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

static void drop_missing(st_points *points, st_severity severity) {
    const size_t size = points->base.state->size;
    size_t kept = 0;

    // closes the gaps
    for (size_t i = 0; i < points->indices.count; i++)
        if (points->indices.data[i] < size) points->indices.data[kept++] = points->indices.data[i];
    if (kept == points->indices.count) return;

    st_message(&points->base.object, severity,
               "%zu of %zu indices are not below the number of points, %zu: they are "
               "removed",
               points->indices.count - kept, points->indices.count, size);
    points->indices.count = kept;
}

st_status st_points_init(st_object *object, st_severity severity) {
    const st_status status = st_projection_class.init(object);
    if (status == ST_OK) drop_missing((st_points *)object, severity);
    return status;
}

void st_points_changed(st_object *object) {
    if (((st_points *)object)->base.state) drop_missing((st_points *)object, ST_WARNING);
}

static bool points_is_active(const st_points *points) {
    return points->base.state && (!points->is_active || points->is_active(points));
}

static bool is_constrained(const st_points *points, size_t scalar) {
    return !points->directions || points->directions[scalar];
}

static void set_zero(const st_points *points, st_real *derivs) {
    const size_t width = points->base.object.dof->deriv;

    if (!derivs) return;
    for (ST_EACH_POINT(points, k, point))
        for (size_t j = 0; j < width; j++)
            if (is_constrained(points, j)) derivs[point * width + j] = 0;
}

void st_points_response(st_projection *base, st_deriv_id d) {
    const st_points *points = (const st_points *)base;
    if (points_is_active(points)) set_zero(points, st_dx_of(base->state, d));
}

void st_points_velocity(st_projection *base, st_deriv_id v) {
    const st_points *points = (const st_points *)base;
    if (points_is_active(points)) set_zero(points, st_velocity_of(base->state, v));
}

void st_points_discard(st_projection *base, st_clear *clear, void *context) {
    const st_points *points = (const st_points *)base;
    const size_t width = base->object.dof->deriv;

    if (!points_is_active(points)) return;
    for (ST_EACH_POINT(points, k, point))
        for (size_t j = 0; j < width; j++)
            if (is_constrained(points, j)) clear(context, point * width + j);
}

void st_points_columns(st_projection *base, st_filter *filter, void *context) {
    const st_points *points = (const st_points *)base;
    const size_t width = base->object.dof->deriv;
    st_real free[36] = {0}; // I on the scalars that are not constrained

    if (!points_is_active(points)) return;
    for (size_t j = 0; points->directions && j < width; j++) free[j * width + j] = points->directions[j] ? 0 : 1;

    for (ST_EACH_POINT(points, k, point)) filter(context, point, points->directions ? free : NULL);
}

bool st_projection_remember(const st_projection *projection, st_reals *kept, const st_real *x) {
    const size_t width = projection->object.dof->coord, size = x ? projection->state->size : 0;

    if (!st_list_set_count(kept, size, width)) {
        st_message(&projection->object, ST_ERROR, "out of memory for the positions of %zu points", size);
        return false;
    }

    st_copy_reals(kept->data, x, size * width);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Key times
// ---------------------------------------------------------------------------------------------------

bool st_all_finite(const st_real *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i])) return false;
    return true;
}

st_status st_check_keys(st_object *object, const st_reals *times, const char *name, const st_reals *values,
                        size_t width) {
    // the times
    for (size_t i = 0; i < times->count; i++) {
        if (!isfinite(times->data[i])) return st_invalid(object, "keyTimes[%zu] is not a finite number", i);
        if (i > 0 && times->data[i] < times->data[i - 1])
            return st_invalid(object, "keyTimes must not decrease: %g comes after %g", (double)times->data[i],
                              (double)times->data[i - 1]);
    }

    // their values
    if (values->count < times->count)
        return st_invalid(object, "there are %zu keyTimes, but only %zu %s", times->count, values->count, name);
    if (values->count > times->count)
        st_message(object, ST_WARNING, "there are %zu keyTimes and %zu %s: the last ones are not used", times->count,
                   values->count, name);

    if (!st_all_finite(values->data, times->count * width))
        return st_invalid(object, "%s holds a number that is not finite", name);
    return ST_OK;
}

bool st_find_key(const st_reals *times, st_real t, size_t *key, st_real *way) {
    if (times->count == 0 || !(times->data[0] <= t)) return false;
    size_t next = 0;

    while (next < times->count && times->data[next] <= t) next++;
    if (next == times->count) return false;

    *key = next - 1;
    *way = (t - times->data[next - 1]) / (times->data[next] - times->data[next - 1]);
    return true;
}
