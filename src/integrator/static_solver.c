// Static equilibrium: finds x with P f(x) = 0 by Newton's method, whatever dt is. Velocities stay as they are. In each
// iteration
//
//  1. -K Δx = P f gives the step,
//  2. x ← x ⊕ α Δx moves along it, α being the line search's, and lets the constraints correct x,
//  3. f(x) at the new position gives the residual.
//
// With constraint laws the residual is P f(x) + r, where r is their reaction. What displaced the full step onto the
// laws is the whole of it, Δx + φ (-K)⁻¹ Hᵀ λ, r = φ Hᵀ λ. A fraction α of the step keeps 1 - α of the reaction r₀ that
// it began with.
//
// SPDX-License-Identifier: Apache-2.0
#include "integrator/integrator.h"
#include "integrator/newton_raphson_solver.h"

typedef struct static_solver {
    st_integrator base;
    st_object *newton_link;
    st_newton *newton;
    uint32_t iterations;
    st_real absolute_correction, relative_correction, absolute_residual, relative_residual;
    bool diverge_when_growing;
    st_work work;
    st_coord_id x; // of the present step
    st_params params;
} static_solver;

enum { STEP, REACTION, LAST_REACTION, BALANCE, DERIVS };

#define OLD_FIELD(member, name, type, value, now)                                                                      \
    ST_FIELD(static_solver, member, name, type, value, "write " now " on a NewtonRaphsonSolver instead",               \
             .flags = ST_FIELD_DEPRECATED)

