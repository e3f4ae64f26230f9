// Implicit Euler, linearized once per step. With h = dt, tr = 1 (trapezoidalScheme: 0.5), K = ∂f/∂x, B = ∂f/∂v and the
// Rayleigh coefficients rM, rK:
//
//     ((1 + tr h rM) M - tr h B - tr h (tr h + rK) K) Δv = h (f + (tr h + rK) K v - rM M v)
//     v' = v + Δv,  x' = x ⊕ h v'                    (the full new velocity in the trapezoidal scheme, too)
//
// A step
//
//  1. computes the forces f and the right-hand side b = h (f + (tr h + rK) K v - rM M v), projected,
//  2. builds the matrix and solves for Δv,
//  3. updates the velocity, v' = v + Δv, and lets the constraints correct it (solveConstraint),
//  4. moves the positions, x' = x ⊕ h v', and lets the constraints correct them,
//  5. adds separate gravity, damps the velocity and, on request, stores the residual.
//
// firstOrder solves M v = f instead: (M - tr h K) v' = f in steps 1 and 2, v' = the solution in step 3.
//
// The rayleighStiffness and rayleighMass of components enter through the factor of B, that is in the matrix only. The
// solution is kept and offered as the first guess of the next step.
//
// SPDX-License-Identifier: Apache-2.0
#include "integrator/integrator.h"
#include "math/real.h"

typedef struct euler_implicit {
    st_integrator base;
    st_real rayleigh_stiffness;
    st_real rayleigh_mass;
    st_real velocity_damping;
    bool first_order;
    bool trapezoidal;
    bool solve_constraint;
    bool thread_safe;
    bool compute_residual;
    st_real residual;
    st_work work;
} euler_implicit;

enum { SOLUTION, RHS, DERIVS };

static const st_field fields[] = {
    ST_FIELD(euler_implicit, rayleigh_stiffness, "rayleighStiffness", st_type_real, "0",
             "Rayleigh damping by stiffness"),
    ST_FIELD(euler_implicit, rayleigh_mass, "rayleighMass", st_type_real, "0", "Rayleigh damping by mass"),
    ST_FIELD(euler_implicit, velocity_damping, "vdamping", st_type_real, "0",
             "velocities are scaled by exp(-h vdamping)"),
    ST_FIELD(euler_implicit, first_order, "firstOrder", st_type_bool, "false", "solve M v = f instead of M a = f"),
    ST_FIELD(euler_implicit, trapezoidal, "trapezoidalScheme", st_type_bool, "false",
             "weigh old and new forces by one half each"),
    ST_FIELD(euler_implicit, solve_constraint, "solveConstraint", st_type_bool, "false",
             "let the constraint solvers of the same node correct the new velocity, then the new position"),
    ST_THREAD_SAFE_FIELD(euler_implicit),
    ST_FIELD(euler_implicit, compute_residual, "computeResidual", st_type_bool, "false",
             "evaluate the forces once more at the end and store the residual"),
    ST_FIELD(euler_implicit, residual, "residual", st_type_real, NULL,
             "squared norm of M Δv - h f at the end of the step", .flags = ST_FIELD_OUTPUT),
    ST_LINEAR_SOLVER_FIELD(euler_implicit),
    ST_FIELDS_END,
};

static st_status euler_implicit_construct(st_object *object) {
    ((euler_implicit *)object)->residual = ST_REAL_MAX;
    return ST_OK;
}

static void euler_implicit_reset(st_object *object) { st_work_reset(&((euler_implicit *)object)->work); }

// Step 1: b = h (f + (tr h + rK) K v - rM M v), or f; projected.
static void right_hand_side(euler_implicit *self, st_params params, st_real h, st_real tr) {
    st_plan *plan = self->base.plan;
    const st_deriv_id rhs = self->work.deriv[RHS];

    st_plan_graph_compute_force(self->base.plan, &params);
    st_plan_copy(plan, rhs, st_read_deriv(ST_FORCE));

    if (!self->first_order) {
        params.df = rhs;
        params.m = -self->rayleigh_mass;
        params.b = 0;
        params.k = h * tr + self->rayleigh_stiffness;
        st_plan_graph_add_mbkv(plan, &params);
        st_plan_scale(plan, rhs, h);
    }

    st_plan_graph_project_response(plan, rhs);
}

