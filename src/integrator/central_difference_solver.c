// Central differences (leapfrog): velocities are those of half a step before the positions. With r = rayleighMass, a
// step
//
//  1. computes the acceleration a = M⁻¹ f(x, v), projected,
//  2. moves the velocity to the middle of the step:
//
//         r = 0:  v' = v + h a
//         r ≠ 0:  v' = ((1/h - r/2) v + a) / (1/h + r/2)
//
//  3. moves the positions with it, x' = x ⊕ h v', and solves the constraints.
//
// SPDX-License-Identifier: Apache-2.0
#include "integrator/integrator.h"

typedef struct central_difference {
    st_integrator base;
    st_real rayleigh_mass;
    bool thread_safe;
    st_work work;
} central_difference;

static const st_field fields[] = {
    ST_FIELD(central_difference, rayleigh_mass, "rayleighMass", st_type_real, "0", "Rayleigh damping by mass"),
    ST_THREAD_SAFE_FIELD(central_difference),
    ST_FIELDS_END,
};

static void update_velocity(st_plan *plan, st_deriv_id v, st_real dt, st_real r) {
    if (r == 0) {
        st_plan_combine(plan, v, st_read_deriv(ST_VELOCITY), st_read_deriv(ST_DX), dt);
        return;
    }

    const st_real rate = 1 / dt, half = r / 2;
    st_plan_combine(plan, v, st_read_deriv(ST_VELOCITY), st_read_deriv(ST_VELOCITY),
                    -1 + (rate - half) / (rate + half));
    st_plan_add(plan, v, st_read_deriv(ST_DX), 1 / (rate + half));
}

static st_status central_difference_solve(st_integrator *integrator, st_real dt, st_coord_id x, st_deriv_id v) {
    central_difference *self = (central_difference *)integrator;
    const st_status status = st_integrator_prepare(integrator, &self->work, 0, 0, x, v);
    if (status != ST_OK) return status;

    st_plan *plan = integrator->plan;
    const st_params params = st_integrator_params(dt, false);
    const st_mass *which = st_integrator_full_mass(plan);
    if (which) return st_integrator_no_inverse(integrator, which);

    // 1. a = M⁻¹ f, projected
    st_plan_separate_gravity(plan, ST_VELOCITY, dt);
    st_plan_compute_force(integrator->plan, &params);
    st_plan_acceleration(plan, ST_DX, st_read_deriv(ST_FORCE), &which);
    st_plan_project_response(plan, ST_DX);

    // 2. v'
    update_velocity(plan, v, dt, self->rayleigh_mass);

    // 3. x' = x ⊕ h v'
    st_plan_move(plan, x, st_read_coord(ST_POSITION), st_read_deriv(v), dt);
    return st_integrator_constrain_result(integrator, dt, x, v);
}

static const st_integrator_ops ops = {central_difference_solve, st_factor_dt, st_factor_dt_squared};

const st_class st_central_difference_solver_class = {
    .name = "CentralDifferenceSolver",
    .help = "explicit integration by central differences (leapfrog); needs diagonal masses",
    .parent = &st_integrator_class,
    .fields = fields,
    .size = sizeof(central_difference),
    .integrator = &ops,
};
