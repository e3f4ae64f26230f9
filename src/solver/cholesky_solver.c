// Direct solver: A = L Lᵀ for symmetric positive definite A, of which the lower triangle is read.
//
// In SOFA the factor is dense; the solution is the same.
//
// SPDX-License-Identifier: Apache-2.0
#include "solver/direct_solver.h"

static st_status cholesky_init(st_object *object) {
    return st_direct_solver_init((st_direct_solver *)object, ST_DIRECT_LLT, ST_LDL_LOWER);
}

const st_class st_cholesky_solver_class = {
    .name = "CholeskySolver",
    .help = "direct solver by a Cholesky factorization, for symmetric positive definite systems",
    .parent = &st_direct_solver_class,
    .templates = "SparseMatrix FullMatrix",
    .default_template = "SparseMatrix",
    .size = sizeof(st_direct_solver),
    .example = ST_DIRECT_EXAMPLE("CholeskySolver", ""),
    .init = cholesky_init,
    .linear_solver = &st_direct_solver_ops,
};
