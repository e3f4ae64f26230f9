// The base of HermiteSpline- and ParabolicProjectiveConstraint.
//
// SPDX-License-Identifier: Apache-2.0
#include "projection/window.h"
#include "settee/plugin/change.h"

static const st_field fields[] = {
    ST_FIELD(st_window_constraint, points.indices, "indices", st_type_indices, NULL, "the moved points",
             .flags = ST_FIELD_TRACKED, .mesh = ST_INDICES(ST_POINT)),
    ST_FIELD(st_window_constraint, begin, "BeginTime", st_type_real, "0", "time at which the movement begins"),
    ST_FIELD(st_window_constraint, end, "EndTime", st_type_real, "0", "time at which it ends"),
    ST_FIELDS_END,
};

static bool find_way(const st_window_constraint *window, st_real *u) {
    const st_real t = window->points.base.object.node->time;
    *u = (t - window->begin) / (window->end - window->begin);
    return window->begin <= t && t <= window->end;
}

static bool window_is_active(const st_points *points) {
    st_real u;
    return find_way((const st_window_constraint *)points, &u);
}

st_status st_window_init(st_object *object) {
    st_window_constraint *window = (st_window_constraint *)object;
    window->points.is_active = window_is_active;
    if (!isfinite(window->begin) || !isfinite(window->end) || !(window->begin < window->end))
        return st_invalid(object, "BeginTime, %g, must be before EndTime, %g", (double)window->begin,
                          (double)window->end);
    return st_points_init(object, ST_WARNING);
}

void st_window_position(st_projection *base, st_coord_id id, st_curve *place) {
    const st_window_constraint *window = (st_window_constraint *)base;
    st_real u, value[3], *x = base->state ? st_position_of(base->state, id) : NULL;
    const size_t width = base->object.dof->coord;
    if (!x || !find_way(window, &u)) return;

    place(window, u, value);
    for (ST_EACH_POINT(&window->points, k, point))
        for (size_t j = 0; j < 3; j++) x[point * width + j] = value[j];
}

void st_window_velocity(st_projection *base, st_deriv_id id, st_curve *slope) {
    const st_window_constraint *window = (st_window_constraint *)base;
    st_real u, value[3], *v = base->state ? st_velocity_of(base->state, id) : NULL;
    const size_t width = base->object.dof->deriv;
    if (!v || !find_way(window, &u)) return;

    slope(window, u, value);
    for (ST_EACH_POINT(&window->points, k, point))
        for (size_t j = 0; j < 3; j++) v[point * width + j] = value[j];
}

const st_class st_window_class = {
    .name = "WindowProjectiveConstraint",
    .help = "what constraints that move points along a curve have",
    .parent = &st_projection_class,
    .fields = fields,
    .size = sizeof(st_window_constraint),
    .flags = ST_CLASS_ABSTRACT,
    .changed = st_points_changed,
};
