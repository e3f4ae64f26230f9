// The sparse LDLᵀ solver, for the class that derives from it.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SOLVER_SPARSE_LDL_SOLVER_H
#define SETTEE_SOLVER_SPARSE_LDL_SOLVER_H

#include "solver/direct_solver.h"

typedef struct st_sparse_ldl_solver {
    st_direct_solver direct;
    bool precompute_symbolic;
    int32_t entries;
    char *saving_matrix;
} st_sparse_ldl_solver;

extern const st_class st_sparse_ldl_solver_class;

st_status st_sparse_ldl_solver_invert(st_linear_solver *solver);

#endif
