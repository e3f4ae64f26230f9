// Events: their names, their way to components by a walk over the tree, and to the callbacks of a program.
//
// Walks are for what happens outside of steps. Loops keep a list of those who listen (loop/step_plan.h), in the same
// order, and call the callbacks afterwards, too.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "scene/scene.h"

// ---------------------------------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------------------------------

static const char *const names[] = {
    [ST_EVENT_INIT_START] = "SimulationInitStartEvent",
    [ST_EVENT_INIT_DONE] = "SimulationInitDoneEvent",
    [ST_EVENT_ANIMATE_BEGIN] = "AnimateBeginEvent",
    [ST_EVENT_ANIMATE_END] = "AnimateEndEvent",
    [ST_EVENT_COLLISION_BEGIN] = "CollisionBeginEvent",
    [ST_EVENT_COLLISION_END] = "CollisionEndEvent",
    [ST_EVENT_INTEGRATE_BEGIN] = "IntegrateBeginEvent",
    [ST_EVENT_INTEGRATE_END] = "IntegrateEndEvent",
    [ST_EVENT_MAPPING_END] = "UpdateMappingEndEvent",
    [ST_EVENT_SCENE_END] = "SimulationStopEvent",
    [ST_EVENT_MOUSE] = "MouseEvent",
    [ST_EVENT_BUILD_CONSTRAINTS_END] = "BuildConstraintSystemEndEvent",
    [ST_EVENT_SOLVE_CONSTRAINTS_END] = "SolveConstraintSystemEndEvent",
    [ST_EVENT_KEY_PRESSED] = "KeypressedEvent",
    [ST_EVENT_KEY_RELEASED] = "KeyreleasedEvent",
};
#define NAMES (sizeof names / sizeof *names)

const char *st_event_name(const st_event *event) {
    if ((size_t)event->kind < NAMES) return names[event->kind];
    return event->name ? event->name : "";
}

bool st_event_by_name(const char *name, enum st_event_kind *kind) {
    for (size_t i = 0; i < NAMES; i++)
        if (strcmp(names[i], name) == 0) {
            *kind = (enum st_event_kind)i;
            return true;
        }

    *kind = ST_EVENT_NAMED;
    return false;
}

// ---------------------------------------------------------------------------------------------------
// Callbacks
// ---------------------------------------------------------------------------------------------------

// Those that were removed go when no event is under way: a callback may remove others and itself.
static void drop_removed(st_scene *scene) {
    size_t kept = 0;
    for (size_t i = 0; i < scene->callbacks.count; i++) {
        if (scene->callbacks.data[i].function) scene->callbacks.data[kept++] = scene->callbacks.data[i];
        else st_free(scene->callbacks.data[i].event);
    }
    scene->callbacks.count = kept;
}

void st_call_back(st_node *node, const st_event *event) {
    st_scene *scene = node->object.scene;
    if (!scene->callbacks.count) return;

    const st_event_info info = {st_event_name(event), node, event->dt, event->key, event->data};
    scene->events++;

    // those that are added meanwhile get the next event
    const size_t count = scene->callbacks.count;
    for (size_t i = 0; i < count; i++) {
        const st_callback callback = scene->callbacks.data[i];
        if (callback.function && (!callback.event || strcmp(callback.event, info.name) == 0))
            callback.function(callback.user, scene, &info);
    }

    if (--scene->events == 0) drop_removed(scene);
}

// ---------------------------------------------------------------------------------------------------
// Components
// ---------------------------------------------------------------------------------------------------

// Whoever handles an event is the last to see it.
static bool event_visit(st_node *node, void *context) {
    st_event *event = context;
    for (size_t i = 0; i < node->objects.count && !event->handled; i++) {
        st_object *object = node->objects.data[i];
        if (object->listening && object->type->event && st_is_valid(object)) object->type->event(object, event);
    }
    return !event->handled;
}

void st_send_event(st_node *root, st_event *event) {
    root->object.scene->events++;
    st_visit(root, event_visit, event);
    root->object.scene->events--;
    st_call_back(root, event);
}
