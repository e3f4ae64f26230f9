// Text in a picture, drawn with strokes, so that it is smooth at any size.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VISUAL_TEXT_H
#define SETTEE_VISUAL_TEXT_H

#include "visual/raster.h"

// Draws over everything else. (x, y) is the left end of the base line; height is that of a capital letter, in samples.
// All characters are equally wide, lines end at '\n', and what is not printable ASCII appears as a question mark.
void st_text_draw(st_raster *raster, const char *text, double x, double y, double height, const float color[3]);

// How far a text of one line reaches.
double st_text_width(const char *text, double height);

#endif
