// Making a plan: one walk over the active nodes, then the order of the mapping graph (plan_graph.c).
//
// SPDX-License-Identifier: Apache-2.0
#include "plan/plan.h"

#include "plan/plan_graph.h"
#include "scene/scene.h"

// ---------------------------------------------------------------------------------------------------
// Traversal
// ---------------------------------------------------------------------------------------------------

typedef struct walk {
    st_plan *plan;
    const st_strings *tags; // components must have these
    bool ok;
} walk;

// What holds at a node and below it.
typedef struct scope {
    bool forces;     // no mapping with mapForces="0" at or above
    bool below_mass; // a node above has a mass, or is mapped: st_plan_add_mdx does not reach it
} scope;

#define PUSH(list, item)                                                                                               \
    do {                                                                                                               \
        if (!st_list_push(&(list), (item))) w->ok = false;                                                             \
    } while (0)

static bool tagged(const walk *w, const st_object *object) { return st_tags_include(&object->tags, w->tags); }

static st_object *slot_of(const st_node *node, size_t role) { return st_node_members(node, role).last; }

static bool plan_is_usable(const st_object *object) { return st_is_valid(object); }

static void add_state(walk *w, st_node *node, bool mapped, scope here) {
    st_state *state = (st_state *)st_node_mechanical(node).last;
    if (!state) return;
    state->mapped = mapped;
    PUSH(w->plan->graph_states, state);

    // below a mapping without forces, or without the tags, a state is only part of the graph
    if (!here.forces || !tagged(w, &state->object)) return;
    PUSH(w->plan->states, state);
    if (!mapped) PUSH(w->plan->independent, state);
    if (!st_find_slot(node, ST_ROLE(integrator))) PUSH(w->plan->unmoved, state);
}

static void add_forces(walk *w, st_node *node, bool pairs) {
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (!object->type->force || st_is_a(object, &st_pair_force_class) != pairs) continue;
        if (plan_is_usable(object) && ((st_force *)object)->state && tagged(w, object))
            PUSH(w->plan->forces, (st_force *)object);
    }
}

static void add_projections(walk *w, st_node *node) {
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (object->type->projection && plan_is_usable(object) && tagged(w, object))
            PUSH(w->plan->projections, (st_projection *)object);
    }
}

// What the mapping graph sees: everything, in object order, whatever the flags and tags.
static void plan_collect(walk *w, st_node *node) {
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (!plan_is_usable(object)) continue;
        if (object->type->force && ((st_force *)object)->state) PUSH(w->plan->graph_forces, (st_force *)object);
        if (object->type->projection) PUSH(w->plan->graph_projections, (st_projection *)object);
    }
}

static void add_mapping(walk *w, st_object *object, scope *here) {
    here->below_mass = true; // its state is mapped, even by a mapping that cannot work
    if (!plan_is_usable(object)) return;

    st_mapping *mapping = (st_mapping *)object;
    PUSH(w->plan->all_mappings, mapping);

    if (!mapping->map_forces) here->forces = false;
    else if (here->forces && tagged(w, object)) PUSH(w->plan->mappings, mapping);
}

static void add_mass(walk *w, st_node *node, scope *here) {
    st_object *mass = slot_of(node, ST_ROLE(mass));
    if (!mass || !plan_is_usable(mass) || !((st_force *)mass)->state || !tagged(w, mass)) return;

    // M dx is asked of the topmost mass of a branch only
    PUSH(w->plan->masses, (st_mass *)mass);
    if (!here->below_mass) PUSH(w->plan->mdx_masses, (st_mass *)mass);
    here->below_mass = true;
}

static void plan_visit(walk *w, st_node *node, scope here) {
    if (!node->activated || node->sleeping) return;

    // what drives the node's state decides what holds for it and below
    st_object *mapping = slot_of(node, ST_ROLE(mapping));
    if (mapping) add_mapping(w, mapping, &here);
    add_state(w, node, mapping != NULL, here);
    plan_collect(w, node);

    // forces, unless a mapping above maps none
    if (here.forces) {
        add_mass(w, node, &here);
        add_forces(w, node, false);
        add_forces(w, node, true);
        add_projections(w, node);
    }

    for (size_t i = 0; i < node->children.count; i++) plan_visit(w, node->children.data[i], here);
}

