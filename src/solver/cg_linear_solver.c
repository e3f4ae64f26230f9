// Conjugate gradient, for symmetric positive definite A.
//
// From r = b - A x (x = 0 without warm start) and ρ = rᵀr, each iteration does as follows:
//
//     1. stop when |r|/|b| ≤ tolerance
//     2. p = r + (ρ/ρ_previous) p                      the next direction
//     3. q = A p, stop when |pᵀq| ≤ threshold          its curvature
//     4. α = ρ / pᵀq,  x += α p,  r -= α q,  ρ = rᵀr    the step along it
//
// The threshold is absolute and is checked before the direction is used; in the very first solve neither test stops the
// first iteration. Scenes are often not solved to convergence, so these rules are part of the result.
//
// SPDX-License-Identifier: Apache-2.0
#include "solver/cg_linear_solver.h"

#include <string.h>
#include <tgmath.h>

#include "scene/scene.h"
#include "solver/solver_graph.h"

typedef st_cg_linear_solver cg_solver;

// A solve with a larger tolerance stops far from convergence, where rounding is seen in the result.
#define LOOSE ((st_real)1e-8)

static st_status cg_init(st_object *object) {
    cg_solver *self = (cg_solver *)object;
    st_krylov_check_tolerance(object, "tolerance", &self->tolerance);
    st_krylov_check_tolerance(object, "threshold", &self->threshold);
    const st_status status = st_linear_solver_class.init(object);
    if (status != ST_OK) return status;

    // a solve that is far from converged shows the order of sums
    st_system *system = self->solver.system;
    const st_system_ops *ops = system->object.type->system;
    if (ops->keep_sum_order) ops->keep_sum_order(system, self->tolerance > LOOSE);
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// One solve
// ---------------------------------------------------------------------------------------------------

static st_status cg_begin(cg_solver *self, st_real *r) {
    st_system *system = self->solver.system;
    const size_t n = system->size;

    if (!self->warm_start) {
        memset(system->solution, 0, n * sizeof *system->solution);
        memcpy(r, system->rhs, n * sizeof *r);
        return ST_OK;
    }

    // r = b - A x
    const st_status status = st_krylov_multiply(system, system->solution, r);
    for (size_t i = 0; i < n; i++) r[i] = system->rhs[i] - r[i];
    return status;
}

// May the tests stop the solve? In the first iteration of the first solve they only warn.
static bool may_stop(const cg_solver *self, uint64_t iteration, const char *test) {
    if (iteration > 1 || self->solves > 0) return true;

    st_message(
        &self->solver.object, ST_WARNING,
        "the %s is reached in the first iteration of the first solve; the solve goes on. A smaller %s may be needed",
        test, test);
    return false;
}

static st_status cg_iterate(cg_solver *self, st_real norm_b, st_real *p, st_real *q, st_real *r) {
    st_system *system = self->solver.system;
    st_real rho = st_krylov_dot(system, r, r), rho_previous = 0;

    for (uint64_t it = 1; it <= self->iterations; it++) {
        // 1. is the residual small enough?
        const st_real error = sqrt(rho) / norm_b;
        if (!isfinite(error)) return st_krylov_not_finite(&self->solver, it, "the residual");
        if (!st_list_push(&self->errors, error)) return ST_OUT_OF_MEMORY;
        if (error <= self->tolerance && may_stop(self, it, "tolerance")) break;

        // 2. p = r + (ρ/ρ_previous) p
        if (it == 1) memcpy(p, r, system->size * sizeof *p);
        else st_krylov_direction(system, r, rho / rho_previous, p);

        // 3. q = A p; now and then: is A symmetric?
        st_status status = st_krylov_multiply(system, p, q);
        if (status == ST_OK && it == 1 && st_linear_solver_is_symmetry_due(&self->solver))
            status = st_krylov_check_symmetric(&self->solver, p, q, st_krylov_vector(&self->work, 3));
        if (status != ST_OK) return status;

        // pᵀq: 0 or not above the threshold ends the solve
        const st_real denominator = st_krylov_dot(system, p, q);
        if (!isfinite(denominator))
            return st_krylov_not_finite(&self->solver, it, "the product of a direction with the matrix");
        if (!st_list_push(&self->denominators, denominator)) return ST_OUT_OF_MEMORY;
        if (denominator == 0) {
            st_message(&self->solver.object, ST_WARNING, "a direction has no effect on the system (iteration %llu)",
                       (unsigned long long)it);
            break;
        }
        st_krylov_warn_indefinite(&self->solver, it, denominator);
        if (fabs(denominator) <= self->threshold && may_stop(self, it, "threshold")) break;

        // 4. α = ρ / pᵀq, x += α p, r -= α q, ρ = rᵀr
        rho_previous = rho;
        rho = st_krylov_step(system, rho / denominator, p, q, system->solution, r);
    }

    return ST_OK;
}

static st_status cg_solve(st_linear_solver *solver) {
    cg_solver *self = (cg_solver *)solver;
    const st_system *system = solver->system;

    if (!st_krylov_reserve(&self->work, system->size, 4)) {
        st_message(&solver->object, ST_ERROR, "out of memory for vectors of %zu unknowns", system->size);
        return ST_OUT_OF_MEMORY;
    }

    st_real *p = st_krylov_vector(&self->work, 0), *q = st_krylov_vector(&self->work, 1);
    st_real *r = st_krylov_vector(&self->work, 2);

    self->errors.count = self->denominators.count = 0;
    if (!st_list_push(&self->errors, (st_real)1)) return ST_OUT_OF_MEMORY;

    // r, and nothing to do for b = 0
    st_status status = cg_begin(self, r);
    const st_real norm_b = sqrt(st_krylov_dot(system, system->rhs, system->rhs));
    if (status == ST_OK && norm_b != 0) status = cg_iterate(self, norm_b, p, q, r);
    self->solves++;
    st_graph_touch(&solver->object, &self->graph);

    return status;
}

// ---------------------------------------------------------------------------------------------------
// The history of the last solve, as text
// ---------------------------------------------------------------------------------------------------

static void cg_write_graph(st_object *object) {
    cg_solver *self = (cg_solver *)object;

    // SOFA's names of the two series
    if (!st_graph_resize(&self->graph, 2) || !st_graph_write(&self->graph, 0, "Denominator", &self->denominators) ||
        !st_graph_write(&self->graph, 1, "Error", &self->errors))
        st_message(object, ST_WARNING, "out of memory for the graph of the last solve");
}

static void cg_destroy(st_object *object) {
    cg_solver *self = (cg_solver *)object;
    st_krylov_free(&self->work);
    st_list_free(&self->errors);
    st_list_free(&self->denominators);
}

// The first solve after a reset is a first one.
static void cg_reset(st_object *object) {
    cg_solver *self = (cg_solver *)object;
    self->solves = 0;
    st_linear_solver_class.reset(object);
}

static const st_field fields[] = {
    ST_FIELD(cg_solver, iterations, "iterations", st_type_uint, "25", "largest number of iterations",
             .flags = ST_FIELD_REQUIRED),
    ST_FIELD(cg_solver, tolerance, "tolerance", st_type_real, "1e-5",
             "stop when |residual| / |right-hand side| is not above it", .flags = ST_FIELD_REQUIRED),
    ST_FIELD(cg_solver, threshold, "threshold", st_type_real, "1e-5",
             "stop when |direction . A direction| is not above it; an absolute number", .flags = ST_FIELD_REQUIRED),
    ST_FIELD(cg_solver, warm_start, "warmStart", st_type_bool, "0", "start from the solution of the last step"),
    ST_FIELD(cg_solver, graph, "graph", st_type_map, NULL,
             "errors and denominators of the last solve, iteration by iteration", .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

static const st_linear_solver_ops ops = {.solve = cg_solve};

const st_class st_cg_linear_solver_class = {
    .name = "CGLinearSolver",
    .help = "conjugate gradient, for symmetric positive definite systems",
    .parent = &st_linear_solver_class,
    .templates = "GraphScattered FullMatrix SparseMatrix CompressedRowSparseMatrixd CompressedRowSparseMatrixMat2x2d "
                 "CompressedRowSparseMatrixMat3x3d CompressedRowSparseMatrixMat4x4d CompressedRowSparseMatrixMat6x6d "
                 "CompressedRowSparseMatrixMat8x8d",
    .default_template = "GraphScattered",
    .fields = fields,
    .size = sizeof(cg_solver),
    .example = "<EulerImplicitSolver/>\n"
               "<CGLinearSolver iterations=\"50\" tolerance=\"1e-9\" threshold=\"1e-9\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<SpringForceField spring=\"0 1 100 1 0.9\"/>",
    .init = cg_init,
    .update = cg_write_graph,
    .reset = cg_reset,
    .destroy = cg_destroy,
    .linear_solver = &ops,
};
