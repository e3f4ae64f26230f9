// A picture of a scene, as a PNG file.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VISUAL_SCENE_PICTURE_H
#define SETTEE_VISUAL_SCENE_PICTURE_H

#include "settee/settee.h"

// Into pixels of 3 bytes each.
st_status st_draw_pixels(st_scene *scene, uint8_t *pixels, const st_picture_options *options);
st_status st_write_picture(st_scene *scene, const char *path, const st_picture_options *options);

#endif
