// Colors of samples: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/paint.h"

#include <math.h>

#include "visual/drawing.h"
#include "visual/raster.h"

void st_paint_scalar(float color[3], float t) {
    float rgb[3];
    st_scalar_color((double)t, rgb);
    st_raster_color(color, rgb[0], rgb[1], rgb[2]);
}

// The pixel at a place that wraps around.
static const uint8_t *pixel_at(const st_texture *texture, double x, double y) {
    const double w = texture->width, h = texture->height;
    const size_t column = (size_t)fmin(w - 1, x - w * floor(x / w)), row = (size_t)fmin(h - 1, y - h * floor(y / h));
    return texture->pixels + 4 * (row * texture->width + column);
}

float st_paint_texture(float color[3], const st_texture *texture, float u, float v) {
    if (!isfinite(u) || !isfinite(v) || fabsf(u) > 1e6F || fabsf(v) > 1e6F) return 1;
    const double x = (double)u * texture->width - 0.5, y = (1 - (double)v) * texture->height - 0.5;
    const double left = floor(x), top = floor(y);
    float sum[4] = {0};

    // bilinear between the four pixels around it
    for (int k = 0; k < 4; k++) {
        const double dx = k & 1, dy = k >> 1;
        const double weight = (1 - fabs(x - left - dx)) * (1 - fabs(y - top - dy));
        const uint8_t *pixel = pixel_at(texture, left + dx, top + dy);
        for (int c = 0; c < 4; c++) sum[c] += (float)weight * (float)pixel[c] / 255;
    }
    st_raster_color(color, sum[0], sum[1], sum[2]);
    return sum[3];
}
