// Contributions: what an assembled matrix is the sum of. See contribution.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "assembly/contribution.h"

#include "base/array.h"
#include "base/pointer_table.h"

void st_contribution_place(struct st_contribution_pair *pair, const st_plan *plan, const st_state *row,
                           const st_state *col) {
    pair->at_row = row;
    pair->at_col = col;
    pair->row_index = st_plan_find(plan, row);
    pair->col_index = st_plan_find(plan, col);
    pair->mapped = SIZE_MAX;
}

static void find_pairs(st_contribution *contribution, const st_plan *plan) {
    const st_state *states[2] = {contribution->force->state, contribution->force->other};

    // A mass acts on one state; both ends of an interaction may be the same one.
    const bool two = contribution->kind != ST_CONTRIBUTES_MASS && states[1] && states[1] != states[0];

    // all ordered pairs of its states
    for (size_t i = 0; i < (two ? 2u : 1u); i++) {
        for (size_t j = 0; j < (two ? 2u : 1u); j++) {
            struct st_contribution_pair *pair = &contribution->pairs[contribution->pair_count++];
            *pair = (struct st_contribution_pair){.row = states[i], .col = states[j]};
            st_contribution_place(pair, plan, states[i], states[j]);
        }
    }
}

bool st_contribution_exists(const st_force *force, st_contribution_kind kind) {
    const st_class *type = force->object.type;
    if (!force->state || !st_is_valid(&force->object)) return false;

    switch (kind) {
    case ST_CONTRIBUTES_STIFFNESS: return type->force && type->force->stiffness;
    case ST_CONTRIBUTES_MASS: return type->mass && type->mass->matrix;
    case ST_CONTRIBUTES_DAMPING: return type->force && type->force->damping;
    }

    return false;
}

static bool add_contribution(st_contributions *list, const st_plan *plan, st_force *force, st_contribution_kind kind) {
    st_contribution contribution = {.kind = kind, .force = force};
    if (!st_contribution_exists(force, kind)) return true;

    find_pairs(&contribution, plan);
    return st_list_push(list, contribution);
}

// Forces that the traversal does not reach because a mapping above them has mapForces="0".
static bool add_unreached(st_contributions *list, const st_plan *plan, const st_pointer_table *reached, int kind) {
    bool ok = true;
    for (size_t i = 0; ok && i < plan->graph_forces.count; i++) {
        st_force *force = plan->graph_forces.data[i];
        if (st_pointer_table_get(reached, force, NULL) != SIZE_MAX) continue;
        if (st_tags_include(&force->object.tags, &plan->node->object.tags))
            ok = add_contribution(list, plan, force, (st_contribution_kind)kind);
    }

    return ok;
}

bool st_contributions_make(st_contributions *list, const st_plan *plan) {
    st_pointer_table reached = {0};
    bool ok = true;

    list->count = 0;

    // what the traversal reaches
    for (size_t i = 0; ok && i < plan->forces.count; i++)
        ok = st_pointer_table_put(&reached, plan->forces.data[i], NULL, i);

    // kind by kind: the order of the sums
    for (int kind = 0; ok && kind < ST_CONTRIBUTION_KINDS; kind++) {
        for (size_t i = 0; ok && i < plan->forces.count; i++)
            ok = add_contribution(list, plan, plan->forces.data[i], (st_contribution_kind)kind);
        ok = ok && add_unreached(list, plan, &reached, kind);
    }

    st_pointer_table_free(&reached);
    return ok;
}

const char *st_contribution_name(st_contribution_kind kind) {
    static const char *const names[ST_CONTRIBUTION_KINDS] = {"stiffness", "mass", "damping"};
    return names[kind];
}

st_real st_contribution_factor(const st_contribution *contribution, const st_params *params) {
    // A = k K + m M + b B, with Rayleigh damping b (rK K - rM M)
    switch (contribution->kind) {
    case ST_CONTRIBUTES_STIFFNESS: return params->k + params->b * contribution->force->rayleigh_stiffness;
    case ST_CONTRIBUTES_MASS: return params->m - params->b * ((const st_mass *)contribution->force)->rayleigh_mass;
    case ST_CONTRIBUTES_DAMPING: return params->b;
    }
    return 0;
}

void st_contribution_call(const st_contribution *contribution, const st_params *params, st_accumulator *accumulator) {
    st_force *force = contribution->force;
    const st_class *type = force->object.type;

    switch (contribution->kind) {
    case ST_CONTRIBUTES_STIFFNESS: type->force->stiffness(force, params, (st_stiffness){accumulator}); break;
    case ST_CONTRIBUTES_MASS: type->mass->matrix((st_mass *)force, (st_inertia){accumulator}); break;
    case ST_CONTRIBUTES_DAMPING: type->force->damping(force, params, (st_damping){accumulator}); break;
    }
}
