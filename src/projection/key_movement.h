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

// The movement at the time of the node.
typedef struct st_key {
    const st_real *from, *to; // the keys' movements
    st_real way;              // u
    st_real duration;
    st_real movement[6];
} st_key;
bool st_key_movement_find(const st_key_movement *self, st_key *key);

st_status st_key_movement_init(st_object *object);
// Where the frame is that starts at `start`; NULL: the movement is absolute.
void st_key_movement_frame(const st_key *key, const st_real *start, st_real *x);
// Positions at the first call, kept; NULL when there is nothing to do.
st_real *st_key_movement_positions(st_key_movement *self, st_coord_id id);

#endif
