// Making a step plan, and sending events along it. See step_plan.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "loop/step_plan.h"

#include "scene/scene.h"

// ---------------------------------------------------------------------------------------------------
// Lists
// ---------------------------------------------------------------------------------------------------

static bool collect_movers(st_step_plan *plan, const st_node *node) {
    st_station station = {.node = node, .first = plan->movers.count};
    bool ok = true, interacts = node->object.record->hosts;

    // integrators first
    for (size_t i = 0; ok && i < node->objects.count; i++) {
        if (!node->objects.data[i]->type->integrator) continue;
        ok = st_list_push(&plan->movers, node->objects.data[i]);
        station.integrators++;
    }

    // then forces between two states, which a loop evaluates itself
    for (size_t i = 0; i < node->objects.count; i++)
        if (st_is_a(node->objects.data[i], &st_pair_force_class)) interacts = true;

    return ok && ((station.integrators == 0 && !interacts) || st_list_push(&plan->stations, station));
}

static bool collect_node(st_step_plan *plan, const st_node *node) {
    if (!node->activated || st_is_passing(&node->object)) return true;
    bool ok = true;

    // who gets events, and who detects collisions
    for (size_t i = 0; ok && i < node->objects.count; i++)
        if (node->objects.data[i]->type->event && !st_is_passing(node->objects.data[i]))
            ok = st_list_push(&plan->listeners, node->objects.data[i]);
    st_object *pipeline = st_node_members(node, ST_ROLE(collision_pipeline)).last;
    if (ok && pipeline) ok = st_list_push(&plan->pipelines, pipeline);

    // the station ends where those of the children do
    const size_t station = plan->stations.count;
    ok = ok && collect_movers(plan, node);
    const bool has_station = plan->stations.count > station;
    for (size_t i = 0; ok && i < node->children.count; i++) ok = collect_node(plan, node->children.data[i]);
    if (has_station) plan->stations.data[station].after = plan->stations.count;
    return ok;
}

bool st_step_plan_update(st_step_plan *plan, st_node *node) {
    const uint32_t structure = st_lasting_structure(node->object.scene);
    if (plan->node == node && plan->version == structure) return true;

    plan->listeners.count = plan->stations.count = plan->movers.count = plan->pipelines.count = 0;
    plan->node = NULL; // until it is complete
    if (!collect_node(plan, node)) {
        st_message(&node->object, ST_ERROR, "out of memory: the lists of what a step runs through");
        return false;
    }

    plan->node = node;
    plan->version = structure;
    return true;
}

void st_step_plan_free(st_step_plan *plan) {
    st_list_free(&plan->listeners);
    st_list_free(&plan->stations);
    st_list_free(&plan->movers);
    st_list_free(&plan->pipelines);
    st_list_free(&plan->before);
}

size_t st_step_plan_find(const st_step_plan *plan, const st_node *node) {
    for (size_t i = 0; i < plan->stations.count; i++)
        if (plan->stations.data[i].node == node) return i;
    return SIZE_MAX;
}

// ---------------------------------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------------------------------

// The place behind the last of the first `count` former listeners that is still one.
static size_t place_behind(const st_step_plan *plan, size_t count) {
    for (size_t k = count; k-- > 0;)
        for (size_t i = 0; i < plan->listeners.count; i++)
            if (plan->listeners.data[i] == plan->before.data[k]) return i + 1;
    return 0;
}

// The scene has changed after `count` listeners got the event: makes the lists again, and finds where to go on.
static bool resume(st_step_plan *plan, st_node *node, size_t count, size_t *place) {
    if (!st_list_set_count(&plan->before, count, 1)) return false;
    for (size_t i = 0; i < count; i++) plan->before.data[i] = plan->listeners.data[i];
    if (!st_step_plan_update(plan, node)) return false;

    *place = place_behind(plan, count);
    return true;
}

// Whoever handles an event is the last to see it.
bool st_step_plan_send(st_step_plan *plan, st_node *node, st_event *event) {
    st_scene *scene = node->object.scene;
    if (!st_step_plan_update(plan, node)) return false;

    bool ok = true;
    scene->events++;
    for (size_t i = 0; ok && i < plan->listeners.count && !event->handled;) {
        st_object *object = plan->listeners.data[i++];
        if (!object->listening || !st_is_valid(object)) continue;

        object->type->event(object, event);

        // a listener may change the scene
        if (plan->version != st_lasting_structure(scene)) ok = resume(plan, node, i, &i);
    }
    scene->events--;

    st_call_back(node, event);
    return ok;
}
