// PauseAnimationOnEvent: pauses the simulation when a PauseEvent reaches it.
//
// Whether a simulation goes on is decided by the program that steps it: `animate` of the root node says what it should do. A
// PauseEvent (st_node_send_event) that reaches this component sets it to 0; a program with a window stops stepping then,
// and one that runs a given number of steps does not read it, as in SOFA.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "scene/scene.h"

static void pause_animation_event(st_object *object, st_event *event) {
    if (event->kind != ST_EVENT_NAMED || strcmp(event->name, "PauseEvent") != 0) return;

    st_node *root = object->scene->root;
    root->animate = false;
    st_field_written(&root->object, (uint32_t)st_field_of_member(&root->object, &root->animate));
}

extern const st_class st_pause_animation_on_event_class;

const st_class st_pause_animation_on_event_class = {
    .name = "PauseAnimationOnEvent",
    .help = "sets animate of the root node to 0 when a PauseEvent arrives",
    .parent = &st_object_class,
    .flags = ST_CLASS_LISTENING,
    .size = sizeof(st_object),
    .event = pause_animation_event,
};
