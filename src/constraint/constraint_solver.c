// The base of constraint solvers, and what one solution of the constraints is made of:
//
//     rows, violations, blocks (problem.c) → W or what the solver wants → f → λ = Hᵀ f → corrections move the states
//
// Corrections are applied without constraints, too: they are what moves the states of a loop with constraints.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/problem.h"

#include "plan/total_force.h"
#include "state/sink.h"

// ---------------------------------------------------------------------------------------------------
// Corrections
// ---------------------------------------------------------------------------------------------------

// The state may be outside of what is stepped, above the correction's node or by a link.
static bool can_move(const st_object *object, const st_constraint_params *params) {
    const st_correction *correction = (const st_correction *)object;
    for (size_t i = 0; i < correction->states.count; i++)
        if (!st_problem_has_vectors(correction->states.data[i], params)) return false;
    return true;
}

static bool knows(const st_correction *correction, const st_object *solver) {
    for (size_t i = 0; i < correction->solvers.count; i++)
        if (correction->solvers.data[i] == solver) return true;
    return false;
}

// Those of the problem that can move their states now.
static bool find_corrections(st_constraint_solver *solver, st_node *node, const st_constraint_params *params) {
    const st_constraint_problem *p = solver->problem;
    if (!st_problem_find_members(solver, node)) return false;
    solver->corrections.count = 0;

    for (size_t i = 0; i < p->corrections.count; i++) {
        st_correction *correction = (st_correction *)p->corrections.data[i];
        if (!can_move(&correction->object, params)) continue;
        if (!st_list_push(&solver->corrections, &correction->object)) return false;

        // a correction can serve several solvers
        correction->solver = solver;
        if (!knows(correction, &solver->object) && !st_list_push(&correction->solvers, &solver->object)) return false;
    }
    return true;
}

static st_status prepare_corrections(const st_constraint_solver *solver, const st_constraint_params *params) {
    st_status status = ST_OK;
    solver->problem->leaders.count = 0;

    for (size_t i = 0; status == ST_OK && i < solver->corrections.count; i++) {
        st_correction *correction = (st_correction *)solver->corrections.data[i];
        const st_correction_ops *ops = correction->object.type->correction;
        if (st_correction_is_active(&correction->object) && ops->prepare) status = ops->prepare(correction, params);
    }
    return status;
}

// --- motion

static void move_state(st_state *s, const st_constraint_params *p, st_real xf, st_real vf) {
    const size_t n = st_state_scalars(s);
    st_real *d = st_dx_of(s, p->dx);

    // x = x_free + xf Δ
    if (p->order != ST_ORDER_VELOCITY) st_state_move(s, p->x_result, p->x, st_read_deriv(p->dx), xf);

    // v = v_free + vf Δ
    if (p->order != ST_ORDER_POSITION) {
        st_real *v = st_velocity_of(s, p->v_result);
        const st_real *from = st_deriv_list(s, p->v.index, ST_DERIV_VELOCITY)->data;
        for (size_t i = 0; i < n; i++) v[i] = from[i] + d[i] * vf;
    }

    // dx is what it moved by
    const st_real out = p->order == ST_ORDER_VELOCITY ? vf : xf;
    for (size_t i = 0; i < n; i++) d[i] *= out;
}

void st_correction_apply(const st_correction *correction, const st_constraint_params *params) {
    st_real xf = 0, vf = 0;
    correction->object.type->correction->factors(correction, params, &xf, &vf);

    for (size_t i = 0; i < correction->states.count; i++)
        if (correction->states.data[i]->size) move_state(correction->states.data[i], params, xf, vf);
}

