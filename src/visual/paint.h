// Colors of samples: from the color bar, from a texture. Results are in linear light (raster.h).
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VISUAL_PAINT_H
#define SETTEE_VISUAL_PAINT_H

#include "visual/picture.h"

// At t, from 0 to 1, of the color bar.
void st_paint_scalar(float color[3], float t);
// At (u, v) of a texture, which repeats; (0, 0) is its lower left corner. Returns the opacity there.
float st_paint_texture(float color[3], const st_texture *texture, float u, float v);

#endif
