// The small x, y and z axes in the corner of a picture.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VISUAL_TRIAD_H
#define SETTEE_VISUAL_TRIAD_H

#include "visual/camera.h"
#include "visual/raster.h"

// Draws over everything else, in the lower left corner, `size` samples from the origin to the tip of an axis.
void st_triad_draw(st_raster *raster, const st_camera *camera, double size);

#endif
