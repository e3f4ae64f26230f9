// Ordering methods: components that say in which order a direct solver eliminates the unknowns.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SOLVER_ORDERING_METHOD_H
#define SETTEE_SOLVER_ORDERING_METHOD_H

#include "linalg/ordering.h"
#include "settee/plugin/component.h"

extern const st_class st_ordering_method_class; // base of the others

// The method that a solver uses: the linked one, else the first of its own node, else NULL, which leaves the choice to
// the solver. ST_INVALID, with an error, when the linked component is not an ordering method.
st_status st_ordering_method_find(st_object *solver, st_object **method);
st_ordering st_ordering_method_kind(const st_object *method); // ST_ORDERING_BEST for NULL

#endif
