// The camera that a scene gives.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VISUAL_SCENE_CAMERA_H
#define SETTEE_VISUAL_SCENE_CAMERA_H

#include "settee/drawing.h"

// A camera component, else the file SCENE.view, else none.
st_draw_camera st_find_camera(st_scene *scene);

#endif
