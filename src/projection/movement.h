// What the constraints that move points on straight lines to a final place share: the window of time and the law.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PROJECTION_MOVEMENT_H
#define SETTEE_PROJECTION_MOVEMENT_H

#include "math/rigid.h"
#include "projection/points.h"

typedef struct st_movement {
    st_points points;
    st_uints mesh_indices;
    st_real begin, end;
    bool draw;
    bool remembered;
    st_reals start; // positions of all points at the first projection
} st_movement;

extern const st_class st_movement_class;

// The final coordinate of a point that starts at `start`; of a rigid both are frames.
typedef void st_find_final(const st_movement *movement, const st_real *start, st_real *final);

st_status st_movement_init(st_object *object);
void st_movement_position(st_movement *movement, st_coord_id x, st_find_final *find_final);

#endif
