// Events as programs see them: callbacks, and events that a program sends itself.
//
// SPDX-License-Identifier: Apache-2.0
#include "api/scene.h"

uint32_t st_scene_add_callback(st_scene *scene, const char *event, st_event_function *function, void *user) {
    if (!scene || !function || !st_scene_enter(scene)) return 0;

    st_callback callback = {.number = scene->callback_number + 1, .function = function, .user = user};
    callback.event = st_string_copy(event);
    const bool ok = (callback.event || !event) && st_list_push(&scene->callbacks, callback);

    if (ok) scene->callback_number++;
    else st_free(callback.event);
    st_scene_leave(scene);
    return ok ? callback.number : 0;
}

st_status st_scene_remove_callback(st_scene *scene, uint32_t number) {
    if (!scene || !number) return ST_NOT_FOUND;
    if (!st_scene_enter(scene)) return ST_BUSY;

    // its place stays until no event is under way
    st_status status = ST_NOT_FOUND;
    for (size_t i = 0; i < scene->callbacks.count; i++) {
        st_callback *callback = &scene->callbacks.data[i];
        if (callback->number != number || !callback->function) continue;
        callback->function = NULL;
        status = ST_OK;
    }

    st_scene_leave(scene);
    return status;
}

st_status st_node_send_event(st_node *node, const char *name, int key, void *data) {
    if (!node || !name) return ST_INVALID;
    st_scene *scene = node->object.scene;
    if (!st_scene_enter(scene)) return ST_BUSY;

    st_event event = {.name = name, .key = key, .data = data, .dt = node->dt};
    st_event_by_name(name, &event.kind);
    st_send_event(node, &event);

    st_scene_leave(scene);
    return ST_OK;
}

void st_scene_fail_step(st_scene *scene, const char *reason) {
    if (!scene || !scene->stepping || scene->failure) return; // the first reason counts
    scene->failure = st_string_copy(reason ? reason : "no reason was given");
}
