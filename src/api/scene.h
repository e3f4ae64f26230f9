// What the files of the API share about scenes.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_API_SCENE_H
#define SETTEE_API_SCENE_H

#include "scene/scene.h"

// Initializes what was inactive so far; nothing before the scene itself was initialized.
void st_init_activated(st_scene *scene);

#endif
