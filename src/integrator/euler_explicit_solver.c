// Explicit Euler. A step
//
//  1. solves M a = f(x, v) for the acceleration a,
//  2. moves velocity and position:
//
//         symplectic (default):  v' = v + h a,  x' = x ⊕ h v'
//         otherwise:             x' = x ⊕ h v,  v' = v + h a
//
//  3. and solves the constraints.
//
// With diagonal masses on independent states only, a = M⁻¹ f directly. Otherwise a linear solver solves M a = f, the
// masses of mapped states included as Jᵀ M J.
//
// SPDX-License-Identifier: Apache-2.0
#include "integrator/integrator.h"

typedef struct euler_explicit {
    st_integrator base;
    bool symplectic;
    bool thread_safe;
    st_work work;
} euler_explicit;

static const st_field fields[] = {
    ST_FIELD(euler_explicit, symplectic, "symplectic", st_type_bool, "true", "move positions with the new velocity"),
    ST_THREAD_SAFE_FIELD(euler_explicit),
    ST_FIELD(euler_explicit, base.solver, "linearSolver", st_type_link, NULL,
             "linear solver for masses that are not diagonal; else the nearest one upwards",
             .role = ST_ROLE(linear_solver)),
    ST_FIELDS_END,
};

static st_status euler_explicit_init(st_object *object) {
    st_integrator *integrator = (st_integrator *)object;
    if (!integrator->solver)
        integrator->solver = (st_linear_solver *)st_find(object->node, ST_ROLE(linear_solver), ST_UP);
    return ST_OK;
}

// The acceleration goes to dx, whose old content is the first guess and stays where there is no mass.
static st_status euler_explicit_accelerate(st_integrator *integrator, const st_params *params) {
    st_plan *plan = integrator->plan;

    // diagonal masses of independent states: a = P M⁻¹ f
    if (!plan->mapped_mass && !st_integrator_full_mass(plan)) {
        const st_mass *which = NULL;
        st_plan_acceleration(plan, ST_DX, st_read_deriv(ST_FORCE), &which);
        st_plan_graph_project_response(plan, ST_DX);
        return ST_OK;
    }

    // else M a = P f by a linear solver
    st_plan_graph_project_response(plan, ST_FORCE);
    if (!integrator->solver) {
        st_message(&integrator->object, ST_ERROR,
                   "the mass is not diagonal or belongs to a mapped state: a linear solver is needed, such as "
                   "<SparseLDLSolver/>");
        integrator->object.validity = ST_BROKEN;
        return ST_OK;
    }

    st_params system = *params;
    system.m = 1;
    return st_integrator_solve_system(integrator, &system, ST_DX, ST_FORCE);
}

static st_status euler_explicit_solve(st_integrator *integrator, st_real dt, st_coord_id x, st_deriv_id v) {
    euler_explicit *self = (euler_explicit *)integrator;
    st_status status = st_integrator_prepare(integrator, &self->work, 0, 0, x, v);
    if (status != ST_OK) return status;

    st_plan *plan = integrator->plan;
    const st_params params = st_integrator_params(dt, false);

    // 1. M a = f
    st_plan_separate_gravity(plan, v, dt);
    st_plan_graph_compute_force(integrator->plan, &params);
    status = euler_explicit_accelerate(integrator, &params);
    if (status != ST_OK || !st_is_valid(&integrator->object)) return status;

    // 2. v' = v + h a; the position moves first where it goes with the old velocity
    if (!self->symplectic) st_plan_move(plan, x, st_read_coord(ST_POSITION), st_read_deriv(ST_VELOCITY), dt);
    st_plan_combine(plan, v, st_read_deriv(ST_VELOCITY), st_read_deriv(ST_DX), dt);
    if (self->symplectic) st_plan_move(plan, x, st_read_coord(ST_POSITION), st_read_deriv(v), dt);

    // 3. the constraints
    return st_integrator_constrain_result(integrator, dt, x, v);
}

static st_real euler_explicit_position_factor(const st_integrator *integrator, st_real dt) {
    return ((const euler_explicit *)integrator)->symplectic ? dt * dt : 0;
}

static const st_integrator_ops ops = {euler_explicit_solve, st_factor_dt, euler_explicit_position_factor};

const st_class st_euler_explicit_solver_class = {
    .name = "EulerExplicitSolver",
    .help = "explicit Euler integration, symplectic by default: v' = v + h a, x' = x + h v'",
    .parent = &st_integrator_class,
    .fields = fields,
    .size = sizeof(euler_explicit),
    .init = euler_explicit_init,
    .integrator = &ops,
};
