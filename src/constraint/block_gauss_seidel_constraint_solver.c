// BlockGaussSeidelConstraintSolver: projected Gauss-Seidel on the assembled W.
//
// Sweeps over the blocks in row order until Σ |w Δf| < tolerance · rows, or every row is verified. With sor ≠ 1 each
// sweep ends with f ← sor f + (1 − sor) f_before.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/generic_solver.h"

static void block_gauss_seidel_relax(const st_generic_solver *self, const st_real *before) {
    const st_constraint_problem *p = self->base.problem;
    for (size_t i = 0; i < p->size; i++) p->force.data[i] = self->sor * p->force.data[i] + (1 - self->sor) * before[i];
}

static st_status block_gauss_seidel_solve(st_constraint_solver *solver, const st_constraint_params *params) {
    (void)params;
    st_generic_solver *self = (st_generic_solver *)solver;
    st_constraint_problem *p = solver->problem;
    const st_real tolerance = st_generic_tolerance(self);
    const bool relaxed = self->sor != 1;

    st_real *before = st_generic_work(self, p->size);
    if (!before) return ST_OUT_OF_MEMORY;
    st_blocks_init(p);

    st_sweep sweep = {0};
    int32_t done = 0;
    bool converged = false;

    while (done < self->max_iterations && !converged) {
        // f ← sor f + (1 − sor) f_before
        if (relaxed) st_copy_reals(before, p->force.data, p->size);
        sweep = st_gauss_seidel_sweep(p, tolerance);
        if (relaxed) block_gauss_seidel_relax(self, before);

        converged = self->all_verified ? sweep.verified : sweep.error < tolerance;
        done++;
        converged = converged && done >= self->min_iterations;
    }

    st_generic_report(self, done + 1, sweep.error, converged); // SOFA counts one more
    return ST_OK;
}

static const st_constraint_solver_ops ops = {.build = st_generic_build, .solve = block_gauss_seidel_solve};

const st_class st_block_gauss_seidel_constraint_solver_class = {
    .name = "BlockGaussSeidelConstraintSolver",
    .help = "constraint solver by projected Gauss-Seidel over blocks of rows",
    .parent = &st_built_solver_class,
    .aliases = "ProjectedGaussSeidelConstraintSolver",
    .size = sizeof(st_generic_solver),
    .example = "<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver maxIterations='100' tolerance='1e-6"
               "'/>",
    .constraint_solver = &ops,
};
