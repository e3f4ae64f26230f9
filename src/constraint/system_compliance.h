// The compliance C = A⁻¹ of states that share one linear system, for the corrections that use its solver.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CONSTRAINT_SYSTEM_COMPLIANCE_H
#define SETTEE_CONSTRAINT_SYSTEM_COMPLIANCE_H

#include "constraint/correction.h"

typedef struct st_system_compliance {
    st_linear_solver *solver;
    ST_LIST(st_state *) states; // whose rows count; all of them independent states of the solver's system
    // the rows as the linear solver takes them
    st_uints ids; // rows of the problem that have entries
    ST_LIST(size_t) starts, fill;
    st_ints columns;
    st_reals values;
    st_uints place; // of each row of the problem among `ids`
    st_reals part;  // W of these rows alone
} st_system_compliance;

// For init: the linked solver, else the first one of the node; an error when there is none that can be used.
st_status st_system_compliance_find(st_object *object, st_linear_solver **solver, st_integrator **integrator);
// W += factor H A⁻¹ Hᵀ.
st_status st_system_compliance_add(st_system_compliance *c, const st_object *object, st_real factor, size_t size,
                                   st_real *w);
// params->dx = A⁻¹ params->lambda; states of the system that are not among `states` get no force.
st_status st_system_compliance_motion(st_system_compliance *c, const st_constraint_params *params);
// The blocks of A between the states of the system.
bool st_system_compliance_matrix(const st_system_compliance *c, st_accumulator *to);
void st_system_compliance_free(st_system_compliance *c);

#endif
