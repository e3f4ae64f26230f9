// Minimal residual method of Paige and Saunders, for symmetric A that may be indefinite.
//
// Lanczos' process makes an orthonormal basis v_1, v_2, ... of the Krylov space of r₀ = b - A x₀ in which A is
// tridiagonal (diagonal α_k, off-diagonal β_k). A sequence of Givens rotations (cs, sn) turns that matrix into an upper
// triangular one with three diagonals, γ, δ, ε, from which the directions w follow by the recurrence
//
//     w_k = (v_k - ε_k w_{k-2} - δ_k w_{k-1}) / γ_k,     x_k = x_{k-1} + φ_k w_k,     |b - A x_k| = φ̄_k.
//
// An iteration has three steps:
//
//     1. Lanczos: v_k, α_k, β_{k+1}
//     2. the rotation (cs, sn), then w_k and x_k
//     3. the tests
//
// It starts from the x that is handed over. It stops when φ̄ / (|A| |x|) or the same for Aᵀr is not above the
// tolerance, when the condition number or the rounding error of x leave nothing to gain, or after the given number of
// iterations.
//
// C. C. Paige, M. A. Saunders: Solution of sparse indefinite systems of linear equations. SIAM J. Numer.
// Anal. 12 (1975).
//
// SPDX-License-Identifier: Apache-2.0
#include <tgmath.h>

#include "scene/scene.h"
#include "solver/krylov.h"
#include "solver/solver_graph.h"

typedef struct min_res_solver {
    st_linear_solver solver;
    uint32_t iterations;
    st_real tolerance;
    st_strings graph;
    bool verbose;

    st_krylov_vectors work;
    st_reals errors;
} min_res_solver;

enum { R1, R2, Y, V, W, W2, VECTORS };

typedef struct process {
    st_real *r1, *r2, *y, *v, *w, *w2;
    st_real beta1, beta, beta_old; // |r₀|, off-diagonal entries of the tridiagonal matrix
    st_real cs, sn;                // last rotation
    st_real dbar, epsilon;         // entries of the triangular matrix that wait for the next rotation
    st_real phi, phibar;           // step along w, and norm of the residual
    st_real gamma, gamma_max, gamma_min, root;
    bool exhausted;       // the steps that are left are rounding
    st_real squared_norm; // of the tridiagonal matrix so far: an estimate of |A|²
} process;

static void min_res_exchange(st_real **a, st_real **b) {
    st_real *t = *a;
    *a = *b;
    *b = t;
}

static st_status min_res_init(st_object *object) {
    st_krylov_check_tolerance(object, "tolerance", &((min_res_solver *)object)->tolerance);
    return st_linear_solver_class.init(object);
}

// ---------------------------------------------------------------------------------------------------
// One solve
// ---------------------------------------------------------------------------------------------------

// The next vector of the basis: y = A v - α v - β v_previous, made of r1 and r2, which are β times the last two.
static st_status lanczos(const min_res_solver *self, process *p, uint64_t it, st_real *alpha) {
    st_system *system = self->solver.system;
    const size_t n = system->size;

    // v_k = y / β
    for (size_t i = 0; i < n; i++) {
        p->r2[i] = p->y[i];
        p->v[i] = p->y[i] * (1 / p->beta);
    }

    // y = A v_k - (β/β_old) r1
    const st_status status = st_krylov_multiply(system, p->v, p->y);
    if (status != ST_OK) return status;

    if (it > 0) {
        const st_real factor = p->beta / p->beta_old;
        for (size_t i = 0; i < n; i++) p->y[i] -= factor * p->r1[i];
    }

    // α = vᵀy, y -= (α/β) r2: orthogonal to the last two
    *alpha = st_krylov_dot(system, p->v, p->y);
    const st_real factor = *alpha / p->beta;
    for (size_t i = 0; i < n; i++) p->y[i] -= factor * p->r2[i];

    // β of the next vector; the norm of the tridiagonal matrix grows by its new entries
    min_res_exchange(&p->r1, &p->r2);
    p->beta_old = p->beta;
    p->beta = sqrt(st_krylov_dot(system, p->y, p->y));
    p->squared_norm += *alpha * *alpha + p->beta_old * p->beta_old + p->beta * p->beta;

    return ST_OK;
}

