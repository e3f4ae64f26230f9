// Vector operations over the states of a plan.
//
// They run over the independent states in traversal order. Order of operations per DOF is SOFA's: a + (b·k), with k = 1
// not multiplied. Dot products are summed state by state, in fixed chunks within a state.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "linalg/vector.h"
#include "plan/plan.h"
#include "scene/scene.h"

st_coord_id st_plan_new_coord(st_plan *plan) { return (st_coord_id){ST_COORD_DYNAMIC + plan->scene->coord_ids++}; }

st_deriv_id st_plan_new_deriv(st_plan *plan) { return (st_deriv_id){ST_DERIV_DYNAMIC + plan->scene->deriv_ids++}; }

bool st_plan_make_coord(st_plan *plan, st_coord_id id, bool mapped) {
    bool ok = true;
    for (size_t i = 0; ok && i < plan->states.count; i++)
        if (mapped || !plan->states.data[i]->mapped) ok = st_state_make_coord(plan->states.data[i], id);
    return ok;
}

// Standard vectors are made on every state that forces or mappings touch, further ones where vector operations go.
bool st_plan_make_deriv(st_plan *plan, st_deriv_id id, bool mapped) {
    bool ok = true;
    for (size_t i = 0; ok && i < plan->states.count; i++)
        if (mapped || !plan->states.data[i]->mapped) ok = st_state_make_deriv(plan->states.data[i], id);

    // The mapping graph goes below mappings with mapForces="0", too.
    for (size_t i = 0; mapped && ok && i < plan->graph_states.count; i++)
        if (plan->graph_states.data[i]->mapped) ok = st_state_make_deriv(plan->graph_states.data[i], id);

    if (id.index < ST_DERIV_DYNAMIC)
        for (size_t i = 0; ok && i < plan->outside.count; i++) ok = st_state_make_deriv(plan->outside.data[i], id);
    return ok;
}

// --- one state's part of a vector -----------------------------------------------------------------

static size_t deriv_count(const st_state *s) { return s->size * st_state_dof(s)->deriv; }
static st_real *deriv(const st_state *s, int index) { return st_deriv_list(s, index, ST_DERIV_DX)->data; }
static st_real *coord(const st_state *s, int index) { return st_coord_list(s, index, ST_COORD_POSITION)->data; }

#define FOR_EACH_STATE(plan, s)                                                                                        \
    for (size_t state_ = 0; state_ < (plan)->independent.count; state_++)                                              \
        for (st_state *s = (plan)->independent.data[state_]; s; s = NULL)

void st_plan_clear(st_plan *plan, st_deriv_id r) {
    FOR_EACH_STATE(plan, s) if (s->size) memset(deriv(s, r.index), 0, deriv_count(s) * sizeof(st_real));
}

void st_plan_copy(st_plan *plan, st_deriv_id r, st_const_deriv_id a) {
    FOR_EACH_STATE(plan, s) st_copy_reals(deriv(s, r.index), deriv(s, a.index), deriv_count(s));
}

void st_plan_scale(st_plan *plan, st_deriv_id r, st_real k) {
    FOR_EACH_STATE(plan, s) st_vector_scale(plan->scene->pool, deriv_count(s), k, deriv(s, r.index));
}

void st_plan_add(st_plan *plan, st_deriv_id r, st_const_deriv_id a, st_real k) {
    FOR_EACH_STATE(plan, s) st_vector_axpy(plan->scene->pool, deriv_count(s), k, deriv(s, a.index), deriv(s, r.index));
}

void st_plan_combine(st_plan *plan, st_deriv_id r, st_const_deriv_id a, st_const_deriv_id b, st_real k) {
    FOR_EACH_STATE(plan, s) {
        st_real *to = deriv(s, r.index);
        const st_real *first = deriv(s, a.index), *second = deriv(s, b.index);
        const size_t count = deriv_count(s);

        // k = 1 is not multiplied
        if (k == 1)
            for (size_t i = 0; i < count; i++) to[i] = first[i] + second[i];
        else
            for (size_t i = 0; i < count; i++) to[i] = first[i] + second[i] * k;
    }
}

