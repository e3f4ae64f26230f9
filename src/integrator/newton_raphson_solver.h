// Newton's method for r(u) = 0, used by the integrators that solve a nonlinear equation in each step.
//
// The problem is given by functions: evaluate the residual, compute the step Δu from the linearized equation, move
// along it. All norms are squared Euclidean norms over the independent states.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_INTEGRATOR_NEWTON_RAPHSON_SOLVER_H
#define SETTEE_INTEGRATOR_NEWTON_RAPHSON_SOLVER_H

#include "settee/plugin/component.h"

typedef enum st_newton_status {
    ST_NEWTON_UNDEFINED,
    ST_NEWTON_RUNNING,
    ST_NEWTON_CONVERGED_EQUILIBRIUM,
    ST_NEWTON_CONVERGED_SUCCESSIVE,
    ST_NEWTON_CONVERGED_INITIAL,
    ST_NEWTON_CONVERGED_ABSOLUTE,
    ST_NEWTON_CONVERGED_RELATIVE_ESTIMATE,
    ST_NEWTON_CONVERGED_ABSOLUTE_ESTIMATE,
    ST_NEWTON_DIVERGED_LINE_SEARCH,
    ST_NEWTON_DIVERGED_MAX_ITERATIONS,
} st_newton_status;

typedef struct st_newton {
    st_object object;
    uint32_t max_iterations;
    st_real successive_threshold, initial_threshold, absolute_threshold;
    st_real relative_estimate_threshold, absolute_estimate_threshold;
    uint32_t max_line_search;
    st_real line_search_coefficient;
    bool update_when_diverged;
    bool warn_line_search, warn_diverge;
    int32_t status; // st_newton_status
    st_reals residuals;
} st_newton;

typedef struct st_newton_problem {
    st_real (*residual)(void *user);               // evaluates r at the present estimate: |r|²
    st_status (*step)(void *user);                 // Δu from the equation linearized at the present estimate
    st_status (*move)(void *user, st_real factor); // u += factor Δu
    st_real (*step_norm)(void *user);              // |Δu|²
    st_real (*estimate_norm)(void *user);          // |u|²
    void *user;
} st_newton_problem;

extern const st_class st_newton_raphson_solver_class;

// Runs the method; newton->status tells how it ended. The status is that of the steps and moves: it stops at the first
// one that fails.
st_status st_newton_solve(st_newton *newton, const st_newton_problem *problem);

// The solver behind a link, or the first one at or below the node; NULL when there is none.
st_newton *st_newton_find(const st_node *node, st_object *link);

#endif
