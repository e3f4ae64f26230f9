// Making a plan: one walk over the active nodes, then the order of the mapping graph.
//
// SPDX-License-Identifier: Apache-2.0
#include "system/plan.h"

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
    bool forces;    // no mapping with mapForces="0" at or above
    bool below_mass; // a node above has a mass, or is mapped: st_plan_add_mdx does not reach it
} scope;

#define PUSH(list, item)                                                                                               \
    do {                                                                                                               \
        if (!st_list_push(&(list), (item))) w->ok = false;                                                             \
    } while (0)

static bool tagged(const walk *w, const st_object *object) { return st_tags_include(&object->tags, w->tags); }

static st_object *last_local(const st_node *node, size_t role) {
    for (size_t i = node->objects.count; i-- > 0;)
        if (st_has_role(node->objects.data[i], role)) return node->objects.data[i];
    return NULL;
}

static bool is_usable(const st_object *object) { return st_is_valid(object); }

static void add_state(walk *w, st_node *node, bool mapped, scope here) {
    st_state *state = NULL;
    for (size_t i = node->objects.count; i-- > 0 && !state;)
        if (st_has_role(node->objects.data[i], ST_ROLE(state)) && ((st_state *)node->objects.data[i])->mechanical) state = (st_state *)node->objects.data[i];
    if (!state) return;
    state->mapped = mapped;
    if (!here.forces || !tagged(w, &state->object)) return;
    PUSH(w->plan->states, state);
    if (!mapped) PUSH(w->plan->independent, state);
}

static void add_forces(walk *w, st_node *node, bool pairs) {
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (!object->type->force || st_is_a(object, &st_pair_force_class) != pairs) continue;
        if (is_usable(object) && ((st_force *)object)->state && tagged(w, object)) PUSH(w->plan->forces, (st_force *)object);
    }
}

static void add_projections(walk *w, st_node *node) {
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (object->type->projection && is_usable(object) && tagged(w, object)) PUSH(w->plan->projections, (st_projection *)object);
    }
}

// What the mapping graph sees: everything, in object order, whatever the flags and tags.
static void collect(walk *w, st_node *node) {
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (!is_usable(object)) continue;
        if (object->type->force && ((st_force *)object)->state) PUSH(w->plan->graph_forces, (st_force *)object);
        if (object->type->projection) PUSH(w->plan->graph_projections, (st_projection *)object);
    }
}

static void visit(walk *w, st_node *node, scope here) {
    if (!node->activated || node->sleeping) return;
    st_object *mapping = last_local(node, ST_ROLE(mapping));
    if (mapping && is_usable(mapping)) {
        PUSH(w->plan->all_mappings, (st_mapping *)mapping);
        if (!((st_mapping *)mapping)->map_forces) here.forces = false;
        else if (here.forces && tagged(w, mapping)) PUSH(w->plan->mappings, (st_mapping *)mapping);
        here.below_mass = true;
    }
    add_state(w, node, mapping != NULL, here);
    collect(w, node);
    if (here.forces) {
        st_object *mass = last_local(node, ST_ROLE(mass));
        if (mass && is_usable(mass) && ((st_force *)mass)->state && tagged(w, mass)) {
            PUSH(w->plan->masses, (st_mass *)mass);
            if (!here.below_mass) PUSH(w->plan->mdx_masses, (st_mass *)mass);
            here.below_mass = true;
        }
        add_forces(w, node, false);
        add_forces(w, node, true);
        add_projections(w, node);
    }
    for (size_t i = 0; i < node->children.count; i++) visit(w, node->children.data[i], here);
}

// projectResponse runs bottom-up: nodes in reverse, the constraints of one node in their own order. It never stops at
// mappings, so that it has its own walk.
static void visit_responses(walk *w, st_node *node) {
    if (!node->activated || node->sleeping) return;
    for (size_t i = node->children.count; i-- > 0;) visit_responses(w, node->children.data[i]);
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (object->type->projection && is_usable(object) && tagged(w, object)) PUSH(w->plan->responses, (st_projection *)object);
    }
}

// ---------------------------------------------------------------------------------------------------
// Mapping graph
// ---------------------------------------------------------------------------------------------------

static bool same_states(const st_force *a, const st_force *b) { return a->state == b->state && a->other == b->other; }

// Forces that act on the same states stand together, groups in order of their first member.
static void group_forces(st_plan *plan) {
    st_force **list = plan->graph_forces.data;
    for (size_t i = 0; i < plan->graph_forces.count; i++) {
        size_t end = i + 1;
        for (size_t k = i + 1; k < plan->graph_forces.count; k++) {
            if (!same_states(list[i], list[k])) continue;
            st_force *moved = list[k];
            for (size_t m = k; m > end; m--) list[m] = list[m - 1];
            list[end++] = moved;
        }
        i = end - 1;
    }
}

// How many mappings lie between a state and the independent ones.
static size_t depth_of(const st_plan *plan, const st_object *state, size_t bound) {
    size_t depth = 0;
    if (bound == 0) return 0; // a cycle: cut
    for (size_t i = 0; i < plan->all_mappings.count; i++) {
        const st_mapping *mapping = plan->all_mappings.data[i];
        bool drives = false;
        for (size_t k = 0; k < mapping->output.count; k++) drives = drives || mapping->output.data[k] == state;
        for (size_t k = 0; drives && k < mapping->input.count; k++) {
            const size_t above = 1 + depth_of(plan, mapping->input.data[k], bound - 1);
            if (above > depth) depth = above;
        }
    }
    return depth;
}

static bool is_between_states(const st_mapping *mapping) {
    for (size_t k = 0; k < mapping->output.count; k++)
        if (!mapping->output.data[k] || !((const st_state *)mapping->output.data[k])->mechanical) return false;
    return mapping->output.count > 0;
}

