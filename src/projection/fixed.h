// What the two fixed constraints share: the list of fixed points.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PROJECTION_FIXED_H
#define SETTEE_PROJECTION_FIXED_H

#include "settee/physics.h"

typedef struct st_fixed {
    st_projection base;
    st_uints indices;
    bool fix_all;
    bool project_velocity;
    bool show_object;
    st_real draw_size;
} st_fixed;

extern const st_class st_fixed_projective_constraint_class;

// Number of fixed points, and the k-th of them; SIZE_MAX when the state has no such point.
static inline size_t st_fixed_count(const st_fixed *fixed) {
    if (!fixed->base.state) return 0;
    return fixed->fix_all ? fixed->base.state->size : fixed->indices.count;
}
static inline size_t st_fixed_point(const st_fixed *fixed, size_t k) {
    const size_t point = fixed->fix_all ? k : fixed->indices.data[k];
    return point < fixed->base.state->size ? point : SIZE_MAX;
}

#endif
