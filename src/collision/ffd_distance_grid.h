// Bodies by grids of distances that deform with a mesh, for the tests between elements.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_FFD_DISTANCE_GRID_H
#define SETTEE_COLLISION_FFD_DISTANCE_GRID_H

#include "collision/rigid_distance_grid.h"

// Tests of a deformed grid with everything it knows.
void st_intersection_enter_deformed_grids(st_intersection *method);

#endif
