// Runge-Kutta of order 2 (midpoint). With a(x, v) = M⁻¹ f(x, v), projected, a step
//
//  1. evaluates a(x, v) at the start,
//  2. goes to the middle:        x̃ = x ⊕ h/2 v,  ṽ = v + h/2 a(x, v),
//  3. evaluates a(x̃, ṽ) there,
//  4. goes from start to end:    x' = x ⊕ h ṽ,   v' = v + h a(x̃, ṽ),  and solves the constraints.
//
// SPDX-License-Identifier: Apache-2.0
#include "integrator/integrator.h"

typedef struct runge_kutta2 {
    st_integrator base;
    st_work work;
} runge_kutta2;

enum { MIDDLE_V, ACCELERATION, DERIVS };

static st_status runge_kutta2_solve(st_integrator *integrator, st_real dt, st_coord_id x, st_deriv_id v) {
    runge_kutta2 *self = (runge_kutta2 *)integrator;
    const st_status status = st_integrator_prepare(integrator, &self->work, 1, DERIVS, x, v);
    if (status != ST_OK) return status;

    st_plan *plan = integrator->plan;
    const st_coord_id middle_x = self->work.coord[0];
    const st_deriv_id middle_v = self->work.deriv[MIDDLE_V], a = self->work.deriv[ACCELERATION];
    const st_real half = dt / 2;

    const st_mass *which = st_integrator_full_mass(plan);
    if (which || plan->mapped_mass) return st_integrator_no_inverse(integrator, which);

    // 1. a(x, v)
    st_plan_separate_gravity(plan, ST_VELOCITY, dt);
    st_plan_clear(plan, a);
    st_plan_compute_acceleration(plan, dt, ST_POSITION, ST_VELOCITY, a, &which);

    // 2. x̃ = x ⊕ h/2 v, ṽ = v + h/2 a
    st_plan_move(plan, middle_x, st_read_coord(ST_POSITION), st_read_deriv(ST_VELOCITY), half);
    st_plan_combine(plan, middle_v, st_read_deriv(ST_VELOCITY), st_read_deriv(a), half);

    // 3. a(x̃, ṽ)
    st_plan_compute_acceleration(plan, dt, middle_x, middle_v, a, &which);

    // 4. x' = x ⊕ h ṽ, v' = v + h a(x̃, ṽ)
    st_plan_move(plan, x, st_read_coord(ST_POSITION), st_read_deriv(middle_v), dt);
    st_plan_combine(plan, v, st_read_deriv(ST_VELOCITY), st_read_deriv(a), dt);
    return st_integrator_constrain_result(integrator, dt, x, v);
}

static const st_integrator_ops ops = {runge_kutta2_solve, st_factor_half_dt, st_factor_zero};

const st_class st_runge_kutta2_solver_class = {
    .name = "RungeKutta2Solver",
    .help = "explicit Runge-Kutta integration of order 2 (midpoint rule); needs diagonal masses",
    .parent = &st_integrator_class,
    .size = sizeof(runge_kutta2),
    .integrator = &ops,
};
