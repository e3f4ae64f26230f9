// UnbuiltGaussSeidelConstraintSolver: projected Gauss-Seidel that never assembles W. A visit of a block asks the
// corrections that act on it for the displacement that the present forces cause, and gives them the change of its force:
//
//     1. d = d_free + the displacement of its rows by all forces
//     2. f by the law of the block, relaxed: f ← sor f + (1 − sor) f_before
//     3. the corrections follow Δf
//
// Sweeps end as those of BlockGaussSeidelConstraintSolver.
//
// A correction that cannot work so (LinearSolverConstraintCorrection without partial solves, where SOFA diverges) gets
// its own part of W behind the same calls.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/unbuilt.h"

static st_status unbuilt_gauss_seidel_build(st_constraint_solver *solver, const st_constraint_params *params) {
    return st_unbuilt_begin((st_generic_solver *)solver, params);
}

static st_sweep sweep_once(st_generic_solver *self, st_real tolerance) {
    st_constraint_solver *solver = &self->base;
    st_constraint_problem *p = solver->problem;
    st_sweep sweep = {.verified = true};

    for (size_t i = 0; i < p->blocks.list.count; i++) {
        const size_t b = st_unbuilt_visit(p, i);
        const st_resolution *block = &p->blocks.list.data[b];
        const size_t count = block->count;
        st_real *d = p->visit.data, *before = d + count, *f = p->force.data + block->row;
        const st_real *w = st_unbuilt_w(p, b);

        // 1. d = d_free + the displacement by all forces
        st_copy_reals(d, p->free.data + block->row, count);
        st_unbuilt_displacement(solver, b, d);

        // 2. Δf by the law of the block, relaxed
        st_copy_reals(before, f, count);
        block->ops->resolve(block, w, count, d, f);
        for (size_t l = 0; l < count && self->sor != 1; l++) f[l] = self->sor * f[l] + (1 - self->sor) * before[l];

        sweep.error += st_block_error(block, w, count, before, f, tolerance, &sweep.verified);

        // 3. the corrections follow Δf
        bool touched = false;
        for (size_t l = 0; l < count; l++) {
            touched = touched || f[l] != 0 || before[l] != 0;
            d[l] = f[l] - before[l];
        }
        if (touched) st_unbuilt_force(solver, b, d);
    }

    return sweep;
}

static st_status unbuilt_gauss_seidel_solve(st_constraint_solver *solver, const st_constraint_params *params) {
    (void)params;
    st_generic_solver *self = (st_generic_solver *)solver;
    st_constraint_problem *p = solver->problem;
    const st_real tolerance = st_generic_tolerance(self);

    // inverses of the blocks
    for (size_t b = 0; b < p->blocks.list.count; b++) {
        st_resolution *block = &p->blocks.list.data[b];
        if (block->ops->init) block->ops->init(block, st_unbuilt_w(p, b), block->count, p->force.data + block->row);
    }
    memset(p->force.data, 0, p->size * sizeof *p->force.data); // first guesses are not used

    st_sweep sweep = {0};
    int32_t done = 0;
    bool converged = false;
    for (; done < self->max_iterations && !converged; done++) {
        sweep = sweep_once(self, tolerance);
        converged = self->all_verified ? sweep.verified : sweep.error < tolerance;
    }

    st_generic_report(self, done + 1, sweep.error, converged);
    return ST_OK;
}

static const st_constraint_solver_ops ops = {.build = unbuilt_gauss_seidel_build, .solve = unbuilt_gauss_seidel_solve};

const st_class st_unbuilt_gauss_seidel_constraint_solver_class = {
    .name = "UnbuiltGaussSeidelConstraintSolver",
    .help = "constraint solver by projected Gauss-Seidel without an assembled compliance",
    .parent = &st_generic_solver_class,
    .size = sizeof(st_generic_solver),
    .example = "<FreeMotionAnimationLoop/><UnbuiltGaussSeidelConstraintSolver maxIterations='100' tolerance='1e"
               "-6'/>",
    .constraint_solver = &ops,
};
