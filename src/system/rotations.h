// How far the material of a plan has turned: one rotation for every three scalars of the independent states.
//
// Forces tell it (st_force_ops.rotations) for the DOFs of their own state. What nobody tells is the identity, and a
// message says so.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SYSTEM_ROTATIONS_H
#define SETTEE_SYSTEM_ROTATIONS_H

#include "plan/plan.h"

typedef struct st_rotations {
    st_reals now;       // since the rest shape: 9 reals (row-major) for every three scalars
    st_reals reference; // the same when st_rotations_mark was called
    st_reals since;     // now referenceᵀ: how far it has turned since
    bool since_rest;    // or since = now, whatever was marked
} st_rotations;

// Reads the rotations of all independent states; `finder` (may be NULL) is asked first for its own state, then the
// forces in the order of the plan. Messages are sent
// by `owner`. False, with an error: the states' scalars are no multiple of three, or out of memory.
bool st_rotations_update(st_rotations *rotations, const st_plan *plan, const st_object *finder, const st_object *owner);
// Nothing has turned: `now` is the identity.
bool st_rotations_clear(st_rotations *rotations, const st_plan *plan, const st_object *owner);
void st_rotations_mark(st_rotations *rotations); // reference = now, since = 1
void st_rotations_free(st_rotations *rotations);

// The first force at or above the node that tells rotations; NULL: none.
st_object *st_rotations_find(const st_node *node);
bool st_tells_rotations(const st_object *object);

// y = R x, or y = Rᵀ x, block by block; y may be x.
void st_rotations_apply(const st_rotations *rotations, bool transposed, const st_real *x, st_real *y);

#endif