// projectResponse runs bottom-up: nodes in reverse, the constraints of one node in their own order. It never stops at
// mappings, so that it has its own walk.
static void visit_responses(walk *w, st_node *node) {
    if (!node->activated || node->sleeping) return;
    for (size_t i = node->children.count; i-- > 0;) visit_responses(w, node->children.data[i]);

    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (object->type->projection && plan_is_usable(object) && tagged(w, object))
            PUSH(w->plan->responses, (st_projection *)object);
    }
}

// ---------------------------------------------------------------------------------------------------
// States elsewhere
// ---------------------------------------------------------------------------------------------------

static void add_outside(walk *w, st_pointer_table *known, st_state *state) {
    if (!state || !state->mechanical || st_pointer_table_get(known, state, NULL) != SIZE_MAX) return;
    w->ok = w->ok && st_pointer_table_put(known, state, NULL, 0);
    PUSH(w->plan->outside, state);
}

static void find_outside(walk *w) {
    st_plan *plan = w->plan;
    st_pointer_table known = {0};

    // the states of the plan itself
    for (size_t i = 0; i < plan->states.count; i++)
        w->ok = w->ok && st_pointer_table_put(&known, plan->states.data[i], NULL, i);

    // ends of forces and mappings that are none of the own states
    for (size_t i = 0; i < plan->graph_forces.count; i++) {
        add_outside(w, &known, plan->graph_forces.data[i]->state);
        add_outside(w, &known, plan->graph_forces.data[i]->other);
    }

    for (size_t i = 0; i < plan->all_mappings.count; i++) {
        const st_mapping *m = plan->all_mappings.data[i];
        for (size_t k = 0; k < m->input.count; k++) add_outside(w, &known, (st_state *)m->input.data[k]);
        for (size_t k = 0; k < m->output.count; k++) add_outside(w, &known, (st_state *)m->output.data[k]);
    }

    st_pointer_table_free(&known);
}

// ---------------------------------------------------------------------------------------------------
// Places and offsets
// ---------------------------------------------------------------------------------------------------

// Independent states get numbers once and keep them: a plan finds its states also after a structure has changed within a
// step, when contacts come and go. States of one plan have numbers that are close to each other.
static void number_states(st_plan *plan) {
    for (size_t i = 0; i < plan->independent.count; i++)
        if (plan->independent.data[i]->index == 0) plan->independent.data[i]->index = ++plan->scene->numbered_states;
}

// places[state->index - first_index] is the state's place among the independent ones.
static bool find_places(st_plan *plan) {
    size_t first = SIZE_MAX, last = 0;

    // the places between first and last are few
    for (size_t i = 0; i < plan->independent.count; i++) {
        const size_t index = plan->independent.data[i]->index;
        if (index < first) first = index;
        if (index > last) last = index;
    }

    plan->first_index = first;
    const size_t count = plan->independent.count ? last - first + 1 : 0;
    if (!st_list_set_count(&plan->places, count, 1)) return false;
    for (size_t i = 0; i < count; i++) plan->places.data[i] = SIZE_MAX;

    for (size_t i = 0; i < plan->independent.count; i++)
        plan->places.data[plan->independent.data[i]->index - first] = i;
    return true;
}

static void find_offsets(st_plan *plan) {
    size_t at = 0;
    for (size_t i = 0; i < plan->independent.count; i++) {
        plan->offsets[i] = at;
        at += plan->independent.data[i]->size * st_state_dof(plan->independent.data[i])->deriv;
    }

    plan->offsets[plan->independent.count] = at;
    plan->size = at;
    plan->sizes = plan->scene->sizes;
}

void st_plan_update_offsets(st_plan *plan) {
    if (plan->sizes != plan->scene->sizes) find_offsets(plan);
}

size_t st_plan_find(const st_plan *plan, const st_state *state) {
    if (!state) return SIZE_MAX;

    const size_t k = state->index - plan->first_index; // wraps around before the first: too large, too
    const size_t place = k < plan->places.count ? plan->places.data[k] : SIZE_MAX;
    return place < plan->independent.count && plan->independent.data[place] == state ? place : SIZE_MAX;
}

size_t st_plan_offset(const st_plan *plan, const st_state *state) {
    const size_t place = st_plan_find(plan, state);
    return place == SIZE_MAX ? SIZE_MAX : plan->offsets[place];
}

// ---------------------------------------------------------------------------------------------------
// Plans
// ---------------------------------------------------------------------------------------------------