// The rotation that clears the new entry below the diagonal; then the new direction and the step along it.
static void rotate_and_step(const min_res_solver *self, process *p, st_real alpha) {
    const st_real epsilon_old = p->epsilon, delta = p->cs * p->dbar + p->sn * alpha;
    const st_real gbar = p->sn * p->dbar - p->cs * alpha;

    // the rotations so far applied to the new column, and the next one
    p->epsilon = p->sn * p->beta;
    p->dbar = -p->cs * p->beta;
    p->root = sqrt(gbar * gbar + p->dbar * p->dbar);
    p->gamma = fmax(sqrt(gbar * gbar + p->beta * p->beta), ST_REAL_EPSILON);
    p->cs = gbar / p->gamma;
    p->sn = p->beta / p->gamma;

    // what the right-hand side gets from the new rotation
    p->phi = p->cs * p->phibar;
    p->phibar = p->sn * p->phibar;

    // w_k and x_k
    min_res_exchange(&p->w, &p->w2);
    st_real *x = self->solver.system->solution;
    const st_real inverse = 1 / p->gamma;

    for (size_t i = 0; i < self->solver.system->size; i++) {
        p->w[i] = (p->v[i] - epsilon_old * p->w[i] - delta * p->w2[i]) * inverse;
        x[i] += p->phi * p->w[i];
    }
}

// Is there nothing left to gain?
static bool has_converged(min_res_solver *self, process *p, st_status *status) {
    const st_system *system = self->solver.system;
    const st_real norm_a = sqrt(p->squared_norm);
    const st_real norm_x = sqrt(st_krylov_dot(system, system->solution, system->solution));
    const st_real test1 = p->phibar / (norm_a * norm_x), test2 = p->root / norm_a;

    if (!st_list_push(&self->errors, test1)) *status = ST_OUT_OF_MEMORY;

    // the condition number of A so far is γ_max / γ_min
    p->gamma_max = fmax(p->gamma_max, p->gamma);
    p->gamma_min = fmin(p->gamma_min, p->gamma);
    p->exhausted =
        p->gamma_max / p->gamma_min >= (st_real)0.1 / ST_REAL_EPSILON || norm_a * ST_REAL_EPSILON * norm_x >= p->beta1;

    return !(test1 > 0) || !(test2 > 0) || p->exhausted || test2 <= self->tolerance || test1 <= self->tolerance;
}

// Rounding has taken over while a part of the right-hand side is left that the matrix does not reach.
static void warn_singular(min_res_solver *self, const process *p) {
    if (!p->exhausted || !(p->phibar > sqrt(ST_REAL_EPSILON) * p->beta1)) return;
    st_message_once(
        &self->solver.object, "singular", ST_WARNING,
        "the matrix is singular, or nearly so: |residual| / |right-hand side| stays at %.3g while the solution "
        "grows (condition number above %.3g). SparseLDLSolver names the DOF that nothing holds",
        (double)(p->phibar / p->beta1), (double)(p->gamma_max / p->gamma_min));
}

static st_status min_res_iterate(min_res_solver *self, process *p) {
    st_status status = ST_OK;
    for (uint64_t it = 0; it < self->iterations && status == ST_OK; it++) {
        st_real alpha;

        // 1. the next vector of the basis
        status = lanczos(self, p, it, &alpha);
        if (status == ST_OK && (!isfinite(alpha) || !isfinite(p->beta)))
            status = st_krylov_not_finite(&self->solver, it + 1, "the product of a direction with the matrix");
        if (status != ST_OK) break;

        // 2. the rotation and the step
        rotate_and_step(self, p, alpha);

        // 3. is there anything left to gain?
        if (it == 0 && p->beta / p->beta1 < 10 * ST_REAL_EPSILON) break; // r₀ is an eigenvector
        if (has_converged(self, p, &status)) break;
    }

    if (status == ST_OK) warn_singular(self, p);
    return status;
}

