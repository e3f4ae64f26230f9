// What linear solvers share inside the library.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SOLVER_LINEAR_SOLVER_H
#define SETTEE_SOLVER_LINEAR_SOLVER_H

#include <string.h>

#include "system/system.h"

// Finds the linear system of a solver that has none linked, or makes one of the given class; `template_` is the
// template that a system must have to fit. Called by init.
st_status st_linear_solver_find_system(st_linear_solver *solver, const char *system_class, const char *template_);

// Factors the matrix if it was built since the last time. st_linear_solve without the solve.
st_status st_linear_solver_invert(st_linear_solver *solver);

// W += factor · H A⁻¹ Hᵀ by one solve for each row of H; the columns are known to be those of the system.
st_status st_linear_solver_compliance_by_rows(st_linear_solver *solver, const st_sparse_rows *h, st_real factor,
                                              st_real *w);

static inline bool st_is_matrix_free(const st_object *object) {
    return object->template_ && strcmp(object->template_, "GraphScattered") == 0;
}

#endif