void st_plan_copy_coord(st_plan *plan, st_coord_id r, st_const_coord_id a) {
    FOR_EACH_STATE(plan, s)
    st_copy_reals(coord(s, r.index), coord(s, a.index), s->size * st_state_dof(s)->coord);
}

void st_plan_move(st_plan *plan, st_coord_id r, st_const_coord_id a, st_const_deriv_id d, st_real k) {
    FOR_EACH_STATE(plan, s) st_state_move(s, r, a, d, k);
}

void st_plan_difference(st_plan *plan, st_deriv_id r, st_const_coord_id a, st_const_coord_id b) {
    FOR_EACH_STATE(plan, s) {
        const st_dof *dof = st_state_dof(s);
        for (size_t i = 0; i < s->size; i++) {
            const size_t at = i * dof->coord;
            st_dof_difference(dof, deriv(s, r.index) + i * dof->deriv, coord(s, a.index) + at, coord(s, b.index) + at);
        }
    }
}

static st_real dot(const st_scene *scene, const st_state *s, size_t width, const st_real *a, const st_real *b) {
    if (scene->dot) return scene->dot(scene->dot_user, s, width, a, b);
    return st_vector_dot(scene->pool, s->size * width, a, b);
}

st_real st_plan_dot(st_plan *plan, st_const_deriv_id a, st_const_deriv_id b) {
    st_real sum = 0;
    FOR_EACH_STATE(plan, s)
    sum += dot(plan->scene, s, st_state_dof(s)->deriv, deriv(s, a.index), deriv(s, b.index));
    return sum;
}

st_real st_plan_dot_coord(st_plan *plan, st_const_coord_id a, st_const_coord_id b) {
    st_real sum = 0;
    FOR_EACH_STATE(plan, s)
    sum += dot(plan->scene, s, st_state_dof(s)->coord, coord(s, a.index), coord(s, b.index));
    return sum;
}

static bool plan_vectors_all_finite(const st_real *values, size_t count) {
    // x − x is 0 for finite numbers only, and sums of it need no branch in the loop; eight of them do not wait for each
    // other
    enum { SUMS = 8 };
    st_real sums[SUMS] = {0}, sum = 0;
    size_t i = 0;
    for (; i + SUMS <= count; i += SUMS)
        for (size_t k = 0; k < SUMS; k++) sums[k] += values[i + k] - values[i + k];

    for (; i < count; i++) sum += values[i] - values[i];
    for (size_t k = 0; k < SUMS; k++) sum += sums[k];
    return sum == 0;
}

bool st_plan_is_finite(st_plan *plan, st_const_coord_id x, st_const_deriv_id v, const st_state **where) {
    FOR_EACH_STATE(plan, s) {
        if (plan_vectors_all_finite(coord(s, x.index), s->size * st_state_dof(s)->coord) &&
            plan_vectors_all_finite(deriv(s, v.index), deriv_count(s)))
            continue;

        *where = s;
        return false;
    }

    return true;
}

// The plan of a linear system may hold states that its integrator does not: they have no such vector.
static st_real *existing_deriv(const st_state *s, int index) {
    const st_reals *list = st_deriv_list(s, index, ST_DERIV_DX);
    return s->size && list->count == s->size ? list->data : NULL;
}

void st_plan_gather(const st_plan *plan, st_real *flat, st_const_deriv_id from) {
    FOR_EACH_STATE(plan, s) {
        const st_real *vector = existing_deriv(s, from.index);
        if (vector) memcpy(flat + plan->offsets[state_], vector, deriv_count(s) * sizeof *flat);
        else if (s->size) memset(flat + plan->offsets[state_], 0, deriv_count(s) * sizeof *flat);
    }
}

void st_plan_scatter(const st_plan *plan, st_deriv_id to, const st_real *flat) {
    FOR_EACH_STATE(plan, s) {
        st_real *vector = existing_deriv(s, to.index);
        if (vector) memcpy(vector, flat + plan->offsets[state_], deriv_count(s) * sizeof *flat);
    }
}