// r1 = y = b - A x. False in `go_on`: there is nothing to do.
static st_status min_res_begin(min_res_solver *self, process *p, bool *go_on) {
    st_system *system = self->solver.system;
    st_status status = st_krylov_multiply(system, system->solution, p->r1);
    if (status != ST_OK) return status;

    for (size_t i = 0; i < system->size; i++) {
        p->r1[i] = p->y[i] = system->rhs[i] - p->r1[i];
        p->w[i] = p->w2[i] = 0;
    }

    // β₁ = |r₀|; without a residual there is nothing to do
    const st_real squared = st_krylov_dot(system, p->r1, p->r1);
    if (!isfinite(squared)) return st_krylov_not_finite(&self->solver, 0, "the residual");
    *go_on = squared > 0;
    p->beta = p->beta1 = p->phibar = sqrt(squared);
    p->cs = -1;
    p->gamma_min = ST_REAL_MAX;

    // now and then: is A symmetric?
    if (!*go_on || !st_linear_solver_is_symmetry_due(&self->solver)) return ST_OK;
    status = st_krylov_multiply(system, p->r1, p->v);

    return status == ST_OK ? st_krylov_check_symmetric(&self->solver, p->r1, p->v, p->r2) : status;
}

static st_status min_res_solve(st_linear_solver *solver) {
    min_res_solver *self = (min_res_solver *)solver;
    self->errors.count = 0;

    if (!st_krylov_reserve(&self->work, solver->system->size, VECTORS) || !st_list_push(&self->errors, (st_real)1)) {
        st_message(&solver->object, ST_ERROR, "out of memory for vectors of %zu unknowns", solver->system->size);
        return ST_OUT_OF_MEMORY;
    }

    process p = {
        .r1 = st_krylov_vector(&self->work, R1),
        .r2 = st_krylov_vector(&self->work, R2),
        .y = st_krylov_vector(&self->work, Y),
        .v = st_krylov_vector(&self->work, V),
        .w = st_krylov_vector(&self->work, W),
        .w2 = st_krylov_vector(&self->work, W2),
    };

    // r₀, then the iterations
    bool go_on = false;
    st_status status = min_res_begin(self, &p, &go_on);
    if (status == ST_OK && go_on) status = min_res_iterate(self, &p);
    st_graph_touch(&solver->object, &self->graph);

    return status;
}

// ---------------------------------------------------------------------------------------------------

static void min_res_write_graph(st_object *object) {
    min_res_solver *self = (min_res_solver *)object;
    if (!st_graph_resize(&self->graph, 1) || !st_graph_write(&self->graph, 0, "Error", &self->errors))
        st_message(object, ST_WARNING, "out of memory for the graph of the last solve");
}

static void min_res_destroy(st_object *object) {
    min_res_solver *self = (min_res_solver *)object;
    st_krylov_free(&self->work);
    st_list_free(&self->errors);
}

static const st_field fields[] = {
    ST_FIELD(min_res_solver, iterations, "iterations", st_type_uint, "25", "largest number of iterations"),
    ST_FIELD(min_res_solver, tolerance, "tolerance", st_type_real, "1e-5",
             "stop when |residual| / (|A| |x|), or the same for A residual, is not above it"),
    ST_FIELD(min_res_solver, graph, "graph", st_type_map, NULL, "errors of the last solve, iteration by iteration",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(min_res_solver, verbose, "verbose", st_type_bool, "0", "it says nothing more",
             .flags = ST_FIELD_DEPRECATED | ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static const st_linear_solver_ops ops = {.solve = min_res_solve};

const st_class st_min_res_linear_solver_class = {
    .name = "MinResLinearSolver",
    .help = "minimal residual method, for symmetric systems that may be indefinite",
    .parent = &st_linear_solver_class,
    .templates = "GraphScattered FullMatrix SparseMatrix CompressedRowSparseMatrixd CompressedRowSparseMatrixMat2x2d "
                 "CompressedRowSparseMatrixMat3x3d CompressedRowSparseMatrixMat4x4d CompressedRowSparseMatrixMat6x6d "
                 "CompressedRowSparseMatrixMat8x8d",
    .default_template = "GraphScattered",
    .fields = fields,
    .size = sizeof(min_res_solver),
    .example = "<EulerImplicitSolver/>\n"
               "<MinResLinearSolver iterations=\"50\" tolerance=\"1e-9\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<SpringForceField spring=\"0 1 100 1 0.9\"/>",
    .init = min_res_init,
    .update = min_res_write_graph,
    .destroy = min_res_destroy,
    .linear_solver = &ops,
};
