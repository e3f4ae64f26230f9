// Picking by a ray (settee/pick.h).
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_PICK_H
#define SETTEE_COLLISION_PICK_H

#include "collision/ray.h"
#include "settee/pick.h"

// The first simulated model at and below the node that the ray meets. False: none; `failed`: out of memory.
bool st_pick_body(st_node *node, const st_ray *ray, st_pick *pick, bool *failed);
// The DOF at and below the node that is nearest to the ray. False: none is ahead of its origin.
bool st_pick_particle(st_node *node, const st_ray *ray, st_pick *pick);

#endif
