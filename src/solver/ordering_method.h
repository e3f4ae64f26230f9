// Ordering methods: components that say in which order a direct solver eliminates the unknowns.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SOLVER_ORDERING_METHOD_H
#define SETTEE_SOLVER_ORDERING_METHOD_H

#include "linalg/bsr.h"
#include "linalg/ordering.h"
#include "settee/component.h"

extern const st_class st_ordering_method_class; // base of the three
extern const st_class st_amd_ordering_method_class;
extern const st_class st_colamd_ordering_method_class;
extern const st_class st_natural_ordering_method_class;

// The method that a solver uses: the linked one, else the first of its own node, else NULL, which means AMD.
// ST_INVALID, with an error, when the linked component is not an ordering method.
st_status st_ordering_method_find(st_object *solver, st_object **method);
// Permutation of a scalar matrix: permutation[k] is the k-th eliminated unknown. method may be NULL.
st_status st_ordering_method_compute(const st_object *method, const st_bsr *matrix, int32_t *permutation);

#endif
