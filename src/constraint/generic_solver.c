// The base of the solvers that visit blocks: their attributes, the assembly of W, and one sweep of projected
// Gauss-Seidel. For each block, in row order:
//
//     1. d = d_free + W f, all columns, with the present f
//     2. its resolution changes its own f (resolution.c)
//     3. error += |w Δf|
//
// The error of a block of one row is |w Δf|, of several rows Σ_l √(Σ_m (w_lm Δf_m)²).
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/generic_solver.h"

#include "linalg/dense_rows.h"
#include "math/dense.h"
#include "math/real.h"

// ---------------------------------------------------------------------------------------------------
// Sweep
// ---------------------------------------------------------------------------------------------------

st_real st_row_violation(const st_constraint_problem *p, size_t row) {
    st_real d = p->free.data[row];
    st_dense_rows_product(1, p->w.data + row * p->size, p->size, p->force.data, p->size, &d);
    return d;
}

st_real st_block_error(const st_resolution *block, const st_real *w, size_t stride, const st_real *before,
                       const st_real *f, st_real tolerance, bool *verified) {
    st_real error = 0;

    for (size_t l = 0; l < block->count; l++) {
        st_real line = 0;
        for (size_t m = 0; m < block->count; m++) {
            const st_real part = w[l * stride + m] * (f[m] - before[m]);
            line += part * part;
        }

        line = block->count == 1 ? fabs(w[0] * (f[0] - before[0])) : sqrt(line);
        if (!(line <= tolerance)) *verified = false;
        error += line;
    }

    // a block with a tolerance of its own is measured by it
    if (block->tolerance > 0) {
        if (error > block->tolerance) *verified = false;
        error *= tolerance / block->tolerance;
    }
    return error;
}

st_sweep st_gauss_seidel_sweep(st_constraint_problem *p, st_real tolerance) {
    st_sweep sweep = {.verified = true};

    for (size_t b = 0; b < p->blocks.list.count; b++) {
        const st_resolution *block = &p->blocks.list.data[b];
        st_real *d = p->visit.data, *before = d + block->count, *f = p->force.data + block->row;
        const st_real *w = p->w.data + block->row * p->size + block->row;

        // d = d_free + W f of all rows
        st_copy_reals(d, p->free.data + block->row, block->count);
        st_dense_rows_product(block->count, p->w.data + block->row * p->size, p->size, p->force.data, p->size, d);

        st_copy_reals(before, f, block->count);
        block->ops->resolve(block, w, p->size, d, f);
        sweep.error += st_block_error(block, w, p->size, before, f, tolerance, &sweep.verified);
    }
    return sweep;
}

// ---------------------------------------------------------------------------------------------------
// W
// ---------------------------------------------------------------------------------------------------

st_real *st_generic_work(st_generic_solver *self, size_t count) {
    return st_list_set_count(&self->work, count, 1) ? self->work.data : NULL;
}

// Rows in which a singular vector of the null space of W has weight: only they are regularized. W is symmetric, so its
// singular vectors are its eigenvectors.
static st_status regularize_null_space(st_generic_solver *self) {
    st_constraint_problem *p = self->base.problem;
    const size_t n = p->size;
    st_real *values = st_generic_work(self, 2 * n * n + n);
    if (!values) return ST_OUT_OF_MEMORY;

    st_real *vectors = values + n, *copy = vectors + n * n, largest = 0;
    st_copy_reals(copy, p->w.data, n * n);

    if (!st_dense_eigen(values, vectors, copy, n)) {
        st_message(&self->base.object, ST_ERROR, "the singular values of the compliance cannot be found");
        return ST_FAILED;
    }

    // rows with weight in a vector of the null space
    for (size_t i = 0; i < n; i++) largest = st_max(largest, fabs(values[i]));
    for (size_t k = 0; k < n; k++) {
        bool in_null_space = false;
        for (size_t i = 0; i < n; i++)
            if (fabs(values[i]) < self->svd_value * largest && fabs(vectors[k * n + i]) > self->svd_vector)
                in_null_space = true;
        if (in_null_space) p->w.data[k * n + k] += self->regularization;
    }
    return ST_OK;
}

static st_status regularize(st_generic_solver *self) {
    st_constraint_problem *p = self->base.problem;
    if (!(self->regularization > ST_REAL_EPSILON)) return ST_OK;
    if (self->svd) return regularize_null_space(self);
    for (size_t i = 0; i < p->size; i++) p->w.data[i * p->size + i] += self->regularization;
    return ST_OK;
}

// A row on which nothing can act: its violation stays whatever the force.
static void tell_stuck(st_generic_solver *self) {
    const st_constraint_problem *p = self->base.problem;
    for (size_t i = 0; i < p->size; i++) {
        if (p->w.data[i * p->size + i] != 0) continue;
        if (!st_first_time(&self->base.object, "stuck")) return;

        const st_law *law = p->row_laws.data[i];
        st_message(&law->object, ST_WARNING,
                   "row %zu has no compliance: nothing that it acts on can move (no constraint correction, no mass, or "
                   "fixed points); its force stays 0",
                   i - law->first_row);
    }
}

