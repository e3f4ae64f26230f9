// The orders of the mapping graph: forces grouped by their states, mappings from the leaves up.
//
// Forces that act on the same states stand together; groups come in the order of their first member. The graph has an
// edge
//
//     state → group that acts on it,   group → mapping that reads one of its states,   mapping → state that it drives,
//
// where a mapping hangs on the first group of each of its inputs (on the input itself when nothing acts on it). Its
// breadth-first topological order, reversed, is the order in which forces go up through mappings. Only rounding depends
// on it where states form a tree. Mappings on a cycle (a pair force between a state and one that is mapped from it can
// close one) have no place in that order: SOFA drops them, here they come before all others, children first.
//
// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_graph.h"

#include "base/array.h"
#include "base/pointer_table.h"

typedef ST_LIST(size_t) sizes;

typedef struct graph {
    st_plan *plan;
    st_pointer_table states; // place in plan->graph_states
    st_pointer_table groups; // number of a group by its one or two states
    sizes group_of;          // of each force, then of each projection
    size_t group_count;
    sizes from, to; // edges; vertices are the states, then the groups, then the mappings
    sizes first;    // first edge of each vertex, once sorted
    sizes pending;  // parents of each vertex that have not come yet
    sizes queue;    // the order
    bool ok;
} graph;

static void plan_graph_append(graph *g, sizes *list, size_t value) { g->ok = st_list_push(list, value) && g->ok; }

// ---------------------------------------------------------------------------------------------------
// Groups
// ---------------------------------------------------------------------------------------------------

static void add_to_group(graph *g, const st_state *state, const st_state *other) {
    size_t group = st_pointer_table_get(&g->groups, state, other);
    if (group == SIZE_MAX) {
        group = g->group_count++;
        g->ok = st_pointer_table_put(&g->groups, state, other, group) && g->ok;
    }

    plan_graph_append(g, &g->group_of, group);
}

static void find_groups(graph *g) {
    const st_plan *plan = g->plan;
    for (size_t i = 0; i < plan->graph_forces.count; i++)
        add_to_group(g, plan->graph_forces.data[i]->state, plan->graph_forces.data[i]->other);

    // projections act on a state as forces do
    for (size_t i = 0; i < plan->graph_projections.count; i++)
        add_to_group(g, plan->graph_projections.data[i]->state, NULL);
}

// A counting sort: stable, so that the forces of one group keep their order.
static void sort_forces(graph *g) {
    const size_t count = g->plan->graph_forces.count;
    size_t *next = st_alloc(g->group_count + 1, sizeof *next);
    st_force **sorted = st_alloc(count, sizeof *sorted);
    g->ok = g->ok && next && sorted;

    // count, add up, place
    for (size_t i = 0; g->ok && i < count; i++) next[g->group_of.data[i] + 1]++;
    for (size_t i = 0; g->ok && i < g->group_count; i++) next[i + 1] += next[i];
    for (size_t i = 0; g->ok && i < count; i++) sorted[next[g->group_of.data[i]]++] = g->plan->graph_forces.data[i];
    if (g->ok) st_copy_bytes(g->plan->graph_forces.data, sorted, count * sizeof *sorted);

    st_free(next);
    st_free(sorted);
}

// ---------------------------------------------------------------------------------------------------
// Edges
// ---------------------------------------------------------------------------------------------------

static size_t group_vertex(const graph *g, size_t group) { return g->plan->graph_states.count + group; }
static size_t mapping_vertex(const graph *g, size_t i) { return g->plan->graph_states.count + g->group_count + i; }
static size_t plan_graph_place_of(const graph *g, const void *state) {
    return st_pointer_table_get(&g->states, state, NULL);
}

// States of other plans are no part of the graph.
static void add_edge(graph *g, size_t from, size_t to) {
    if (from == SIZE_MAX || to == SIZE_MAX) return;
    plan_graph_append(g, &g->from, from);
    plan_graph_append(g, &g->to, to);
    if (g->ok) g->pending.data[to]++;
}

// Edges from states to their groups; `first_group` gets the first group of each state.
static void connect_group(graph *g, size_t group, const st_state *state, size_t *first_group) {
    const size_t place = state ? plan_graph_place_of(g, state) : SIZE_MAX;
    if (place == SIZE_MAX) return;
    if (first_group[place] == SIZE_MAX) first_group[place] = group;

    add_edge(g, place, group_vertex(g, group));
}

static void connect_groups(graph *g, size_t *first_group) {
    const st_plan *plan = g->plan;
    size_t known = 0; // groups are numbered in the order in which they come

    for (size_t i = 0; g->ok && i < g->group_of.count; i++) {
        if (g->group_of.data[i] < known) continue;

        // forces come first in `group_of`, then projections
        const bool is_force = i < plan->graph_forces.count;
        const st_force *force = is_force ? plan->graph_forces.data[i] : NULL;
        const st_state *state =
            is_force ? force->state : plan->graph_projections.data[i - plan->graph_forces.count]->state;

        connect_group(g, known, state, first_group);
        if (force && force->other != state) connect_group(g, known, force->other, first_group);
        known++;
    }
}

