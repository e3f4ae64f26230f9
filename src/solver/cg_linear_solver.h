// The conjugate gradient, for the class that derives from it. cg_linear_solver.c tells how it works.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SOLVER_CG_LINEAR_SOLVER_H
#define SETTEE_SOLVER_CG_LINEAR_SOLVER_H

#include "solver/krylov.h"

typedef struct st_cg_linear_solver {
    st_linear_solver solver;
    uint32_t iterations;
    st_real tolerance;
    st_real threshold;
    bool warm_start;
    st_strings graph;

    uint64_t solves; // done so far
    st_krylov_vectors work;
    st_reals errors;       // |r|/|b| of the last solve, after the 1 of its begin
    st_reals denominators; // pᵀq
} st_cg_linear_solver;

extern const st_class st_cg_linear_solver_class;

#endif
