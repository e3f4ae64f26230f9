// From a scene file, or its text, to the scene graph.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SCENE_LOAD_H
#define SETTEE_SCENE_LOAD_H

#include "scene/scene.h"

st_status st_load_file(st_scene *scene, const char *path);
// File names in the text are relative to the directory (NULL: the current one).
st_status st_load_text(st_scene *scene, const char *text, size_t length, const char *directory);

#endif
