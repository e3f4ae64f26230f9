// What the constraints that move points along a curve in a window of time share.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PROJECTION_WINDOW_H
#define SETTEE_PROJECTION_WINDOW_H

#include "math/real.h"
#include "projection/points.h"

typedef struct st_window_constraint {
    st_points points;
    st_real begin, end;
} st_window_constraint;

extern const st_class st_window_class;

// Position or velocity at the way u in [0, 1] through the window; only the linear part of a rigid.
typedef void st_curve(const st_window_constraint *window, st_real u, st_real value[3]);

st_status st_window_init(st_object *object);
void st_window_position(st_projection *base, st_coord_id id, st_curve *place);
void st_window_velocity(st_projection *base, st_deriv_id id, st_curve *slope);

#endif
