// What linear solvers share inside the library.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SOLVER_LINEAR_SOLVER_H
#define SETTEE_SOLVER_LINEAR_SOLVER_H

#include <string.h>

#include "settee/plugin/solver.h"
#include "system/system.h"

// init of a solver whose system is of the given class and template where it is not linked: finds or makes it, or checks
// that the linked one stores what the solver reads.
st_status st_linear_solver_init(st_object *object, const char *system_class, const char *template_);

// The assembled matrix of the solver's system, of the system's size. NULL, with an error, when there is none: a
// matrix-free system, or states that changed since the build.
const st_bsr *st_linear_solver_matrix(const st_linear_solver *solver);
// A message about one row of the matrix that names the state and the DOF: "WHAT in row 4 of the matrix: ...".
void st_linear_solver_report_row(const st_linear_solver *solver, st_severity severity, size_t row, const char *what);
// False, with an error that names the row, when the matrix holds a number that is not finite.
bool st_linear_solver_check_finite(const st_linear_solver *solver, const st_bsr *matrix);
// Is it time to check the symmetry of the matrix? In solves 1, 2, 4, 8 and so on, until a warning was sent: the forces
// of a mapping may make it unsymmetric later, and a check takes as long as a few products.
bool st_linear_solver_is_symmetry_due(st_linear_solver *solver);
// A warning, once, when the matrix is not symmetric, and true then.
bool st_linear_solver_warn_unsymmetric(st_linear_solver *solver, const st_bsr *matrix);

// W += factor · H A⁻¹ Hᵀ by one solve for each row of H; the columns are known to be those of the system.
st_status st_linear_solver_compliance_by_rows(st_linear_solver *solver, const st_sparse_rows *h, st_real factor,
                                              st_real *w);

static inline bool st_is_matrix_free(const st_object *object) {
    return object->template_ && strcmp(object->template_, "GraphScattered") == 0;
}

#endif
