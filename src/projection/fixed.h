// What the two fixed constraints share.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PROJECTION_FIXED_H
#define SETTEE_PROJECTION_FIXED_H

#include "projection/points.h"

typedef struct st_fixed {
    st_points points;
    bool project_velocity;
    bool show_object;
    st_real draw_size;
} st_fixed;

extern const st_class st_fixed_projective_constraint_class;

#endif
