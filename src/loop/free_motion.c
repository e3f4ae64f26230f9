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
    if (!has_x)
        st_copy_reals(s->coord[ST_COORD_FREE].data, s->coord[ST_COORD_POSITION].data, s->size * (size_t)dof->coord);
    if (!has_v)
        st_copy_reals(s->deriv[ST_DERIV_FREE].data, s->deriv[ST_DERIV_VELOCITY].data, s->size * (size_t)dof->deriv);
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
