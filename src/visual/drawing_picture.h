// From the list of what is drawn to the shapes of a picture.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VISUAL_DRAWING_PICTURE_H
#define SETTEE_VISUAL_DRAWING_PICTURE_H

#include "visual/drawing.h"
#include "visual/picture.h"

// The shapes borrow from the drawing: render them before its next update. Memory that they need beyond that is the
// drawing's. Textures that cannot be read are reported once, and the surface has its plain color.
st_status st_picture_take_drawing(st_picture *picture, st_drawing *drawing, st_scene *scene);

#endif
