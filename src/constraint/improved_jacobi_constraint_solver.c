// ImprovedJacobiConstraintSolver: Jacobi's method, in which every block sees the violations of the last iteration,
//
//     d += W Δf,    resolve with ρ d,    f += β Δf_old,
//
// damped by ρ = min(1, 1.8/r), r the square of the largest eigenvalue of W, and with momentum β that grows as
// (i / maxIterations)^conjugateResidueSpeedFactor.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/generic_solver.h"

#include "math/real.h"

typedef struct jacobi {
    st_generic_solver base;
    bool use_spectral, use_residue;
    st_real spectral_factor, residue_speed;
} jacobi;

// Vectors of one solution, in the solver's work.
typedef struct vectors {
    st_real *violation, *change, *last;
} vectors;

// The largest eigenvalue of W by power iterations from a vector of ones.
static st_real largest_eigenvalue(const st_constraint_problem *p, const vectors *u) {
    const size_t n = p->size;
    st_real *a = u->violation, *b = u->change, value = 0;

    for (size_t i = 0; i < n; i++) a[i] = 1 + (st_real)(i % 7) / 16;
    for (int step = 0; step < 200; step++) {
        // b = W a
        st_real square = 0;
        for (size_t i = 0; i < n; i++) {
            b[i] = 0;
            for (size_t k = 0; k < n; k++) b[i] += p->w.data[i * n + k] * a[k];
            square += b[i] * b[i];
        }

        // a = b / |b|, until |b| stays
        const st_real length = sqrt(square);
        if (!(length > 0)) return 0;
        for (size_t i = 0; i < n; i++) a[i] = b[i] / length;
        if (fabs(length - value) <= ST_R(1e-12) * length) return length;

        value = length;
    }
    return value;
}

static st_real improved_jacobi_damping(const jacobi *self, const vectors *u) {
    if (!self->use_spectral) return 1;
    const st_real r = largest_eigenvalue(self->base.base.problem, u);
    return self->spectral_factor * (r > 0 ? st_min(1, ST_R(1.8) / (r * r)) : 1);
}

// One block: its rows of f, Δf and last; returns the square of its error.
static st_real improved_jacobi_visit(const st_constraint_problem *p, const vectors *u, const st_resolution *block,
                                     st_real rho, st_real beta) {
    const size_t n = p->size;
    st_real *d = p->visit.data, *f = p->force.data + block->row, square = 0;

    // all rows see the violation of the iteration's beginning
    for (size_t l = 0; l < block->count; l++) d[l] = rho * u->violation[block->row + l];
    block->ops->resolve(block, p->w.data + block->row * n + block->row, n, d, f);

    // momentum, and the change of this iteration
    for (size_t l = 0; l < block->count; l++) {
        const size_t row = block->row + l;
        f[l] += beta * u->change[row];
        u->change[row] = f[l] - u->last[row];
        u->last[row] = f[l];
    }

    // error: W Δf over all columns
    for (size_t l = 0; l < block->count; l++)
        for (size_t k = 0; k < n; k++) {
            const st_real part = p->w.data[(block->row + l) * n + k] * u->change[k];
            square += part * part;
        }
    return square;
}

static st_status improved_jacobi_solve(st_constraint_solver *solver, const st_constraint_params *params) {
    (void)params;
    jacobi *self = (jacobi *)solver;
    st_constraint_problem *p = solver->problem;
    const size_t n = p->size;
    const st_real tolerance = st_generic_tolerance(&self->base);

    st_real *work = st_generic_work(&self->base, 3 * n);
    if (!work) return ST_OUT_OF_MEMORY;
    const vectors u = {work, work + n, work + 2 * n};
    const st_real rho = improved_jacobi_damping(self, &u);

    st_blocks_init(p);
    st_copy_reals(u.violation, p->free.data, n);
    memset(u.change, 0, n * sizeof(st_real));
    memset(u.last, 0, n * sizeof(st_real));

    st_real error = 0;
    bool converged = false;
    int32_t i = 0;
    for (; i < self->base.max_iterations && !converged; i++) {
        // momentum grows with the iterations, in single precision as in SOFA
        const float part = (float)i / (float)self->base.max_iterations;
        const st_real beta = self->use_residue ? st_min(1, pow((st_real)part, self->residue_speed)) : 0;

        // d += W Δf
        for (size_t row = 0; row < n; row++) {
            st_real sum = 0;
            for (size_t k = 0; k < n; k++) sum += p->w.data[row * n + k] * u.change[k];
            u.violation[row] += sum;
        }

        // every block with it
        bool verified = true;
        error = 0;
        for (size_t b = 0; b < p->blocks.list.count; b++) {
            const st_real square = improved_jacobi_visit(p, &u, &p->blocks.list.data[b], rho, beta);
            error += sqrt(square);
            if (!(square < tolerance * tolerance)) verified = false;
        }

        converged = self->base.all_verified ? verified : error < tolerance && i > 0;
    }
    st_generic_report(&self->base, i, error, converged);
    return ST_OK;
}

static const st_field fields[] = {
    ST_FIELD(jacobi, use_spectral, "useSpectralCorrection", st_type_bool, "0", "damp by the largest eigenvalue of W"),
    ST_FIELD(jacobi, spectral_factor, "spectralCorrectionFactor", st_type_real, "1", "factor of that damping"),
    ST_FIELD(jacobi, use_residue, "useConjugateResidue", st_type_bool, "0", "momentum that grows with the iterations"),
    ST_FIELD(jacobi, residue_speed, "conjugateResidueSpeedFactor", st_type_real, "10", "how late it grows"),
    ST_FIELDS_END,
};

static const st_constraint_solver_ops ops = {.build = st_generic_build, .solve = improved_jacobi_solve};

const st_class st_improved_jacobi_constraint_solver_class = {
    .name = "ImprovedJacobiConstraintSolver",
    .help = "constraint solver by Jacobi iterations with damping and momentum",
    .parent = &st_built_solver_class,
    .fields = fields,
    .size = sizeof(jacobi),
    .example = "<FreeMotionAnimationLoop/><ImprovedJacobiConstraintSolver maxIterations='100' tolerance='1e-6'/"
               ">",
    .constraint_solver = &ops,
};
