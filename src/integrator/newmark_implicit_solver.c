// Newmark's method, linearized once per step. The unknown is the acceleration a' at t + h:
//
//     x' = x + h v + h² ((1/2 - β) a + β a'),   v' = v + h ((1 - γ) a + γ a')
//     ((1 + hγ rM) M - hγ B - (h²β + hγ rK) K) a' = f + [-h(1-γ) rM M + h(1-γ) B + (h(1-γ) rK + h²(1-2β)/2) K] a
//                                                     + [-rM M + B + (rK + h) K] v
//
// The first acceleration is M⁻¹ f. γ = 1/2, β = 1/4 (default) is the trapezoidal rule, of order 2 and without damping.
// A step
//
//  1. computes the first acceleration, if there is none yet,
//  2. computes the forces and the right-hand side, projected,
//  3. builds the matrix and solves for a',
//  4. updates positions and velocities, and lets the constraints correct them,
//  5. adds separate gravity, damps the velocity and keeps a' as the a of the next step.
//
// SPDX-License-Identifier: Apache-2.0
#include "integrator/integrator.h"
#include "math/real.h"

typedef struct newmark {
    st_integrator base;
    st_real rayleigh_stiffness;
    st_real rayleigh_mass;
    st_real velocity_damping;
    st_real gamma;
    st_real beta;
    bool thread_safe;
    st_work work;
} newmark;

enum { ACCELERATION, NEXT, RHS, DERIVS };

static const st_field fields[] = {
    ST_FIELD(newmark, rayleigh_stiffness, "rayleighStiffness", st_type_real, "0", "Rayleigh damping by stiffness"),
    ST_FIELD(newmark, rayleigh_mass, "rayleighMass", st_type_real, "0", "Rayleigh damping by mass"),
    ST_FIELD(newmark, velocity_damping, "vdamping", st_type_real, "0", "velocities are scaled by exp(-h vdamping)"),
    ST_FIELD(newmark, gamma, "gamma", st_type_real, "0.5", "weight of the new acceleration in the velocity"),
    ST_FIELD(newmark, beta, "beta", st_type_real, "0.25", "weight of the new acceleration in the position"),
    ST_THREAD_SAFE_FIELD(newmark),
    ST_LINEAR_SOLVER_FIELD(newmark),
    ST_FIELDS_END,
};

static void newmark_implicit_reset(st_object *object) { st_work_reset(&((newmark *)object)->work); }

// Step 1: a = M⁻¹ f(x, v), or 0 where M is not diagonal.
static void first_acceleration(newmark *self, st_real h) {
    st_plan *plan = self->base.plan;
    const st_mass *which = st_integrator_full_mass(plan);
    if (!which) {
        st_plan_compute_acceleration(plan, h, ST_POSITION, ST_VELOCITY, self->work.deriv[ACCELERATION], &which);
        return;
    }

    st_plan_project_xv(plan, ST_POSITION, ST_VELOCITY);
    st_plan_propagate_xv(plan, ST_POSITION, ST_VELOCITY);

    st_message(&self->base.object, ST_WARNING,
               "the first acceleration M⁻¹ f is unknown, because %s is not diagonal: it is taken as 0",
               st_path(&which->force.object));
}

// Step 2: f + (...) a + (...) v.
static void right_hand_side(newmark *self, st_params params, st_real h) {
    st_plan *plan = self->base.plan;
    const st_deriv_id a = self->work.deriv[ACCELERATION], rhs = self->work.deriv[RHS];
    const st_real rM = self->rayleigh_mass, rK = self->rayleigh_stiffness, old_share = h * (1 - self->gamma);

    // f
    params.f = rhs;
    st_plan_compute_force(self->base.plan, &params);
    params.f = ST_FORCE; // of the mapped states: what their geometric stiffness is made of
    params.df = rhs;

    // [-h(1-γ) rM M + h(1-γ) B + (h(1-γ) rK + h²(1-2β)/2) K] a
    if (rM != 0 || rK != 0 || self->beta != ST_R(0.5)) {
        st_plan_propagate_dx(plan, a);
        params.dx = st_read_deriv(a);
        params.m = -old_share * rM;
        params.b = old_share;
        params.k = old_share * rK + h * h * (1 - 2 * self->beta) / 2;
        st_plan_add_mbk(plan, &params, true);
    }

    // [-rM M + B + (rK + h) K] v: mapped states take part with the velocity that they have
    params.dx = st_read_deriv(ST_VELOCITY);
    params.m = -rM;
    params.b = 1;
    params.k = rK + h;
    st_plan_add_mbk(plan, &params, true);

    st_plan_project_response(plan, rhs);
}

