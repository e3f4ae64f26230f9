// What the constraint solvers share that visit blocks one after the other (all but LCPConstraintSolver).
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CONSTRAINT_GENERIC_SOLVER_H
#define SETTEE_CONSTRAINT_GENERIC_SOLVER_H

#include "constraint/problem.h"

typedef struct st_generic_solver {
    st_constraint_solver base;
    int32_t max_iterations, min_iterations;
    st_real tolerance;
    st_real sor;
    st_real regularization;
    bool scale_tolerance, all_verified;
    bool compute_forces;
    st_reals forces;
    int32_t num_constraints, num_blocks, iterations;
    st_real error;
    bool compute_graphs;
    char *graph_errors, *graph_constraints, *graph_forces, *graph_violations;
    // of those that assemble W
    bool multithreading;
    bool svd;
    st_real svd_value, svd_vector;
    st_reals work; // of the method, see st_generic_work
} st_generic_solver;

extern const st_class st_generic_solver_class, st_built_solver_class;

// W = Σ of the corrections, then the regularization.
st_status st_generic_build(st_constraint_solver *solver, const st_constraint_params *params);
// Room for `count` reals, kept from step to step, whose content nobody relies on. NULL when out of memory.
st_real *st_generic_work(st_generic_solver *self, size_t count);
// The tolerance that sums of errors are compared with.
st_real st_generic_tolerance(const st_generic_solver *self);
// Outputs, and a word when the limit of iterations was met.
void st_generic_report(st_generic_solver *self, int32_t iterations, st_real error, bool converged);

void st_generic_solver_destroy(st_object *object);

// --- one sweep of projected Gauss-Seidel over the blocks -------------------------------------------------

typedef struct st_sweep {
    st_real error; // Σ over blocks of |w Δf|
    bool verified; // no line above the tolerance
} st_sweep;
// d of one row with the present forces.
st_real st_row_violation(const st_constraint_problem *p, size_t row);
// Error of a block whose forces changed from `before`; also notes lines above the tolerance.
st_real st_block_error(const st_resolution *block, const st_real *w, size_t stride, const st_real *before,
                       const st_real *f, st_real tolerance, bool *verified);
st_sweep st_gauss_seidel_sweep(st_constraint_problem *p, st_real tolerance);

#endif
