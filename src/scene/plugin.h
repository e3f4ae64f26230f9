// Plug-ins: shared libraries that bring further classes.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SCENE_PLUGIN_H
#define SETTEE_SCENE_PLUGIN_H

#include "scene/scene.h"

st_status st_plugin_load(st_scene *scene, const char *path);
// The plug-in of that name in the scene's plug-in paths (name.so or libname.so); ST_NOT_FOUND when there is none.
st_status st_plugin_load_by_name(st_scene *scene, const char *name);
void st_plugins_close(st_scene *scene);

#endif