static void find_mapped_mass(st_plan *plan) {
    plan->mapped_mass = false;

    for (size_t i = 0; i < plan->graph_forces.count; i++)
        if (plan->graph_forces.data[i]->object.type->mass && plan->graph_forces.data[i]->state->mapped)
            plan->mapped_mass = true;
}

static void clear_lists(st_plan *plan) {
    plan->states.count = plan->independent.count = plan->forces.count = plan->masses.count = plan->mappings.count = 0;
    plan->all_mappings.count = plan->projections.count = plan->responses.count = plan->graph_forces.count = 0;
    plan->graph_mappings.count = plan->mdx_masses.count = plan->outside.count = plan->graph_projections.count = 0;
    plan->graph_states.count = plan->unmoved.count = 0;
}

static bool plan_make(st_plan *plan) {
    walk whole = {.plan = plan, .tags = &plan->node->object.tags, .ok = true};
    walk *w = &whole;

    // the two orders: traversal and mapping graph
    clear_lists(plan);
    plan_visit(w, plan->node, (scope){.forces = true});
    visit_responses(w, plan->node);
    w->ok = w->ok && st_plan_order_graph(plan);

    // what follows from them
    find_outside(w);
    find_mapped_mass(plan);
    number_states(plan);
    w->ok = find_places(plan) && w->ok;
    st_free(plan->offsets);
    plan->offsets = st_alloc(plan->independent.count + 1, sizeof *plan->offsets);
    if (!plan->offsets || !w->ok) return false;

    find_offsets(plan);
    plan->version = ++plan->scene->plan_versions;
    plan->lasting = st_lasting_structure(plan->scene);
    plan->passed = plan->node->object.record->passed;
    return true;
}

static st_plan *plan_out_of_memory(st_node *node) {
    st_message(&node->object, ST_ERROR, "out of memory: the plan of what is at and below this node");
    return NULL;
}

static st_plan *add_plan(st_node *node) {
    st_scene *scene = node->object.scene;
    st_plan *plan = st_alloc(1, sizeof *plan);
    if (!plan || !st_list_push(&scene->plans, plan)) {
        st_free(plan);
        return NULL;
    }

    plan->scene = scene;
    plan->node = node;
    plan->lasting = st_lasting_structure(scene) - 1;
    return node->plan = plan;
}

st_plan *st_plan_of(st_node *node) {
    st_plan *plan = node->plan ? node->plan : add_plan(node);
    if (!plan) return plan_out_of_memory(node);
    const bool made = plan->lasting == st_lasting_structure(plan->scene) && plan->passed == node->object.record->passed;
    if (!made && !plan_make(plan)) return plan_out_of_memory(node);

    st_plan_update_offsets(plan);
    return plan;
}

void st_plan_destroy(st_plan *plan) {
    // traversal
    st_list_free(&plan->states);
    st_list_free(&plan->independent);
    st_list_free(&plan->unmoved);
    st_list_free(&plan->forces);
    st_list_free(&plan->masses);
    st_list_free(&plan->mappings);
    st_list_free(&plan->all_mappings);
    st_list_free(&plan->projections);
    st_list_free(&plan->responses);

    // mapping graph
    st_list_free(&plan->graph_states);
    st_list_free(&plan->graph_forces);
    st_list_free(&plan->graph_mappings);
    st_list_free(&plan->mdx_masses);
    st_list_free(&plan->outside);
    st_list_free(&plan->graph_projections);

    // places and offsets
    st_list_free(&plan->places);
    st_free(plan->offsets);
    st_free(plan);
}

int32_t st_block_of_states(size_t count, const st_state *const *states) {
    static const int32_t sides[] = {6, 3, 2};
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
        bool fits = true;
        for (size_t i = 0; i < count; i++) fits = fits && st_state_dof(states[i])->deriv % sides[k] == 0;

        if (fits && count > 0) return sides[k];
    }

    return 1;
}

int32_t st_plan_block(const st_plan *plan) {
    return st_block_of_states(plan->independent.count, (const st_state *const *)plan->independent.data);
}

void st_plans_destroy(st_scene *scene) {
    for (size_t i = 0; i < scene->plans.count; i++) st_plan_destroy(scene->plans.data[i]);
    st_list_free(&scene->plans);
}

void st_settle(st_node *root) {
    st_plan *plan = st_plan_of(root);
    if (!plan) return;

    st_plan_project_xv(plan, ST_POSITION, ST_VELOCITY);
    st_plan_propagate_xv(plan, ST_POSITION, ST_VELOCITY);
}