// applyJT runs from the leaves up: deepest first and, at one depth, last first.
static void order_graph_mappings(walk *w) {
    st_plan *plan = w->plan;
    size_t deepest = 0;
    for (size_t i = 0; i < plan->all_mappings.count; i++) {
        const size_t depth = depth_of(plan, plan->all_mappings.data[i]->input.data[0], plan->all_mappings.count);
        if (depth > deepest) deepest = depth;
    }
    for (size_t depth = deepest + 1; depth-- > 0;)
        for (size_t i = plan->all_mappings.count; i-- > 0;) {
            st_mapping *mapping = plan->all_mappings.data[i];
            if (is_between_states(mapping) && depth_of(plan, mapping->input.data[0], plan->all_mappings.count) == depth) PUSH(plan->graph_mappings, mapping);
        }
}

// ---------------------------------------------------------------------------------------------------
// States
// ---------------------------------------------------------------------------------------------------

static bool has_state(const st_plan *plan, const st_state *state) {
    for (size_t i = 0; i < plan->outside.count; i++)
        if (plan->outside.data[i] == state) return true;
    if (state->index < plan->states.count && plan->states.data[state->index] == state) return true;
    for (size_t i = 0; i < plan->states.count; i++)
        if (plan->states.data[i] == state) return true;
    return false;
}

static void find_outside(walk *w) {
    st_plan *plan = w->plan;
    if (st_find(plan->node, ST_ROLE(integrator), ST_LOCAL))
        for (size_t i = 0; i < plan->states.count; i++) plan->states.data[i]->index = i;
    for (size_t i = 0; i < plan->graph_forces.count; i++) {
        st_state *touched[2] = {plan->graph_forces.data[i]->state, plan->graph_forces.data[i]->other};
        for (int k = 0; k < 2; k++)
            if (touched[k] && !has_state(plan, touched[k])) PUSH(plan->outside, touched[k]);
    }
    for (size_t i = 0; i < plan->all_mappings.count; i++) {
        const st_mapping *mapping = plan->all_mappings.data[i];
        for (size_t k = 0; k < mapping->input.count + mapping->output.count; k++) {
            st_state *state = (st_state *)(k < mapping->input.count ? mapping->input.data[k] : mapping->output.data[k - mapping->input.count]);
            if (state && state->mechanical && !has_state(plan, state)) PUSH(plan->outside, state);
        }
    }
}

void st_plan_update_offsets(st_plan *plan) {
    size_t at = 0;
    for (size_t i = 0; i < plan->independent.count; i++) {
        plan->offsets[i] = at;
        at += plan->independent.data[i]->size * (size_t)st_state_dof(plan->independent.data[i])->deriv;
    }
    plan->offsets[plan->independent.count] = at;
    plan->size = at;
}

static void find_mapped_mass(st_plan *plan) {
    plan->mapped_mass = false;
    for (size_t i = 0; i < plan->graph_forces.count; i++)
        if (plan->graph_forces.data[i]->object.type->mass && plan->graph_forces.data[i]->state->mapped) plan->mapped_mass = true;
}

// ---------------------------------------------------------------------------------------------------

static void clear_lists(st_plan *plan) {
    plan->states.count = plan->independent.count = plan->forces.count = plan->masses.count = plan->mappings.count = 0;
    plan->all_mappings.count = plan->projections.count = plan->responses.count = plan->graph_forces.count = 0;
    plan->graph_mappings.count = plan->mdx_masses.count = plan->outside.count = plan->graph_projections.count = 0;
}

static bool make(st_plan *plan) {
    walk whole = {.plan = plan, .tags = &plan->node->object.tags, .ok = true};
    walk *w = &whole;
    clear_lists(plan);
    visit(w, plan->node, (scope){.forces = true});
    visit_responses(w, plan->node);
    group_forces(plan);
    order_graph_mappings(w);
    find_outside(w);
    find_mapped_mass(plan);
    st_free(plan->offsets);
    plan->offsets = st_alloc(plan->independent.count + 1, sizeof *plan->offsets);
    if (!plan->offsets || !w->ok) return false;
    st_plan_update_offsets(plan);
    plan->version = plan->scene->structure;
    return true;
}

st_plan *st_plan_of(st_node *node) {
    st_scene *scene = node->object.scene;
    st_plan *plan = NULL;
    for (size_t i = 0; i < scene->plans.count && !plan; i++)
        if (scene->plans.data[i]->node == node) plan = scene->plans.data[i];
    if (!plan) {
        plan = st_alloc(1, sizeof *plan);
        if (!plan || !st_list_push(&scene->plans, plan)) {
            st_free(plan);
            st_message(&node->object, ST_ERROR, "out of memory");
            return NULL;
        }
        plan->scene = scene;
        plan->node = node;
        plan->version = scene->structure - 1;
    }
    if (plan->version != scene->structure && !make(plan)) {
        st_message(&node->object, ST_ERROR, "out of memory");
        return NULL;
    }
    st_plan_update_offsets(plan);
    return plan;
}

void st_plan_destroy(st_plan *plan) {
    st_list_free(&plan->states);
    st_list_free(&plan->independent);
    st_list_free(&plan->forces);
    st_list_free(&plan->masses);
    st_list_free(&plan->mappings);
    st_list_free(&plan->all_mappings);
    st_list_free(&plan->projections);
    st_list_free(&plan->responses);
    st_list_free(&plan->graph_forces);
    st_list_free(&plan->graph_mappings);
    st_list_free(&plan->mdx_masses);
    st_list_free(&plan->outside);
    st_list_free(&plan->graph_projections);
    st_free(plan->offsets);
    st_free(plan);
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
