// Newton's method with a line search by backtracking and five tests of convergence.
//
// With ρ the squared norm of the residual, an iteration
//
//  1. solves the linearized equation for the step Δu,
//  2. moves by α Δu with α = 1, c, c², ... until ρ falls; where it does not, the full step is kept,
//  3. and stops at the first of these tests (a threshold t ≤ 0 switches its test off):
//
//         ρ < t² ρ of the iteration before,  ρ < t² ρ of the start,  ρ < t²,  |Δu|² < t² |u|²,  |Δu|² < t²
//
// Nothing is done where ρ ≤ t² at the start.
//
// SPDX-License-Identifier: Apache-2.0
#include "integrator/newton_raphson_solver.h"

#include "base/array.h"

static const char *const status_labels[] = {
    [ST_NEWTON_UNDEFINED] = "Undefined",
    [ST_NEWTON_RUNNING] = "Running",
    [ST_NEWTON_CONVERGED_EQUILIBRIUM] = "ConvergedEquilibrium",
    [ST_NEWTON_CONVERGED_SUCCESSIVE] = "ConvergedResidualSuccessiveRatio",
    [ST_NEWTON_CONVERGED_INITIAL] = "ConvergedResidualInitialRatio",
    [ST_NEWTON_CONVERGED_ABSOLUTE] = "ConvergedAbsoluteResidual",
    [ST_NEWTON_CONVERGED_RELATIVE_ESTIMATE] = "ConvergedRelativeEstimateDifference",
    [ST_NEWTON_CONVERGED_ABSOLUTE_ESTIMATE] = "ConvergedAbsoluteEstimateDifference",
    [ST_NEWTON_DIVERGED_LINE_SEARCH] = "DivergedLineSearch",
    [ST_NEWTON_DIVERGED_MAX_ITERATIONS] = "DivergedMaxIterations",
    NULL,
};

