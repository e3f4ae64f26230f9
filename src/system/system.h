// What the linear systems share inside the library.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SYSTEM_SYSTEM_H
#define SETTEE_SYSTEM_SYSTEM_H

#include "linalg/bsr.h"
#include "plan/plan.h"
#include "settee/plugin/solver.h"

// Brings the plan up to date and gives b and x its size; a new size clears both. The plan is that of the node of the
// linear solver at or above the system, as SOFA chooses it. First call of every build.
st_status st_system_prepare(st_system *system);

// The independent state that holds scalar `row` of the system, and which of its scalars that is; NULL when out of
// range.
const st_state *st_system_state_at(const st_system *system, size_t row, size_t *scalar);

// b, x and the stored matrix, for the profile. (A system that makes its matrix when it is asked for it has none stored.)
double st_system_bytes(st_system *system);
void st_system_destroy(st_object *object); // what the base owns: last call of a derived class's destroy

#endif