// Step 3: (1 + hγ rM) M - hγ B - (h²β + hγ rK) K.
static st_params matrix_factors(const newmark *self, st_params params, st_real h) {
    const st_real new_share = h * self->gamma;

    params.m = 1 + new_share * self->rayleigh_mass;
    params.b = -new_share;
    params.k = -(h * h * self->beta + new_share * self->rayleigh_stiffness);
    return params;
}

// Step 4. The position first: it needs the old velocity.
static void newmark_implicit_update(newmark *self, st_real h, st_coord_id x, st_deriv_id v) {
    st_plan *plan = self->base.plan;
    const st_const_deriv_id a = st_read_deriv(self->work.deriv[ACCELERATION]),
                            next = st_read_deriv(self->work.deriv[NEXT]);
    const st_real beta = self->beta, gamma = self->gamma;

    // x' = x + h v + h² ((1/2 - β) a + β a')
    st_plan_move(plan, x, st_read_coord(ST_POSITION), st_read_deriv(ST_VELOCITY), h);
    st_plan_move(plan, x, st_read_coord(x), a, h * h * (ST_R(0.5) - beta));
    st_plan_move(plan, x, st_read_coord(x), next, h * h * beta);

    // v' = v + h ((1 - γ) a + γ a')
    st_plan_combine(plan, v, st_read_deriv(ST_VELOCITY), a, h * (1 - gamma));
    st_plan_add(plan, v, next, h * gamma);
}

static st_status newmark_implicit_solve(st_integrator *integrator, st_real h, st_coord_id x, st_deriv_id v) {
    newmark *self = (newmark *)integrator;
    st_status status = st_integrator_prepare(integrator, &self->work, 0, DERIVS, x, v);
    if (status != ST_OK) return status;

    st_plan *plan = integrator->plan;
    const st_deriv_id next = self->work.deriv[NEXT];
    const st_params params = st_integrator_params(h, true);

    // 1. the first a
    if (self->work.fresh) first_acceleration(self, h);

    // 2. b
    right_hand_side(self, params, h);

    // 3. A a' = b
    st_plan_clear(plan, next);
    const st_params matrix = matrix_factors(self, params, h);
    status = st_integrator_solve_system(integrator, &matrix, next, self->work.deriv[RHS]);
    if (status != ST_OK) return status;

    // 4. x' and v'
    newmark_implicit_update(self, h, x, v);
    if ((status = st_integrator_constrain_result(integrator, h, x, v)) != ST_OK) return status;

    // 5. gravity, damping, and a' for the next step
    st_plan_separate_gravity(plan, v, h);
    st_integrator_damp(integrator, v, self->velocity_damping, h);
    st_plan_copy(plan, self->work.deriv[ACCELERATION], st_read_deriv(next));
    return ST_OK;
}

static const st_integrator_ops ops = {newmark_implicit_solve, st_factor_one, st_factor_dt};

const st_class st_newmark_implicit_solver_class = {
    .name = "NewmarkImplicitSolver",
    .help = "Newmark's implicit integration, linearized once per step",
    .parent = &st_integrator_class,
    .fields = fields,
    .size = sizeof(newmark),
    .init = st_integrator_init_implicit,
    .reset = newmark_implicit_reset,
    .integrator = &ops,
};
