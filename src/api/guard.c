// Who may change a scene, and when: one thread at a time, the graph not while a step computes.
//
// SPDX-License-Identifier: Apache-2.0
#include "api/scene.h"

// The address of a variable that each thread has is its number.
static uintptr_t this_thread(void) {
    static _Thread_local char place;
    return (uintptr_t)&place;
}

bool st_scene_enter(st_scene *scene) {
    const uintptr_t self = this_thread();
    uintptr_t owner = 0;

    if (!atomic_compare_exchange_strong(&scene->user, &owner, self) && owner != self) return false;
    scene->depth++;
    return true;
}

void st_scene_leave(st_scene *scene) {
    if (--scene->depth == 0) atomic_store(&scene->user, 0);
}

bool st_graph_may_change(st_scene *scene, const char *what) {
    if (!scene->stepping || scene->events) return true;
    st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "%s: not while a step computes; use the callback of an event",
                     what);
    return false;
}

st_status st_status_with_errors(const st_scene *scene, size_t errors_before) {
    return scene->messages[ST_ERROR] + scene->messages[ST_FATAL] > errors_before ? ST_WITH_ERRORS : ST_OK;
}
