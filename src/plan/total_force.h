// The force that the geometric stiffness of a mapping belongs to: that of the last evaluation, and the constraint
// forces of the last step where there are Lagrangian constraints.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PLAN_TOTAL_FORCE_H
#define SETTEE_PLAN_TOTAL_FORCE_H

#include "settee/plugin/physics.h"

// Makes `lambda` the vector of constraint forces (force, not impulse) of the states below the node; 0: there are none.
// False: out of memory.
bool st_set_constraint_force(st_node *node, st_deriv_id lambda);

// The parameters with f = force + constraint force on the outputs of the mapping.
st_params st_total_force(const st_mapping *mapping, const st_params *params);

#endif
