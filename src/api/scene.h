// What the files of the API share about scenes.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_API_SCENE_H
#define SETTEE_API_SCENE_H

#include "scene/scene.h"

// Initializes what was inactive or came later; nothing before the scene itself was initialized.
st_status st_init_activated(st_scene *scene);

// A call that changes a scene is between these. False: another thread is in one (nothing was changed, and no message is
// sent, since the log belongs to that thread). Calls of one thread may be within each other.
bool st_scene_enter(st_scene *scene);
void st_scene_leave(st_scene *scene);

// After a field of an object was set: a time step that cannot be is put back, with an error. ST_OK for all else.
st_status st_refuse_bad_dt(st_object *object);

// May the graph change now? Not while a step computes; in events it may. Says so if not.
bool st_graph_may_change(st_scene *scene, const char *what);

// ST_WITH_ERRORS when there are more errors than before.
st_status st_status_with_errors(const st_scene *scene, size_t errors_before);

#endif
