// The field of distances around a rigid body, for the tests between elements.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_RIGID_DISTANCE_GRID_H
#define SETTEE_COLLISION_RIGID_DISTANCE_GRID_H

#include "collision/collision.h"
#include "collision/distance_grid.h"

typedef struct st_rigid_grid {
    st_collision_model base;
    char *file, *dump;
    st_real scale, sampling, translation[3], rotation[3], box[6];
    uint32_t n[3];
    bool use_points, flip;
    bool show[4];
    int32_t show_range[2];
    st_distance_grid grid;
    bool turned;      // `rotation` takes the place of the body's
    st_real turn[4];  // as a quaternion
    st_real frame[7]; // of the grid at the last detection
} st_rigid_grid;

// Tests of a grid with everything it knows.
void st_intersection_enter_grids(st_intersection *method);

#endif
