// PreconditionedConjugateResidual: W f = −d_free as a linear system, every row an equality, by conjugate residuals with
// the diagonal of W on both sides:
//
//     Ŵ = S W S, S = diag(W)^(−1/2);   α = r·Ŵr / Ŵp·Ŵp;   f += α p;   r −= α Ŵp;   p = r + β p.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/generic_solver.h"

#include "math/real.h"

static void preconditioned_conjugate_residual_multiply(const st_constraint_problem *p, const st_real *s,
                                                       const st_real *x, st_real *y) {
    const size_t n = p->size;
    for (size_t i = 0; i < n; i++) {
        st_real sum = 0;
        for (size_t k = 0; k < n; k++) sum += p->w.data[i * n + k] * s[i] * s[k] * x[k];
        y[i] = sum;
    }
}

static st_real preconditioned_conjugate_residual_dot(size_t n, const st_real *a, const st_real *b) {
    st_real sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static st_status preconditioned_conjugate_residual_solve(st_constraint_solver *solver,
                                                         const st_constraint_params *params) {
    (void)params;
    st_generic_solver *self = (st_generic_solver *)solver;
    st_constraint_problem *p = solver->problem;
    const size_t n = p->size;
    st_real *s = st_generic_work(self, 5 * n); // S, r, p, Ŵr, Ŵp
    if (!s) return ST_OUT_OF_MEMORY;

    st_real *r = s + n, *d = r + n, *wr = d + n, *wd = wr + n, *f = p->force.data;

    // S = diag(W)^-½, r = p = −S d_free
    for (size_t i = 0; i < n; i++) {
        const st_real diagonal = p->w.data[i * n + i];
        s[i] = diagonal > 0 ? 1 / sqrt(diagonal) : 0;
        d[i] = r[i] = -p->free.data[i] * s[i];
        f[i] = 0;
    }

    preconditioned_conjugate_residual_multiply(p, s, r, wr);
    st_copy_reals(wd, wr, n);

    const st_real tolerance = st_generic_tolerance(self);
    st_real rwr = preconditioned_conjugate_residual_dot(n, r, wr), error = 0;
    int32_t i = 0;
    bool converged = rwr == 0;
    for (; !converged && i < self->max_iterations && (size_t)i < n; i++) {
        // α = r·Ŵr / Ŵp·Ŵp
        const st_real square = preconditioned_conjugate_residual_dot(n, wd, wd);
        if (!(square > 0)) break;
        const st_real alpha = rwr / square;
        for (size_t k = 0; k < n; k++) {
            f[k] += alpha * d[k];
            r[k] -= alpha * wd[k];
        }

        // β = r·Ŵr (new) / r·Ŵr (old)
        preconditioned_conjugate_residual_multiply(p, s, r, wr);
        const st_real next = preconditioned_conjugate_residual_dot(n, r, wr), beta = rwr != 0 ? next / rwr : 0;

        rwr = next;
        for (size_t k = 0; k < n; k++) {
            d[k] = r[k] + beta * d[k];
            wd[k] = wr[k] + beta * wd[k];
        }

        error = 0;
        for (size_t b = 0; b < p->blocks.list.count; b++) {
            const st_resolution *block = &p->blocks.list.data[b];
            error += sqrt(preconditioned_conjugate_residual_dot(block->count, r + block->row, r + block->row));
        }
        converged = (error < tolerance && i > 0) || rwr == 0;
    }

    // back to f
    for (size_t k = 0; k < n; k++) f[k] *= s[k];
    // n steps solve a linear system of n unknowns but for rounding
    st_generic_report(self, i, error, converged || (size_t)i == n);
    return ST_OK;
}

static const st_constraint_solver_ops ops = {.build = st_generic_build,
                                             .solve = preconditioned_conjugate_residual_solve};

const st_class st_preconditioned_conjugate_residual_class = {
    .name = "PreconditionedConjugateResidual",
    .help = "constraint solver for equalities by conjugate residuals",
    .parent = &st_built_solver_class,
    .aliases = "PreconditionedConjugateResidualConstraintSolver",
    .size = sizeof(st_generic_solver),
    .example = "<FreeMotionAnimationLoop/><PreconditionedConjugateResidual maxIterations='100' tolerance='1e-6'"
               "/>",
    .constraint_solver = &ops,
};
