// The color bar of a picture: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/legend.h"

#include <math.h>
#include <stdio.h>

#include "visual/paint.h"
#include "visual/text.h"

enum { TICKS = 5 };
static const float front = 1e9F; // nearer than anything else

// Two triangles, whose colors run from `low` at the bottom to `high` at the top of the bar.
static void draw_bar(st_raster *raster, double left, double top, double right, double bottom) {
    const st_raster_style style = {.alpha = 1, .paint = ST_PAINT_SCALAR};
    const st_raster_vertex v[4] = {{.x = left, .y = top, .depth = front, .paint = {front}},
                                   {.x = right, .y = top, .depth = front, .paint = {front}},
                                   {.x = right, .y = bottom, .depth = front},
                                   {.x = left, .y = bottom, .depth = front}};
    const st_raster_vertex first[3] = {v[0], v[1], v[2]}, second[3] = {v[0], v[2], v[3]};
    st_raster_triangle(raster, first, &style);
    st_raster_triangle(raster, second, &style);
}

void st_legend_draw(st_raster *raster, const st_legend *legend, double height) {
    const double small = 0.85 * height, bottom = 0.80 * raster->height, top = 0.25 * raster->height;
    const double right = raster->width - 1.3 * height, bar = right - st_text_width("-0.0000e+00", small) - height;
    float color[3];
    st_raster_color(color, 0.16F, 0.18F, 0.21F);
    draw_bar(raster, bar - 1.2 * height, top, bar, bottom);

    // numbers from the lower end to the upper one
    for (int i = 0; i < TICKS; i++) {
        const double t = (double)i / (TICKS - 1), y = bottom + t * (top - bottom);
        char text[32];
        snprintf(text, sizeof text, "%.4g", legend->low + t * (legend->high - legend->low));
        st_text_draw(raster, text, bar + 0.6 * height, y + small / 2, small, color);
    }

    // a long title keeps its end
    const double width = st_text_width(legend->title, small);
    st_text_draw(raster, legend->title, fmax(height, right - width), top - 1.4 * height, small, color);
}
