// The base of every integrator. It moves the states of its node and below from t to t + dt.
//
// SPDX-License-Identifier: Apache-2.0
#include "integrator/integrator.h"

#include "math/real.h"
#include "scene/scene.h"
#include "state/jacobian.h"

// --- linear solver -----------------------------------------------------------------------------------

// The search goes down: the node's own components first, then its children, depth first. The node's tags restrict it.
st_linear_solver *st_integrator_find_solver(const st_node *node, const st_strings *tags) {
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (st_has_role(object, ST_ROLE(linear_solver)) && st_tags_include(&object->tags, tags))
            return (st_linear_solver *)object;
    }

    for (size_t i = 0; i < node->children.count; i++) {
        st_linear_solver *found = st_integrator_find_solver(node->children.data[i], tags);
        if (found) return found;
    }
    return NULL;
}

st_status st_integrator_init_implicit(st_object *object) {
    st_integrator *integrator = (st_integrator *)object;
    if (!integrator->solver) integrator->solver = st_integrator_find_solver(object->node, &object->node->object.tags);
    if (!integrator->solver)
        return st_invalid(object, "needs a linear solver: put one into the same node, such as <SparseLDLSolver/> or "
                                  "<CGLinearSolver/>, or name one with linearSolver=\"@path\"");
    return ST_OK;
}

// --- work vectors ------------------------------------------------------------------------------------

static bool make_ids(st_plan *plan, st_work *work, int coords, int derivs) {
    if (work->plan == plan) return false;
    for (int i = 0; i < coords; i++) work->coord[i] = st_plan_new_coord(plan);
    for (int i = 0; i < derivs; i++) work->deriv[i] = st_plan_new_deriv(plan);
    work->plan = plan;
    return true;
}

// Mapped states have the further derivatives, too: a product's df must not be the force there, from which the geometric
// stiffness comes.
static bool make_vectors(st_plan *plan, const st_work *work, int coords, int derivs, st_coord_id x, st_deriv_id v) {
    bool made = st_plan_make_coord(plan, x, false) && st_plan_make_deriv(plan, v, false) &&
                st_plan_make_deriv(plan, ST_FORCE, true) && st_plan_make_deriv(plan, ST_DX, true) &&
                st_plan_make_deriv(plan, ST_DFORCE, true);
    for (int i = 0; made && i < coords; i++) made = st_plan_make_coord(plan, work->coord[i], false);
    for (int i = 0; made && i < derivs; i++) made = st_plan_make_deriv(plan, work->deriv[i], true);
    return made;
}

st_status st_integrator_prepare(st_integrator *integrator, st_work *work, int coords, int derivs, st_coord_id x,
                                st_deriv_id v) {
    st_plan *plan = st_plan_of(integrator->object.node);
    integrator->plan = plan;
    if (!plan) return ST_OUT_OF_MEMORY;

    work->fresh = make_ids(plan, work, coords, derivs) || work->stale;
    if (!make_vectors(plan, work, coords, derivs, x, v)) {
        st_message(&integrator->object, ST_ERROR, "out of memory: %d vectors of %zu scalars", coords + derivs,
                   plan->size);
        return ST_OUT_OF_MEMORY;
    }

    if (work->fresh)
        for (int i = 0; i < derivs; i++) st_plan_clear(plan, work->deriv[i]);
    work->stale = false;
    return ST_OK;
}

st_params st_integrator_params(st_real dt, bool implicit) {
    st_params params = st_default_params();
    params.dt = dt;
    params.implicit = implicit;
    return params;
}

// --- systems and masses ------------------------------------------------------------------------------

static st_status no_system(st_integrator *integrator) {
    st_message(&integrator->object, ST_ERROR, "the linear solver %s has no linear system: nothing is integrated",
               st_path(&integrator->solver->object));
    integrator->object.validity = ST_BROKEN;
    return ST_FAILED;
}

// The link can be emptied while the scene runs, and be written again.
static st_status no_solver(const st_integrator *integrator) {
    st_message(&integrator->object, ST_ERROR, "linearSolver leads to no linear solver: nothing is integrated");
    return ST_INVALID;
}

st_status st_integrator_solve_system(st_integrator *integrator, const st_params *params, st_deriv_id solution,
                                     st_deriv_id rhs) {
    st_linear_solver *solver = integrator->solver;

    if (!solver) return no_solver(integrator);
    st_system *system = solver->system;
    if (!system || !system->object.type->system->build) return no_system(integrator);

    st_status status = system->object.type->system->build(system, params);
    if (status != ST_OK) return status;

    // Building empties the right-hand side and the solution: they are handed over afterwards.
    if ((status = st_system_set_solution(system, st_read_deriv(solution))) != ST_OK) return status;
    if ((status = st_system_set_rhs(system, st_read_deriv(rhs))) != ST_OK) return status;
    status = st_linear_solve(solver);
    if (status == ST_OK) st_system_get_solution(system, solution);
    return status;
}

