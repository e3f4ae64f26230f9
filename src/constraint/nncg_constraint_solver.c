// NNCGConstraintSolver: nonsmooth nonlinear conjugate gradients. A sweep of Gauss-Seidel is taken for a gradient step,
// g = f_before − f_after, and sweeps are accelerated along conjugate directions:
//
//     β = g'·g' / g·g;   β > 1: p = 0, else f += β p, p = β p − g'
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/generic_solver.h"

#include "math/real.h"

static bool is_done(const st_generic_solver *self, st_sweep sweep, st_real tolerance) {
    return self->all_verified ? sweep.verified : sweep.error < tolerance;
}

// g = g'; returns g'·g' and what g·g was.
static st_real take_gradient(const st_constraint_problem *p, const st_real *before, st_real *g, st_real *old) {
    st_real square = 0;
    *old = 0;
    for (size_t i = 0; i < p->size; i++) {
        *old += g[i] * g[i];
        g[i] = -(p->force.data[i] - before[i]);
        square += g[i] * g[i];
    }
    return square;
}

static void nncg_accelerate(const st_constraint_problem *p, const st_real *g, st_real *direction, st_real beta) {
    for (size_t i = 0; i < p->size; i++) {
        if (beta > 1) {
            direction[i] = 0;
            continue;
        }
        p->force.data[i] += beta * direction[i];
        direction[i] = beta * direction[i] - g[i];
    }
}

static st_status nncg_solve(st_constraint_solver *solver, const st_constraint_params *params) {
    (void)params;
    st_generic_solver *self = (st_generic_solver *)solver;
    st_constraint_problem *p = solver->problem;
    const size_t n = p->size;
    const st_real tolerance = st_generic_tolerance(self);

    st_real *before = st_generic_work(self, 3 * n), old = 0, square = 0;
    if (!before) return ST_OUT_OF_MEMORY;
    st_real *g = before + n, *direction = g + n;

    // the first sweep gives the first direction
    memset(g, 0, n * sizeof *g);
    st_blocks_init(p);

    st_copy_reals(before, p->force.data, n);
    st_sweep sweep = st_gauss_seidel_sweep(p, tolerance);

    take_gradient(p, before, g, &old);
    for (size_t i = 0; i < n; i++) direction[i] = -g[i];

    int32_t done = 1;
    bool converged = false;
    for (; done < self->max_iterations && !converged; done++) {
        // a sweep; it may be enough
        st_copy_reals(before, p->force.data, n);
        sweep = st_gauss_seidel_sweep(p, tolerance);
        converged = is_done(self, sweep, tolerance);
        if (converged) break;

        // β = g'·g' / g·g
        square = take_gradient(p, before, g, &old);
        // without a former gradient there is no direction to go on in
        nncg_accelerate(p, g, direction, old > 0 ? square / old : 2);
        converged = sqrt(square) < tolerance;
    }
    st_generic_report(self, done, sweep.error, converged);
    return ST_OK;
}

static const st_constraint_solver_ops ops = {.build = st_generic_build, .solve = nncg_solve};

const st_class st_nncg_constraint_solver_class = {
    .name = "NNCGConstraintSolver",
    .help = "constraint solver by nonsmooth nonlinear conjugate gradients",
    .parent = &st_built_solver_class,
    .size = sizeof(st_generic_solver),
    .example = "<FreeMotionAnimationLoop/><NNCGConstraintSolver maxIterations='100' tolerance='1e-6'/>",
    .constraint_solver = &ops,
};
