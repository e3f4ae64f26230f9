// Images on surfaces, read from files: PNG, BMP, and JPEG where libjpeg was there when settee was built.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VISUAL_TEXTURE_H
#define SETTEE_VISUAL_TEXTURE_H

#include "visual/picture.h"

// False: `why` says it.
bool st_texture_read(st_texture *texture, const char *path, char *why, size_t size);
void st_texture_free(st_texture *texture);

#endif
