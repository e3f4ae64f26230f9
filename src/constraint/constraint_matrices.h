// W, H, the multipliers and the violations of the last constraint problem of a solver, as views. ST_NOT_FOUND: no problem
// was built, or the scene has changed since.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CONSTRAINT_CONSTRAINT_MATRICES_H
#define SETTEE_CONSTRAINT_CONSTRAINT_MATRICES_H

#include "settee/matrix.h"

st_status st_problem_view_compliance(st_constraint_solver *solver, st_matrix_view *view); // W
st_status st_problem_view_rows(st_constraint_solver *solver, st_matrix_view *view);       // H
st_status st_problem_view_multipliers(const st_constraint_solver *solver, st_vector_view *view);
st_status st_problem_view_violations(const st_constraint_solver *solver, st_vector_view *view);

#endif
