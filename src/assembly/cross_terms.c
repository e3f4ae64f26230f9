// Cross terms between the states of different bodies. See cross_terms.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "assembly/cross_terms.h"

#include "base/array.h"

typedef ST_LIST(const st_state *) states;

static bool cross_terms_contains(const states *list, const st_state *state) {
    for (size_t i = 0; i < list->count; i++)
        if (list->data[i] == state) return true;
    return false;
}

static bool add_once(states *list, const st_state *state) {
    return !state || cross_terms_contains(list, state) || st_list_push(list, state);
}

// ---------------------------------------------------------------------------------------------------
// Roots
// ---------------------------------------------------------------------------------------------------

static const st_mapping *mapping_onto(const st_plan *plan, const st_state *state) {
    for (size_t i = 0; i < plan->graph_mappings.count; i++) {
        // a state has one mapping at most
        const st_mapping *mapping = plan->graph_mappings.data[i];
        for (size_t k = 0; k < mapping->output.count; k++)
            if (mapping->output.data[k] == (const void *)state) return mapping;
    }
    return NULL;
}

// A force of the first group of a state; NULL: nothing acts on it.
static const st_force *first_force(const st_plan *plan, const st_state *state) {
    for (size_t i = 0; i < plan->graph_forces.count; i++) {
        // in the order of the scene
        const st_force *force = plan->graph_forces.data[i];
        if (force->state == state || force->other == state) return force;
    }
    return NULL;
}

static bool add_inputs(states *list, const st_plan *plan, const st_mapping *mapping) {
    bool ok = true;
    for (size_t k = 0; ok && k < mapping->input.count; k++) {
        // and what shares the first group of forces with it
        const st_state *input = (const st_state *)mapping->input.data[k];
        const st_force *force = input ? first_force(plan, input) : NULL;
        ok = add_once(list, input);
        if (ok && force) ok = add_once(list, force->state) && add_once(list, force->other);
    }

    return ok;
}

// The independent states that a state depends on.
static bool find_roots(states *roots, const st_plan *plan, const st_state *state) {
    states above = {0};
    bool ok = add_once(&above, state);

    for (size_t i = 0; ok && i < above.count; i++) {
        const st_state *one = above.data[i];
        const st_mapping *mapping = mapping_onto(plan, one);
        if (st_plan_find(plan, one) != SIZE_MAX) ok = add_once(roots, one);
        else if (mapping) ok = add_inputs(&above, plan, mapping);
    }

    st_list_free(&above);
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Terms
// ---------------------------------------------------------------------------------------------------

// The contribution once more, with its two states taken for others. What it says of one state with itself is right.
static bool add_term(st_contributions *list, const st_plan *plan, size_t number, const st_state *first,
                     const st_state *second) {
    st_contribution c = list->data[number];
    c.is_cross_term = true;

    for (size_t i = 0; i < c.pair_count; i++) {
        struct st_contribution_pair *pair = &c.pairs[i];
        const bool between = pair->row != pair->col, turned = pair->row != c.force->state;
        st_contribution_place(pair, plan, between ? (turned ? second : first) : NULL,
                              between ? (turned ? first : second) : NULL);
    }

    return st_list_push(list, c);
}

// Each state for itself, and for each root of the other one that is not its own.
static bool add_terms(st_contributions *list, const st_plan *plan, size_t number) {
    const st_state *one = list->data[number].force->state, *two = list->data[number].force->other;
    states of_one = {0}, of_two = {0}, rows = {0}, cols = {0};
    bool ok = find_roots(&of_one, plan, one) && find_roots(&of_two, plan, two);

    // each state for itself
    ok = ok && add_once(&rows, one) && add_once(&cols, two);

    // and for the roots that only the other one has
    for (size_t i = 0; ok && i < of_two.count; i++)
        if (!cross_terms_contains(&of_one, of_two.data[i])) ok = add_once(&rows, of_two.data[i]);
    for (size_t i = 0; ok && i < of_one.count; i++)
        if (!cross_terms_contains(&of_two, of_one.data[i])) ok = add_once(&cols, of_one.data[i]);

    // the first one is the contribution itself, which is right
    for (size_t i = 1; ok && i < rows.count * cols.count; i++) // the first one is right
        ok = add_term(list, plan, number, rows.data[i / cols.count], cols.data[i % cols.count]);

    st_list_free(&of_one);
    st_list_free(&of_two);
    st_list_free(&rows);
    st_list_free(&cols);

    return ok;
}

bool st_add_cross_terms(st_contributions *list, const st_plan *plan) {
    const size_t count = list->count;
    bool ok = true;

    // In SOFA, a system without a mapping projects nothing.
    for (size_t i = 0; ok && plan->graph_mappings.count > 0 && i < count; i++) {
        const st_contribution *c = &list->data[i];

        // what couples independent states alone is right
        const bool independent = st_plan_find(plan, c->force->state) != SIZE_MAX &&
                                 (!c->force->other || st_plan_find(plan, c->force->other) != SIZE_MAX);
        if (c->pair_count > 1 && !independent) ok = add_terms(list, plan, i);
    }

    return ok;
}
