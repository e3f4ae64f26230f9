// JPEG images as textures, where libjpeg was there when settee was built.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VISUAL_JPEG_H
#define SETTEE_VISUAL_JPEG_H

#include <stdio.h>

#include "visual/picture.h"

bool st_jpeg_read(st_texture *texture, FILE *file, char *why, size_t size);

#endif