static const st_field fields[] = {
    ST_FIELD(st_newton, max_iterations, "maxNbIterationsNewton", st_type_uint, "1", "most iterations"),
    ST_FIELD(st_newton, successive_threshold, "relativeSuccessiveStoppingThreshold", st_type_real, "1e-5",
             "converged when the residual fell below this part of the one before; 0: off"),
    ST_FIELD(st_newton, initial_threshold, "relativeInitialStoppingThreshold", st_type_real, "1e-5",
             "converged when the residual fell below this part of the first one; 0: off"),
    ST_FIELD(st_newton, absolute_threshold, "absoluteResidualStoppingThreshold", st_type_real, "1e-5",
             "converged when the residual fell below this; 0: off"),
    ST_FIELD(st_newton, relative_estimate_threshold, "relativeEstimateDifferenceThreshold", st_type_real, "0",
             "converged when a step is below this part of the estimate; 0: off"),
    ST_FIELD(st_newton, absolute_estimate_threshold, "absoluteEstimateDifferenceThreshold", st_type_real, "0",
             "converged when a step is below this; 0: off"),
    ST_FIELD(st_newton, max_line_search, "maxNbIterationsLineSearch", st_type_uint, "1",
             "most trials of the line search"),
    ST_FIELD(st_newton, line_search_coefficient, "lineSearchCoefficient", st_type_real, "0.5",
             "shrinks the step after a failed trial"),
    ST_FIELD(st_newton, update_when_diverged, "updateStateWhenDiverged", st_type_bool, "true",
             "the last estimate is kept in any case", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_newton, warn_line_search, "warnWhenLineSearchFails", st_type_bool, "true",
             "warn when the line search fails"),
    ST_FIELD(st_newton, warn_diverge, "warnWhenDiverge", st_type_bool, "true", "warn when it does not converge"),
    ST_FIELD(st_newton, status, "status", st_type_option, "Undefined", "how the last solve ended",
             .flags = ST_FIELD_OUTPUT, .options = status_labels),
    ST_FIELD(st_newton, residuals, "residualGraph", st_type_reals, NULL,
             "squared residuals of the last solve, the first one included", .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

st_newton *st_newton_find(const st_node *node, st_object *link) {
    if (link && st_is_a(link, &st_newton_raphson_solver_class)) return (st_newton *)link;
    return (st_newton *)st_find_class(node, &st_newton_raphson_solver_class, ST_DOWN);
}

// No allocation once the list has been as long.
static void newton_raphson_record(st_newton *newton, st_real residual) {
    if (!st_list_push(&newton->residuals, residual)) newton->residuals.count = 0;
}

static st_status newton_raphson_finish(st_newton *newton, st_newton_status status) {
    newton->status = (int32_t)status;
    st_touch(&newton->object, &newton->status);
    st_touch(&newton->object, &newton->residuals);

    const size_t count = newton->residuals.count;
    if (count)
        st_message(&newton->object, ST_INFO, "%s after %zu iterations, squared residual %g", status_labels[status],
                   count - 1, (double)newton->residuals.data[count - 1]);
    return ST_OK;
}

// Step 2: u += α Δu. Trials are made one from the other, by differences of α.
static st_status line_search(const st_newton *newton, const st_newton_problem *problem, st_real before, st_real *after,
                             bool *fell) {
    const uint32_t trials = newton->max_line_search ? newton->max_line_search : 1;
    st_real alpha = 1, moved = 0;
    *fell = false;

    for (uint32_t i = 0; i < trials; i++) {
        const st_status status = problem->move(problem->user, alpha - moved);
        if (status != ST_OK) return status;
        *after = problem->residual(problem->user);
        *fell = *after < before;
        if (*fell) return ST_OK;

        moved = alpha;
        alpha *= newton->line_search_coefficient;
    }

    // none fell: back to the full step
    if (trials == 1) return ST_OK;
    const st_status status = problem->move(problem->user, 1 - moved);
    if (status == ST_OK) *after = problem->residual(problem->user);
    return status;
}

static bool newton_raphson_below(st_real squared, st_real threshold, st_real reference) {
    return threshold > 0 && squared < threshold * threshold * reference;
}

typedef struct norms {
    st_real first, before, now; // squared residuals
    st_real step, estimate;     // squared norms of Δu and of u before the step
} norms;

// Step 3: the first test that is passed.
static st_newton_status newton_raphson_test(const st_newton *newton, const norms *n) {
    if (newton_raphson_below(n->now, newton->successive_threshold, n->before)) return ST_NEWTON_CONVERGED_SUCCESSIVE;
    if (newton_raphson_below(n->now, newton->initial_threshold, n->first)) return ST_NEWTON_CONVERGED_INITIAL;
    if (newton_raphson_below(n->now, newton->absolute_threshold, 1)) return ST_NEWTON_CONVERGED_ABSOLUTE;
    if (n->estimate > 0 && newton_raphson_below(n->step, newton->relative_estimate_threshold, n->estimate))
        return ST_NEWTON_CONVERGED_RELATIVE_ESTIMATE;
    if (newton_raphson_below(n->step, newton->absolute_estimate_threshold, 1))
        return ST_NEWTON_CONVERGED_ABSOLUTE_ESTIMATE;
    return ST_NEWTON_RUNNING;
}

// Steps 1 and 2, and the norms that the tests need.
static st_status newton_raphson_iterate(st_newton *newton, const st_newton_problem *problem, norms *n, bool *searched) {
    const bool needs_step = newton->relative_estimate_threshold > 0 || newton->absolute_estimate_threshold > 0;

    n->before = n->now;
    n->estimate = newton->relative_estimate_threshold > 0 ? problem->estimate_norm(problem->user) : 0;

    // 1. Δu, and 2. along it
    st_status status = problem->step(problem->user);
    if (status == ST_OK) status = line_search(newton, problem, n->before, &n->now, searched);
    if (status != ST_OK) return status;

    if (!*searched && newton->warn_line_search)
        st_message(&newton->object, ST_WARNING, "the line search failed: squared residual %g, before %g",
                   (double)n->now, (double)n->before);

    newton_raphson_record(newton, n->now);
    n->step = needs_step ? problem->step_norm(problem->user) : 0;
    return ST_OK;
}

st_status st_newton_solve(st_newton *newton, const st_newton_problem *problem) {
    // the residual at the start: equilibrium?
    norms n = {0};
    n.first = n.now = problem->residual(problem->user);
    newton->residuals.count = 0;
    newton_raphson_record(newton, n.first);

    const st_real threshold = newton->absolute_threshold;
    if (threshold > 0 && n.first <= threshold * threshold)
        return newton_raphson_finish(newton, ST_NEWTON_CONVERGED_EQUILIBRIUM);

    for (uint32_t i = 0; i < newton->max_iterations; i++) {
        bool searched = true;
        const st_status status = newton_raphson_iterate(newton, problem, &n, &searched);
        if (status != ST_OK) return status;
        if (!searched) newton->status = ST_NEWTON_DIVERGED_LINE_SEARCH;

        const st_newton_status result = newton_raphson_test(newton, &n);
        if (result != ST_NEWTON_RUNNING) return newton_raphson_finish(newton, result);
    }

    if (newton->warn_diverge)
        st_message(&newton->object, ST_WARNING, "not converged after %u iterations: squared residual %g, first %g",
                   newton->max_iterations, (double)n.now, (double)n.first);
    return newton_raphson_finish(newton, ST_NEWTON_DIVERGED_MAX_ITERATIONS);
}

const st_class st_newton_raphson_solver_class = {
    .name = "NewtonRaphsonSolver",
    .help = "Newton's method with line search, for StaticSolver and BDFOdeSolver",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_newton),
};