static void connect_mappings(graph *g, const size_t *first_group) {
    for (size_t i = 0; i < g->plan->all_mappings.count; i++) {
        const st_mapping *mapping = g->plan->all_mappings.data[i];

        // after the first group of each input
        for (size_t k = 0; k < mapping->input.count; k++) {
            const size_t state = plan_graph_place_of(g, mapping->input.data[k]);
            const bool grouped = state != SIZE_MAX && first_group[state] != SIZE_MAX;
            add_edge(g, grouped ? group_vertex(g, first_group[state]) : state, mapping_vertex(g, i));
        }

        // before each output
        for (size_t k = 0; k < mapping->output.count; k++)
            add_edge(g, mapping_vertex(g, i), plan_graph_place_of(g, mapping->output.data[k]));
    }
}

static void find_edges(graph *g) {
    const size_t states = g->plan->graph_states.count;
    size_t *first_group = st_alloc(states, sizeof *first_group);
    g->ok = g->ok && first_group;

    // vertices of the states
    for (size_t i = 0; g->ok && i < states; i++) {
        first_group[i] = SIZE_MAX;
        g->ok = st_pointer_table_put(&g->states, g->plan->graph_states.data[i], NULL, i);
    }

    if (g->ok) connect_groups(g, first_group);
    if (g->ok) connect_mappings(g, first_group);
    st_free(first_group);
}

// ---------------------------------------------------------------------------------------------------
// Order
// ---------------------------------------------------------------------------------------------------

// Edges sorted by where they begin, in their order.
static void sort_edges(graph *g) {
    const size_t vertices = g->pending.count, edges = g->from.count;
    sizes sorted = {0};
    g->ok = g->ok && st_list_set_count(&g->first, vertices + 2, 1) && st_list_set_count(&sorted, edges, 1);

    // starts are shifted by one place: filling moves each to its end
    for (size_t i = 0; g->ok && i < edges; i++) g->first.data[g->from.data[i] + 2]++;
    for (size_t i = 2; g->ok && i < vertices + 2; i++) g->first.data[i] += g->first.data[i - 1];
    for (size_t i = 0; g->ok && i < edges; i++) sorted.data[g->first.data[g->from.data[i] + 1]++] = g->to.data[i];

    st_list_free(&g->to);
    g->to = sorted;
}

static void plan_graph_find_order(graph *g) {
    for (size_t i = 0; g->ok && i < g->pending.count; i++)
        if (g->pending.data[i] == 0) plan_graph_append(g, &g->queue, i);

    // a vertex comes when all its parents have come
    for (size_t at = 0; g->ok && at < g->queue.count; at++) {
        const size_t vertex = g->queue.data[at];
        for (size_t e = g->first.data[vertex]; e < g->first.data[vertex + 1]; e++)
            if (--g->pending.data[g->to.data[e]] == 0) plan_graph_append(g, &g->queue, g->to.data[e]);
    }

    // what is left hangs on a cycle
    for (size_t i = 0; g->ok && i < g->plan->all_mappings.count; i++)
        if (g->pending.data[mapping_vertex(g, i)] > 0)
            plan_graph_append(g, &g->queue, mapping_vertex(g, i)); // on a cycle
}

static bool is_between_states(const st_mapping *mapping) {
    for (size_t k = 0; k < mapping->output.count; k++)
        if (!mapping->output.data[k] || !((const st_state *)mapping->output.data[k])->mechanical) return false;
    return mapping->output.count > 0 && mapping->input.count > 0;
}

static void take_mappings(graph *g) {
    for (size_t i = g->queue.count; g->ok && i-- > 0;) {
        if (g->queue.data[i] < mapping_vertex(g, 0)) continue;
        st_mapping *mapping = g->plan->all_mappings.data[g->queue.data[i] - mapping_vertex(g, 0)];
        if (is_between_states(mapping)) g->ok = st_list_push(&g->plan->graph_mappings, mapping);
    }
}

bool st_plan_order_graph(st_plan *plan) {
    graph g = {.plan = plan, .ok = true};
    find_groups(&g);

    // the order of the mappings, which only those need that have any
    if (plan->all_mappings.count) {
        const size_t vertices = plan->graph_states.count + g.group_count + plan->all_mappings.count;
        g.ok = g.ok && st_list_set_count(&g.pending, vertices, 1);
        find_edges(&g);
        sort_edges(&g);
        plan_graph_find_order(&g);
        take_mappings(&g);
    }

    // forces by their groups, after the edges have used their former order
    sort_forces(&g);

    st_pointer_table_free(&g.states);
    st_pointer_table_free(&g.groups);
    st_list_free(&g.group_of);
    st_list_free(&g.from);
    st_list_free(&g.to);
    st_list_free(&g.first);
    st_list_free(&g.pending);
    st_list_free(&g.queue);
    return g.ok;
}