static const st_field fields[] = {
    ST_FIELD(static_solver, newton_link, "newtonSolver", st_type_link, NULL,
             "NewtonRaphsonSolver; else the first one in the node or below it"),
    ST_LINEAR_SOLVER_FIELD(static_solver),
    OLD_FIELD(iterations, "newton_iterations", st_type_uint, "1", "maxNbIterationsNewton"),
    OLD_FIELD(absolute_correction, "absolute_correction_tolerance_threshold", st_type_real, "0",
              "absoluteEstimateDifferenceThreshold"),
    OLD_FIELD(relative_correction, "relative_correction_tolerance_threshold", st_type_real, "0",
              "relativeEstimateDifferenceThreshold"),
    OLD_FIELD(absolute_residual, "absolute_residual_tolerance_threshold", st_type_real, "0",
              "absoluteResidualStoppingThreshold"),
    OLD_FIELD(relative_residual, "relative_residual_tolerance_threshold", st_type_real, "0",
              "relativeInitialStoppingThreshold"),
    ST_FIELD(static_solver, diverge_when_growing, "should_diverge_when_residual_is_growing", st_type_bool, "false",
             "has no effect", .flags = ST_FIELD_DEPRECATED | ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static void take_old(const static_solver *self, const void *old, st_real value, st_newton *newton, st_real *member) {
    if (!st_is_set(&self->base.object, old)) return;
    *member = value;
    st_touch(&newton->object, member);
}

// The thresholds of the days before NewtonRaphsonSolver was a component of its own.
static void take_old_attributes(const static_solver *self, st_newton *newton) {
    if (st_is_set(&self->base.object, &self->iterations)) {
        newton->max_iterations = self->iterations;
        st_touch(&newton->object, &newton->max_iterations);
    }

    take_old(self, &self->absolute_correction, self->absolute_correction, newton, &newton->absolute_estimate_threshold);
    take_old(self, &self->relative_correction, self->relative_correction, newton, &newton->relative_estimate_threshold);
    take_old(self, &self->absolute_residual, self->absolute_residual, newton, &newton->absolute_threshold);
    take_old(self, &self->relative_residual, self->relative_residual, newton, &newton->initial_threshold);
}

static st_status static_init(st_object *object) {
    static_solver *self = (static_solver *)object;
    const st_status status = st_integrator_init_implicit(object);
    if (status != ST_OK) return status;

    self->newton = st_newton_find(object->node, self->newton_link);
    if (self->newton) return ST_OK;

    st_message(object, ST_WARNING,
               "there is no NewtonRaphsonSolver in the node: a default one, with one iteration, is added");
    self->newton = (st_newton *)st_add_object(object->node, st_newton_raphson_solver_class.name, NULL, NULL, false);
    if (!self->newton) return ST_OUT_OF_MEMORY;

    take_old_attributes(self, self->newton);
    return ST_OK;
}

static void static_reset(st_object *object) { st_work_reset(&((static_solver *)object)->work); }

// Of a free motion the loop solves the constraints afterwards.
static bool solves_constraints(const static_solver *self) { return self->x.index == ST_COORD_POSITION; }

// Step 3: |P f|², or |P f + r|².
static st_real static_residual(void *user) {
    static_solver *self = user;
    st_plan *plan = self->base.plan;

    st_plan_compute_force(self->base.plan, &self->params);
    st_plan_project_response(plan, ST_FORCE);

    if (!solves_constraints(self)) return st_plan_dot(plan, st_read_deriv(ST_FORCE), st_read_deriv(ST_FORCE));
    const st_deriv_id sum = self->work.deriv[BALANCE]; // a vector of its own: the next step starts from f without r
    st_plan_combine(plan, sum, st_read_deriv(ST_FORCE), st_read_deriv(self->work.deriv[REACTION]), 1);
    return st_plan_dot(plan, st_read_deriv(sum), st_read_deriv(sum));
}

// Step 1: -K Δx = P f; r₀ = r.
static st_status static_step(void *user) {
    static_solver *self = user;
    st_plan_copy(self->base.plan, self->work.deriv[LAST_REACTION], st_read_deriv(self->work.deriv[REACTION]));

    st_params matrix = self->params;
    matrix.k = -1;
    return st_integrator_solve_system(&self->base, &matrix, self->work.deriv[STEP], ST_FORCE);
}

// Step 2: x ← x ⊕ α Δx.
static st_status static_move(void *user, st_real factor) {
    static_solver *self = user;
    st_plan *plan = self->base.plan;

    st_plan_move(plan, self->x, st_read_coord(self->x), st_read_deriv(self->work.deriv[STEP]), factor);
    st_status status = ST_OK;

    // r = (1 - α) r₀ + φ Hᵀ λ; trials of the line search take away α by differences
    if (solves_constraints(self)) {
        st_plan_add(plan, self->work.deriv[REACTION], st_read_deriv(self->work.deriv[LAST_REACTION]), -factor);
        status = st_integrator_constrain(&self->base, ST_ORDER_POSITION, self->params.dt, self->x, ST_VELOCITY);
        if (status == ST_OK) st_integrator_add_reaction(&self->base, self->work.deriv[REACTION]);
    }

    st_plan_propagate_x(plan, self->x);
    return status;
}

static st_real static_step_norm(void *user) {
    static_solver *self = user;
    const st_const_deriv_id dx = st_read_deriv(self->work.deriv[STEP]);
    return st_plan_dot(self->base.plan, dx, dx);
}

static st_real static_estimate_norm(void *user) {
    static_solver *self = user;
    return st_plan_dot_coord(self->base.plan, st_read_coord(self->x), st_read_coord(self->x));
}

static st_status static_solve(st_integrator *integrator, st_real dt, st_coord_id x, st_deriv_id v) {
    static_solver *self = (static_solver *)integrator;
    const st_status status = st_integrator_prepare(integrator, &self->work, 0, DERIVS, x, v);
    if (status != ST_OK) return status;

    self->x = x;
    self->params = st_integrator_params(dt, true);
    self->params.x = st_read_coord(x);
    if (x.index != ST_COORD_POSITION) st_plan_copy_coord(integrator->plan, x, st_read_coord(ST_POSITION));
    st_plan_clear(integrator->plan, self->work.deriv[REACTION]); // the laws may have changed since the last step

    const st_newton_problem problem = {static_residual,  static_step,          static_move,
                                       static_step_norm, static_estimate_norm, self};
    return st_newton_solve(self->newton, &problem);
}

static const st_integrator_ops ops = {static_solve, st_factor_one, st_factor_dt};

const st_class st_static_solver_class = {
    .name = "StaticSolver",
    .help = "moves the states to a static equilibrium in each step",
    .parent = &st_integrator_class,
    .fields = fields,
    .size = sizeof(static_solver),
    .init = static_init,
    .reset = static_reset,
    .integrator = &ops,
};
