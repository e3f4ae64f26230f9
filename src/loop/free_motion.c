// Pieces of a step with Lagrangian constraints.
//
// SPDX-License-Identifier: Apache-2.0
#include "loop/free_motion.h"

#include "base/array.h"

static bool make_free(st_state *s) {
    const st_dof *dof = st_state_dof(s);
    const bool has_x = s->coord[ST_COORD_FREE].count == s->size, has_v = s->deriv[ST_DERIV_FREE].count == s->size;
    if (!st_state_make_coord(s, ST_FREE_POSITION) || !st_state_make_deriv(s, ST_FREE_VELOCITY) ||
        !st_state_make_deriv(s, ST_DX) || !st_state_make_deriv(s, ST_DFORCE))
        return false;

    // a new vector starts with the present motion; an old one keeps the free motion of the last step
    if (!has_x) st_copy_reals(s->coord[ST_COORD_FREE].data, s->coord[ST_COORD_POSITION].data, s->size * dof->coord);
    if (!has_v) st_copy_reals(s->deriv[ST_DERIV_FREE].data, s->deriv[ST_DERIV_VELOCITY].data, s->size * dof->deriv);
    return true;
}

st_status st_free_motion_prepare(st_animation *a) {
    const st_plan *plan = st_plan_of(st_step_node(a));
    bool ok = plan != NULL;
    for (size_t i = 0; ok && i < plan->graph_states.count; i++) ok = make_free(plan->graph_states.data[i]);

    if (ok) return ST_OK;
    st_message(&a->loop.object, ST_ERROR, "out of memory: vectors of the free motion");
    return ST_OUT_OF_MEMORY;
}

st_status st_free_motion_collide(st_animation *a, st_real dt) {
    const st_status status = st_step_collide(a, dt, NULL);
    return status == ST_OK ? st_free_motion_prepare(a) : status;
}

st_constraint_solver *st_free_motion_find_solver(st_animation *a, st_constraint_solver *linked) {
    if (linked) return linked;

    st_node *node = a->loop.object.node;
    st_object *found = st_find(node, ST_ROLE(constraint_solver), ST_DOWN);
    if (found) return (st_constraint_solver *)found;

    st_message(&a->loop.object, ST_WARNING,
               "there is no constraint solver: a BlockGaussSeidelConstraintSolver is added with its defaults");
    return (st_constraint_solver *)st_add_object(node, "BlockGaussSeidelConstraintSolver", NULL, NULL, false);
}

void st_free_motion_extrapolate(st_animation *a, st_coord_id to, st_const_deriv_id v, st_real dt) {
    const st_plan *plan = st_plan_of(st_step_node(a));
    for (size_t i = 0; plan && i < plan->graph_states.count; i++)
        st_state_move(plan->graph_states.data[i], to, st_read_coord(ST_POSITION), v, dt);
}

static void free_motion_notify(void *user, enum st_event_kind event) { st_step_event(user, event, 0); }

st_status st_free_motion_constrain(st_animation *a, st_constraint_solver *solver, st_constraint_order order,
                                   st_real dt) {
    const st_constraint_params params = {
        .order = order,
        .dt = dt,
        .x = st_read_coord(ST_FREE_POSITION),
        .v = st_read_deriv(ST_FREE_VELOCITY),
        .x_result = ST_POSITION,
        .v_result = ST_VELOCITY,
        .notify = free_motion_notify,
        .user = a,
    };

    if (solver && st_is_valid(&solver->object)) return st_solve_constraints(solver, st_step_node(a), &params);
    st_message(&a->loop.object, ST_ERROR, "there is no usable constraint solver");
    return ST_INVALID;
}

st_status st_free_motion_finish(st_animation *a, st_status status, st_real dt) {
    status = st_step_check(a, status, dt);
    if (status != ST_OK) return status;

    // mapped states follow at the end, with the constrained motion of the others
    st_step_end_integration(a);
    if ((status = st_step_settle(a)) != ST_OK) return status;
    st_step_set_time(a, st_step_node(a)->time + dt);
    st_step_end(a, dt);
    return ST_OK;
}
