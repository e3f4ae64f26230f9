// Regions of interest in pictures: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/draw_regions.h"

#include "math/vec3.h"
#include "settee/drawing.h"

static const st_rgba color = {0.15F, 0.45F, 0.60F, 1};

bool st_region_is_shown(const st_canvas *canvas, bool own) { return own || canvas->show & ST_SHOW_ROIS; }

// Corners are numbered by bits: bit k is the upper end of axis k.
static void draw_corners(st_canvas *canvas, const st_real corners[8][3]) {
    static const uint32_t pairs[24] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7};
    canvas->lines(canvas, 12, pairs, corners[0], 8, 3, color);
}

void st_draw_boxes(st_canvas *canvas, const st_reals *boxes) {
    for (size_t i = 0; i < boxes->count; i++) {
        const st_real *box = boxes->data + 6 * i;
        st_real corners[8][3];
        for (size_t c = 0; c < 8; c++)
            for (size_t k = 0; k < 3; k++) corners[c][k] = box[(c >> k & 1 ? 3 : 0) + k];
        draw_corners(canvas, (const st_real(*)[3])corners);
    }
}

void st_draw_planes(st_canvas *canvas, const st_reals *planes) {
    for (size_t i = 0; i < planes->count; i++) {
        const st_real *p = planes->data + 10 * i;
        st_real a[3], b[3], normal[3], corners[8][3];
        st_vec3_sub(a, p + 3, p);
        st_vec3_sub(b, p + 6, p + 3);
        st_vec3_cross(normal, a, b);
        if (!st_vec3_normalize(normal, normal)) continue;

        // half of the depth to each side
        for (size_t c = 0; c < 8; c++) {
            st_vec3_add_scaled(corners[c], p, normal, (c & 4 ? 1 : -1) * p[9] / 2);
            if (c & 1) st_vec3_add(corners[c], corners[c], a);
            if (c & 2) st_vec3_add(corners[c], corners[c], b);
        }
        draw_corners(canvas, (const st_real(*)[3])corners);
    }
}

void st_draw_balls(st_canvas *canvas, const st_reals *centers, const st_reals *radii) {
    for (size_t i = 0; i < centers->count && radii->count; i++) {
        const st_real radius = radii->data[i < radii->count ? i : radii->count - 1];
        canvas->spheres(canvas, 1, centers->data + 3 * i, 3, &radius, (st_rgba){color.r, color.g, color.b, 0.4F});
    }
}

void st_draw_selected_points(st_canvas *canvas, const st_reals *points, size_t stride) {
    if (points->count) canvas->points(canvas, points->count, points->data, stride, color);
}