st_status st_generic_build(st_constraint_solver *solver, const st_constraint_params *params) {
    st_generic_solver *self = (st_generic_solver *)solver;
    st_status status = st_problem_gather_compliance(solver, params);
    if (status == ST_OK) status = regularize(self);
    if (status == ST_OK) tell_stuck(self);
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Outputs
// ---------------------------------------------------------------------------------------------------

st_real st_generic_tolerance(const st_generic_solver *self) {
    const bool scaled = self->scale_tolerance && !self->all_verified;
    return scaled ? self->tolerance * (st_real)self->base.problem->size : self->tolerance;
}

void st_generic_report(st_generic_solver *self, int32_t iterations, st_real error, bool converged) {
    st_object *object = &self->base.object;
    const st_constraint_problem *p = self->base.problem;

    // fields that the scene can read
    self->iterations = iterations;
    self->error = error;
    self->num_constraints = (int32_t)p->size;
    self->num_blocks = (int32_t)p->blocks.list.count;

    if (self->compute_forces && st_list_set_count(&self->forces, p->size, 1)) {
        st_copy_reals(self->forces.data, p->force.data, p->size);
        st_touch(object, &self->forces);
    }

    if (converged) return;
    const bool first = st_first_time(object, "limit");
    st_message(object, first ? ST_WARNING : ST_INFO,
               "%d iterations were not enough for %zu constraints: the error is %g, the tolerance %g%s",
               (int)self->max_iterations, p->size, (double)error, (double)st_generic_tolerance(self),
               first ? " (said once)" : "");
}

static st_status generic_init(st_object *object) {
    st_generic_solver *self = (st_generic_solver *)object;
    if (self->max_iterations < 0) {
        st_message(object, ST_WARNING, "maxIterations = %d is negative: 0 is used", (int)self->max_iterations);
        self->max_iterations = 0;
    }
    return ST_OK;
}

void st_generic_solver_destroy(st_object *object) {
    st_generic_solver *self = (st_generic_solver *)object;
    st_list_free(&self->work);
    st_constraint_solver_class.destroy(object);
}

#define GRAPH(member, name)                                                                                            \
    ST_FIELD(st_generic_solver, member, name, st_type_string, NULL, "curve for SOFA's window",                         \
             .flags = ST_FIELD_DISPLAY | ST_FIELD_NO_EFFECT)

static const st_field fields[] = {
    ST_FIELD(st_generic_solver, max_iterations, "maxIterations", st_type_int, "1000", "most sweeps over all blocks",
             .aliases = "maxIt", .flags = ST_FIELD_REQUIRED),
    ST_FIELD(st_generic_solver, tolerance, "tolerance", st_type_real, "0.001",
             "sweeps end when the displacement W Δf that they bring is below it", .flags = ST_FIELD_REQUIRED),
    ST_FIELD(st_generic_solver, sor, "sor", st_type_real, "1", "relaxation of each sweep"),
    ST_FIELD(st_generic_solver, regularization, "regularizationTerm", st_type_real, "0",
             "compliance added to the diagonal of W"),
    ST_FIELD(st_generic_solver, scale_tolerance, "scaleTolerance", st_type_bool, "1",
             "the tolerance is that of one row: it is multiplied by their number"),
    ST_FIELD(st_generic_solver, all_verified, "allVerified", st_type_bool, "0",
             "every row must meet the tolerance, not their sum"),
    ST_FIELD(st_generic_solver, compute_forces, "computeConstraintForces", st_type_bool, "0",
             "copy the multipliers to constraintForces"),
    ST_FIELD(st_generic_solver, forces, "constraintForces", st_type_reals, NULL, "the multipliers of the last step",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(st_generic_solver, num_constraints, "currentNumConstraints", st_type_int, "0", "rows in the last step",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(st_generic_solver, num_blocks, "currentNumConstraintGroups", st_type_int, "0", "blocks in the last step",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(st_generic_solver, iterations, "currentIterations", st_type_int, "0", "iterations of the last step",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(st_generic_solver, error, "currentError", st_type_real, "0", "error at the end of the last step",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(st_generic_solver, compute_graphs, "computeGraphs", st_type_bool, "0", "curves for SOFA's window",
             .flags = ST_FIELD_DISPLAY | ST_FIELD_NO_EFFECT),
    GRAPH(graph_errors, "graphErrors"),
    GRAPH(graph_constraints, "graphConstraints"),
    GRAPH(graph_forces, "graphForces"),
    GRAPH(graph_violations, "graphViolations"),
    ST_FIELDS_END,
};

const st_class st_generic_solver_class = {
    .name = "GenericConstraintSolverBase",
    .help = "what the iterative constraint solvers have",
    .parent = &st_constraint_solver_class,
    .fields = fields,
    .size = sizeof(st_generic_solver),
    .flags = ST_CLASS_ABSTRACT,
    .init = generic_init,
    .destroy = st_generic_solver_destroy,
};

static const st_field built_fields[] = {
    ST_FIELD(st_generic_solver, multithreading, "multithreading", st_type_bool, "0",
             "threading hint; the threads of the scene are used, the result is the same", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_generic_solver, min_iterations, "minIterations", st_type_int, "1",
             "fewest sweeps, however small their change (Gauss-Seidel)"),
    ST_FIELD(st_generic_solver, svd, "useSVDForRegularization", st_type_bool, "0",
             "regularize only rows that take part in the null space of W"),
    ST_FIELD(st_generic_solver, svd_value, "svdSingularValueNullSpaceCriteriaFactor", st_type_real, "0.01",
             "singular values below this times the largest belong to the null space"),
    ST_FIELD(st_generic_solver, svd_vector, "svdSingularVectorNullSpaceCriteriaFactor", st_type_real, "0.001",
             "a row takes part when a singular vector of the null space is above this there"),
    ST_FIELDS_END,
};

const st_class st_built_solver_class = {
    .name = "BuiltConstraintSolver",
    .help = "what the constraint solvers have that assemble W",
    .parent = &st_generic_solver_class,
    .fields = built_fields,
    .size = sizeof(st_generic_solver),
    .flags = ST_CLASS_ABSTRACT,
};
