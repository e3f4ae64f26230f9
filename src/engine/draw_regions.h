// Regions of interest in pictures.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ENGINE_DRAW_REGIONS_H
#define SETTEE_ENGINE_DRAW_REGIONS_H

#include "settee/plugin/draw.h"

// The edges of boxes: six reals each; the parallelogram p0 p1 p2 and a depth, ten reals each; a sphere's center and radius
// (the last radius counts for those that follow).
void st_draw_boxes(st_canvas *canvas, const st_reals *boxes);
void st_draw_planes(st_canvas *canvas, const st_reals *planes);
void st_draw_balls(st_canvas *canvas, const st_reals *centers, const st_reals *radii);
// What was selected.
void st_draw_selected_points(st_canvas *canvas, const st_reals *points, size_t stride);
// Is the region to be drawn: by its own switch, or because all are shown?
bool st_region_is_shown(const st_canvas *canvas, bool own);

#endif
