// Events by a walk over the tree, for what happens outside of steps. Loops keep a list of those who listen
// (loop/step_plan.h), in the same order.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene/scene.h"

// Whoever handles an event is the last to see it.
static bool event_visit(st_node *node, void *context) {
    st_event *event = context;
    for (size_t i = 0; i < node->objects.count && !event->handled; i++) {
        st_object *object = node->objects.data[i];
        if (object->listening && object->type->event && st_is_valid(object)) object->type->event(object, event);
    }
    return !event->handled;
}

void st_send_event(st_node *root, st_event *event) { st_visit(root, event_visit, event); }
