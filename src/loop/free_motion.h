// What the loops with Lagrangian constraints share.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LOOP_FREE_MOTION_H
#define SETTEE_LOOP_FREE_MOTION_H

#include "loop/step.h"
#include "settee/plugin/constraint.h"

// Free vectors, dx and dforce on every state; a free vector that did not exist is a copy of its own.
st_status st_free_motion_prepare(st_animation *a);
// Collision detection and response; contact points that have come are prepared, too.
st_status st_free_motion_collide(st_animation *a, st_real dt);
// The solver of the link, else the first one at or below the node, else a new one.
st_constraint_solver *st_free_motion_find_solver(st_animation *a, st_constraint_solver *linked);
// From the free vectors to positions and velocities.
st_status st_free_motion_constrain(st_animation *a, st_constraint_solver *solver, st_constraint_order order,
                                   st_real dt);
// The end of a step that came to `status`: checks it, projects and propagates, and advances the time.
st_status st_free_motion_finish(st_animation *a, st_status status, st_real dt);
// x_free = x ⊕ dt v_free on every state, mapped ones included.
void st_free_motion_extrapolate(st_animation *a, st_coord_id to, st_const_deriv_id v, st_real dt);

#endif
