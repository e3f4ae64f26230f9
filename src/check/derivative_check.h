// Derivatives of one component against finite differences: used by `settee check` and by the generic test.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CHECK_DERIVATIVE_CHECK_H
#define SETTEE_CHECK_DERIVATIVE_CHECK_H

#include "settee/plugin/physics.h"
#include "settee/settee.h"

typedef void st_derivative_report(void *user, const st_derivative_check *check);

// Checks one force at the present state of its states: ∂f/∂x, ∂f/∂v and its own product, and the matrix of a mass.
st_status st_check_force(st_force *force, st_derivative_report *report, void *user);
// Checks one mapping at the present state of its inputs: J, Jᵀ, the geometric stiffness, and its own products.
st_status st_check_mapping(st_mapping *mapping, st_derivative_report *report, void *user);

#endif