static st_status constraint_move(st_constraint_solver *solver, const st_plan *plan,
                                 const st_constraint_params *params) {
    const st_constraint_solver_ops *own = solver->object.type->constraint_solver;

    // λ = Hᵀ f, then Δ = A⁻¹ λ: by the solver, if it knows it already, else by each correction
    st_problem_scatter(solver->problem, plan, params->lambda);
    st_status status = own->motion ? own->motion(solver, params) : ST_OK;

    for (size_t i = 0; status == ST_OK && i < solver->corrections.count; i++) {
        st_correction *correction = (st_correction *)solver->corrections.data[i];
        if (!st_correction_is_active(&correction->object)) continue;
        if (!own->motion) status = correction->object.type->correction->motion(correction, params);
        if (status == ST_OK) st_correction_apply(correction, params);
    }

    solver->problem->solved = status == ST_OK; // a step that failed is undone: its λ is nobody's force
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Solving
// ---------------------------------------------------------------------------------------------------

static void constraint_store(const st_constraint_problem *p) {
    st_blocks_store(p);

    // the rows of a law are consecutive
    for (size_t row = 0; row < p->size;) {
        st_law *law = p->row_laws.data[row];
        if (law->object.type->law->store) law->object.type->law->store(law, p->force.data + row);
        while (row < p->size && p->row_laws.data[row] == law) row++;
    }
}

static void constraint_notify(const st_constraint_params *params, enum st_event_kind event) {
    if (params->notify) params->notify(params->user, event);
}

static st_status constraint_solve(st_constraint_solver *solver, const st_constraint_params *params) {
    const st_constraint_solver_ops *ops = solver->object.type->constraint_solver;
    st_scene *scene = solver->object.scene;

    // W has a number for each pair of rows
    const double rows = (double)solver->problem->size;
    st_profile_begin(scene, "compliance");
    st_profile_enter(&solver->object);
    st_status status = solver->problem->size ? ops->build(solver, params) : ST_OK;
    st_profile_leave(&solver->object, rows * rows * sizeof(st_real));
    st_profile_end(scene, rows * rows * sizeof(st_real));
    constraint_notify(params, ST_EVENT_BUILD_CONSTRAINTS_END);

    st_profile_begin(scene, "constraints");
    st_profile_enter(&solver->object);
    if (status == ST_OK && solver->problem->size) status = ops->solve(solver, params);
    st_profile_leave(&solver->object, rows * rows * sizeof(st_real));
    st_profile_end(scene, rows * rows * sizeof(st_real));

    if (status == ST_OK && solver->problem->size) constraint_store(solver->problem);
    constraint_notify(params, ST_EVENT_SOLVE_CONSTRAINTS_END);
    return status;
}

st_status st_solve_constraints(st_constraint_solver *solver, st_node *node, const st_constraint_params *params) {
    st_constraint_params full = *params;
    st_plan *plan = st_plan_of(node);
    if (!plan || !st_problem_make_vectors(solver->problem, plan)) return ST_OUT_OF_MEMORY;

    full.lambda = solver->problem->lambda;
    full.dx = solver->problem->dx;

    // who moves the states; H, d_free and the blocks
    if (!find_corrections(solver, node, &full)) return ST_OUT_OF_MEMORY;
    st_status status = prepare_corrections(solver, &full);
    if (status == ST_OK) status = st_problem_build(solver, node, &full);
    if (status != ST_OK) return status;

    // f, and the motion that it causes; without rows Δ is 0
    solver->problem->params = full;
    status = constraint_solve(solver, &full);
    return status == ST_OK ? constraint_move(solver, plan, &full) : status;
}

st_status st_begin_constraint_step(st_constraint_solver *solver, st_node *node, st_real dt) {
    st_constraint_problem *p = solver->problem;
    const bool any = p->has_ids && p->solved && p->size > 0 && dt > 0;
    st_plan *plan = st_plan_of(node);
    if (plan) st_problem_take_ids(p, plan);
    if (!plan || !st_set_constraint_force(node, any ? p->lambda : (st_deriv_id){0})) return ST_OUT_OF_MEMORY;

    // impulses of the last step as forces: λ / dt
    for (size_t i = 0; any && i < plan->graph_states.count; i++) {
        const st_state *s = plan->graph_states.data[i];
        if (!st_state_make_deriv(plan->graph_states.data[i], p->lambda)) return ST_OUT_OF_MEMORY;
        st_real *lambda = st_force_of(s, p->lambda);
        for (size_t k = 0; k < st_state_scalars(s); k++) lambda[k] *= 1 / dt;
    }

    p->solved = false; // what they hold now are forces; the next solution makes them impulses again
    return ST_OK;
}

static void constraint_reset(st_object *object) { ((st_constraint_solver *)object)->problem->solved = false; }

st_constraint_view st_constraint_solver_view(const st_constraint_solver *solver) {
    const st_constraint_problem *p = solver->problem;
    if (!p) return (st_constraint_view){0};
    return (st_constraint_view){
        .size = p->size, .w = p->assembled ? p->w.data : NULL, .free = p->free.data, .force = p->force.data};
}

const st_law *st_constraint_solver_law(const st_constraint_solver *solver, size_t row) {
    const st_constraint_problem *p = solver->problem;
    return p && row < p->row_laws.count ? p->row_laws.data[row] : NULL;
}

// ---------------------------------------------------------------------------------------------------

static st_status constraint_construct(st_object *object) {
    st_constraint_solver *solver = (st_constraint_solver *)object;
    solver->problem = st_problem_create();
    return solver->problem ? ST_OK : ST_OUT_OF_MEMORY;
}

static void constraint_destroy(st_object *object) { st_problem_free(((st_constraint_solver *)object)->problem); }

static const st_field fields[] = {
    ST_FIELD(st_constraint_solver, corrections, "constraintCorrections", st_type_links, NULL,
             "corrections at and below its node", .flags = ST_FIELD_OUTPUT, .role = ST_ROLE(correction)),
    ST_FIELDS_END,
};

const st_class st_constraint_solver_class = {
    .name = "ConstraintSolver",
    .help = "finds the multipliers of all constraints",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_constraint_solver),
    .flags = ST_CLASS_ABSTRACT,
    .construct = constraint_construct,
    .reset = constraint_reset,
    .destroy = constraint_destroy,
};
