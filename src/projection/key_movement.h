// What the constraints that move points by key times share.
//
// Between two keys, with u in [0, 1) the way from the one to the other, m = m0 + (m1 - m0) u. A rigid turns by the
// spherical interpolation of the quaternions of the two keys' Euler angles.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PROJECTION_KEY_MOVEMENT_H
#define SETTEE_PROJECTION_KEY_MOVEMENT_H

#include "math/rigid.h"
#include "projection/points.h"

typedef struct st_key_movement {
    st_points points;
    st_reals times;
    st_reals movements;
    bool show;
    bool remembered;
    st_reals start; // positions of all points at the first projection
} st_key_movement;

extern const st_class st_key_movement_class;

st_status st_key_movement_init(st_object *object);
void st_key_movement_velocity(st_projection *base, st_deriv_id id);
// x = start + m, or m alone. `factor` of the movement of a point, by where it started; NULL: 1.
void st_key_movement_position(st_projection *base, st_coord_id id, bool relative,
                              st_real (*factor)(const st_key_movement *, const st_real *start));

#endif