// Step 2: (1 + tr h rM) M - tr h B - tr h (tr h + rK) K, or M - tr h K.
static st_params matrix_factors(const euler_implicit *self, st_params params, st_real h, st_real tr) {
    params.m = self->first_order ? 1 : 1 + tr * h * self->rayleigh_mass;
    params.b = self->first_order ? 0 : -tr * h;
    params.k = self->first_order ? -tr * h : -tr * h * (tr * h + self->rayleigh_stiffness);
    return params;
}

// |M (v' - v) - h f(x', v')|². With results in place the two velocities are the same vector, and only -h f remains.
static void store_residual(euler_implicit *self, st_params params, st_coord_id x, st_deriv_id v) {
    st_plan *plan = self->base.plan;
    const st_deriv_id residual = self->work.deriv[RHS];

    params.x = st_read_coord(x);
    params.v = st_read_deriv(v);
    st_plan_graph_compute_force(self->base.plan, &params);

    st_plan_clear(plan, residual);
    if (v.index != ST_DERIV_VELOCITY) {
        st_plan_combine(plan, ST_DX, st_read_deriv(v), st_read_deriv(ST_VELOCITY), -1);
        st_plan_add_mdx(plan, residual, st_read_deriv(ST_DX), 1);
    }

    st_plan_add(plan, residual, st_read_deriv(ST_FORCE), -params.dt);
    st_plan_graph_project_response(plan, residual);

    self->residual = st_plan_dot(plan, st_read_deriv(residual), st_read_deriv(residual));
    st_touch(&self->base.object, &self->residual);
}

static st_status euler_implicit_solve(st_integrator *integrator, st_real h, st_coord_id x, st_deriv_id v) {
    euler_implicit *self = (euler_implicit *)integrator;
    st_status status = st_integrator_prepare(integrator, &self->work, 0, DERIVS, x, v);
    if (status != ST_OK) return status;

    st_plan *plan = integrator->plan;
    const st_deriv_id solution = self->work.deriv[SOLUTION];
    const st_params params = st_integrator_params(h, true);
    const st_real tr = self->trapezoidal ? ST_R(0.5) : 1;

    // 1. b = h (f + (tr h + rK) K v - rM M v)
    right_hand_side(self, params, h, tr);

    // 2. A Δv = b
    const st_params matrix = matrix_factors(self, params, h, tr);
    status = st_integrator_solve_system(integrator, &matrix, solution, self->work.deriv[RHS]);
    if (status != ST_OK) return status;

    // 3. v' = v + Δv
    if (self->first_order) st_plan_copy(plan, v, st_read_deriv(solution));
    else st_plan_combine(plan, v, st_read_deriv(ST_VELOCITY), st_read_deriv(solution), 1);
    if (self->solve_constraint && (status = st_integrator_constrain(integrator, ST_ORDER_VELOCITY, h, x, v)) != ST_OK)
        return status;

    // 4. x' = x ⊕ h v'
    st_plan_move(plan, x, st_read_coord(ST_POSITION), st_read_deriv(v), h);
    if (self->solve_constraint && (status = st_integrator_constrain(integrator, ST_ORDER_POSITION, h, x, v)) != ST_OK)
        return status;

    // 5. gravity, damping, residual
    st_plan_separate_gravity(plan, v, h);
    st_integrator_damp(integrator, v, self->velocity_damping, h);
    if (self->compute_residual) store_residual(self, params, x, v);
    return ST_OK;
}

static const st_integrator_ops ops = {euler_implicit_solve, st_factor_one, st_factor_dt};

const st_class st_euler_implicit_solver_class = {
    .name = "EulerImplicitSolver",
    .help = "implicit Euler integration, linearized once per step",
    .parent = &st_integrator_class,
    .fields = fields,
    .size = sizeof(euler_implicit),
    .construct = euler_implicit_construct,
    .init = st_integrator_init_implicit,
    .reset = euler_implicit_reset,
    .integrator = &ops,
};
