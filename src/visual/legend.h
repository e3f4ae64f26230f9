// The color bar of a picture.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VISUAL_LEGEND_H
#define SETTEE_VISUAL_LEGEND_H

#include "visual/picture.h"
#include "visual/raster.h"

// Draws over everything else, at the right side: the bar with five numbers, its title above. `height` is that of a capital
// letter, in samples.
void st_legend_draw(st_raster *raster, const st_legend *legend, double height);

#endif