// Its own node only: other integrators' constraints are not its business.
st_status st_integrator_constrain(st_integrator *integrator, st_constraint_order order, st_real dt, st_coord_id x,
                                  st_deriv_id v) {
    st_node *node = integrator->object.node;
    const st_constraint_params params = {
        .order = order, .dt = dt, .x = st_read_coord(x), .v = st_read_deriv(v), .x_result = x, .v_result = v};
    st_status status = ST_OK;

    for (size_t i = 0; status == ST_OK && i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (!st_has_role(object, ST_ROLE(constraint_solver)) || !st_is_valid(object)) continue;

        // the constraints are measured on mapped states, too
        if (order == ST_ORDER_VELOCITY) st_plan_propagate_v(integrator->plan, v);
        else st_plan_propagate_x(integrator->plan, x);
        status = st_solve_constraints((st_constraint_solver *)object, node, &params);
    }
    return status;
}

// r += factor Hᵀ f on one state.
static void add_reaction(const st_state *s, const st_real *f, st_real factor, st_deriv_id r) {
    const size_t width = st_state_dof(s)->deriv;
    st_real *to = st_force_of(s, r);

    for (size_t e = 0; e < s->constraint.entries.count; e++) {
        st_real *entry = st_jacobian_entry(&s->constraint, width, e);
        const st_real force = factor * f[st_entry_row(entry)];

        for (size_t k = 0; k < width; k++) to[st_entry_dof(entry) * width + k] += st_entry_values(entry)[k] * force;
    }
}

void st_integrator_add_reaction(const st_integrator *integrator, st_deriv_id r) {
    const st_node *node = integrator->object.node;
    const st_constraint_params params = {.order = ST_ORDER_POSITION, .dt = node->dt};

    for (size_t i = 0; i < node->objects.count; i++) {
        if (!st_has_role(node->objects.data[i], ST_ROLE(constraint_solver)) || !st_is_valid(node->objects.data[i]))
            continue;

        const st_constraint_solver *solver = (const st_constraint_solver *)node->objects.data[i];
        const st_real *f = st_constraint_solver_view(solver).force;

        // φ is the correction's: how far a unit of force moves positions
        for (size_t k = 0; k < solver->corrections.count; k++) {
            const st_correction *correction = (const st_correction *)solver->corrections.data[k];
            const st_node *at = correction->object.node;
            if (!st_is_valid(&correction->object) || !at->activated || at->sleeping) continue;

            st_real factor = 0, velocity = 0;
            correction->object.type->correction->factors(correction, &params, &factor, &velocity);

            for (size_t s = 0; s < correction->states.count; s++)
                if (st_plan_find(integrator->plan, correction->states.data[s]) != SIZE_MAX)
                    add_reaction(correction->states.data[s], f, factor, r);
        }
    }
}

// Positions first: where they meet the constraints, velocities have only to stay along them.
st_status st_integrator_constrain_result(st_integrator *integrator, st_real dt, st_coord_id x, st_deriv_id v) {
    if (x.index != ST_COORD_POSITION) return ST_OK;
    const bool moves = integrator->object.type->integrator->position_factor(integrator, dt) != 0;
    const st_status status = moves ? st_integrator_constrain(integrator, ST_ORDER_POSITION, dt, x, v) : ST_OK;
    return status == ST_OK ? st_integrator_constrain(integrator, ST_ORDER_VELOCITY, dt, x, v) : status;
}

const st_mass *st_integrator_full_mass(const st_plan *plan) {
    for (size_t i = 0; i < plan->masses.count; i++) {
        const st_mass *mass = plan->masses.data[i];
        const st_mass_ops *ops = mass->force.object.type->mass;
        if (!ops->acceleration || !ops->is_diagonal || !ops->is_diagonal(mass)) return mass;
    }
    return NULL;
}

st_status st_integrator_no_inverse(st_integrator *integrator, const st_mass *mass) {
    st_message(&integrator->object, ST_ERROR,
               "needs a = M⁻¹ f, which %s cannot give: use a diagonal mass on an independent state (UniformMass, "
               "DiagonalMass, "
               "MeshMatrixMass lumping=\"1\"), or EulerExplicitSolver or an implicit integrator with a linear solver",
               mass ? st_path(&mass->force.object) : "a mass on a mapped state");
    integrator->object.validity = ST_BROKEN;
    return ST_OK;
}

// The sums are taken by the operations of the plan.
void st_scene_set_dot(st_scene *scene, st_dot_function *function, void *user) {
    scene->dot = function;
    scene->dot_user = user;
}

void st_integrator_damp(st_integrator *integrator, st_deriv_id v, st_real rate, st_real dt) {
    if (rate != 0) st_plan_scale(integrator->plan, v, exp(-rate * dt));
}

// --- factors: the effect of a linear system's solution on velocities and positions -------------------------

st_real st_factor_zero(const st_integrator *integrator, st_real dt) {
    (void)integrator, (void)dt;
    return 0;
}

st_real st_factor_one(const st_integrator *integrator, st_real dt) {
    (void)integrator, (void)dt;
    return 1;
}

st_real st_factor_dt(const st_integrator *integrator, st_real dt) {
    (void)integrator;
    return dt;
}

st_real st_factor_half_dt(const st_integrator *integrator, st_real dt) {
    (void)integrator;
    return dt / 2;
}

st_real st_factor_dt_squared(const st_integrator *integrator, st_real dt) {
    (void)integrator;
    return dt * dt;
}

const st_class st_integrator_class = {
    .name = "Integrator",
    .help = "base of the components that move states in time",
    .parent = &st_object_class,
    .size = sizeof(st_integrator),
    .flags = ST_CLASS_ABSTRACT,
};
