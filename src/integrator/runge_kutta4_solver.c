// Runge-Kutta of order 4. With a(x, v) = M⁻¹ f(x, v), projected, a step
//
//  1. evaluates four stages, each from the one before:
//
//         k1 = (v,           a(x, v))
//         k2 = (v + h/2 k1a, a(x ⊕ h/2 k1v, k2v))
//         k3 = (v + h/2 k2a, a(x ⊕ h/2 k2v, k3v))
//         k4 = (v + h k3a,   a(x ⊕ h k3v,   k4v))
//
//  2. sums them up and solves the constraints:
//
//         x' = x ⊕ h/6 k1v ⊕ h/3 k2v ⊕ h/3 k3v ⊕ h/6 k4v,   v' = v + h/6 k1a + h/3 k2a + h/3 k3a + h/6 k4a
//
// The increments of x are composed one after the other, which matters for rotations. Every stage projects its own x and
// v in place and overwrites the mapped states.
//
// SPDX-License-Identifier: Apache-2.0
#include "integrator/integrator.h"

typedef struct runge_kutta4 {
    st_integrator base;
    st_work work;
} runge_kutta4;

enum { K1A, K2A, K3A, K4A, K2V, K3V, K4V, DERIVS };

static void runge_kutta4_accelerate(st_plan *plan, st_real dt, st_coord_id x, st_deriv_id v, st_deriv_id a) {
    const st_mass *which = NULL;
    st_plan_clear(plan, a);
    st_plan_compute_acceleration(plan, dt, x, v, a, &which);
}

// k = (v + step a, a(x ⊕ step kv, ·)) of the stage before.
static void stage(runge_kutta4 *self, st_real dt, st_real step, st_deriv_id last_v, st_deriv_id last_a, st_deriv_id k_v,
                  st_deriv_id k_a) {
    st_plan *plan = self->base.plan;
    const st_coord_id x = self->work.coord[0];

    st_plan_move(plan, x, st_read_coord(ST_POSITION), st_read_deriv(last_v), step);
    st_plan_combine(plan, k_v, st_read_deriv(ST_VELOCITY), st_read_deriv(last_a), step);
    runge_kutta4_accelerate(plan, dt, x, k_v, k_a);
}

static st_status runge_kutta4_solve(st_integrator *integrator, st_real dt, st_coord_id x, st_deriv_id v) {
    runge_kutta4 *self = (runge_kutta4 *)integrator;
    const st_status status = st_integrator_prepare(integrator, &self->work, 1, DERIVS, x, v);
    if (status != ST_OK) return status;

    st_plan *plan = integrator->plan;
    const st_deriv_id *k = self->work.deriv;
    const st_real half = dt / 2, third = dt / 3, sixth = dt / 6;

    const st_mass *full = st_integrator_full_mass(plan);
    if (full || plan->mapped_mass) return st_integrator_no_inverse(integrator, full);

    // 1. k1 to k4
    st_plan_separate_gravity(plan, ST_VELOCITY, dt);
    runge_kutta4_accelerate(plan, dt, ST_POSITION, ST_VELOCITY, k[K1A]);
    stage(self, dt, half, ST_VELOCITY, k[K1A], k[K2V], k[K2A]);
    stage(self, dt, half, k[K2V], k[K2A], k[K3V], k[K3A]);
    stage(self, dt, dt, k[K3V], k[K3A], k[K4V], k[K4A]);

    // 2. x' first: k1v is the velocity itself
    st_plan_move(plan, x, st_read_coord(ST_POSITION), st_read_deriv(ST_VELOCITY), sixth);
    st_plan_move(plan, x, st_read_coord(x), st_read_deriv(k[K2V]), third);
    st_plan_move(plan, x, st_read_coord(x), st_read_deriv(k[K3V]), third);
    st_plan_move(plan, x, st_read_coord(x), st_read_deriv(k[K4V]), sixth);

    st_plan_combine(plan, v, st_read_deriv(ST_VELOCITY), st_read_deriv(k[K1A]), sixth);
    st_plan_add(plan, v, st_read_deriv(k[K2A]), third);
    st_plan_add(plan, v, st_read_deriv(k[K3A]), third);
    st_plan_add(plan, v, st_read_deriv(k[K4A]), sixth);
    return st_integrator_constrain_result(integrator, dt, x, v);
}

static const st_integrator_ops ops = {runge_kutta4_solve, st_factor_half_dt, st_factor_zero};

const st_class st_runge_kutta4_solver_class = {
    .name = "RungeKutta4Solver",
    .help = "explicit Runge-Kutta integration of order 4; needs diagonal masses",
    .parent = &st_integrator_class,
    .size = sizeof(runge_kutta4),
    .integrator = &ops,
};
