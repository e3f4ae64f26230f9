// Three arrows that show how the world's axes lie: x red, y green, z blue.
//
// They are drawn without perspective, in a range of depth of their own that is nearer than any shape and still sorts
// the arrows among themselves.
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/triad.h"

#include <tgmath.h>

#include "visual/text.h"

enum { CONE_SIDES = 20 };
static const float front = 1e6f, spread = 1e5f; // depth = front + spread z, for z from -1 to 1

// Turns v (camera axes, lengths in arrows) into a screen vertex with the given normal.
static st_raster_vertex triad_place(const double center[2], double size, const double v[3], const double normal[3]) {
    return (st_raster_vertex){.x = center[0] + size * v[0],
                              .y = center[1] - size * v[1],
                              .depth = front + spread * (float)v[2],
                              .normal = {(float)normal[0], (float)normal[1], (float)normal[2]}};
}

// Point k of the rim of a cone: at `along` on the axis (frame[0]), `radius` away from it. outward is the direction from
// the axis.
static void rim(double frame[3][3], int k, double along, double radius, double point[3], double outward[3]) {
    const double angle = 2 * acos(-1.0) * k / CONE_SIDES, c = cos(angle), s = sin(angle);

    for (int i = 0; i < 3; i++) {
        outward[i] = c * frame[1][i] + s * frame[2][i];
        point[i] = along * frame[0][i] + radius * outward[i];
    }
}

static void draw_cone(st_raster *raster, const double center[2], double size, double frame[3][3],
                      const st_raster_style *style) {
    const double *axis = frame[0];
    const double backward[3] = {-axis[0], -axis[1], -axis[2]};
    const double foot[3] = {0.72 * axis[0], 0.72 * axis[1], 0.72 * axis[2]};

    // each side is a triangle from the rim to the tip, and one of the bottom
    for (int k = 0; k < CONE_SIDES; k++) {
        double a[3], b[3], na[3], nb[3];
        rim(frame, k, 0.72, 0.11, a, na);
        rim(frame, k + 1, 0.72, 0.11, b, nb);

        const double tip_normal[3] = {na[0] + nb[0], na[1] + nb[1], na[2] + nb[2]};
        const st_raster_vertex mantle[3] = {triad_place(center, size, a, na), triad_place(center, size, b, nb),
                                            triad_place(center, size, axis, tip_normal)};

        // The bottom is seen only when the arrow points away from the viewer.
        const st_raster_vertex bottom[3] = {triad_place(center, size, a, backward),
                                            triad_place(center, size, b, backward),
                                            triad_place(center, size, foot, backward)};

        st_raster_triangle(raster, mantle, style);
        if (axis[2] < 0) st_raster_triangle(raster, bottom, style);
    }
}

void st_triad_draw(st_raster *raster, const st_camera *camera, double size) {
    static const float colors[3][3] = {{0.86f, 0.24f, 0.22f}, {0.28f, 0.66f, 0.28f}, {0.22f, 0.42f, 0.88f}};
    static const char *const names[3] = {"X", "Y", "Z"};
    const double center[2] = {1.6 * size, raster->height - 1.6 * size};
    const double letter = 0.26 * size, zero[3] = {0, 0, 0};

    for (int i = 0; i < 3; i++) {
        // The world's axis i as the camera sees it, and the two others that make a frame with it.
        double frame[3][3];
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) frame[j][k] = camera->axes[k][(i + j) % 3];

        // a shaft to three quarters of the length, and a cone
        const double *axis = frame[0];
        const double shaft[3] = {0.75 * axis[0], 0.75 * axis[1], 0.75 * axis[2]};
        st_raster_style style = {.alpha = 1, .lit = true};
        st_raster_color(style.color, colors[i][0], colors[i][1], colors[i][2]);
        const st_raster_vertex a = triad_place(center, size, zero, zero), b = triad_place(center, size, shaft, zero);
        st_raster_line(raster, &a, &b, 0.042 * size, &style);
        draw_cone(raster, center, size, frame, &style);

        st_raster_color(style.color, 0.8f * colors[i][0], 0.8f * colors[i][1], 0.8f * colors[i][2]);

        // An axis that points at the viewer has its letter beside the origin.
        const double reach = sqrt(axis[0] * axis[0] + axis[1] * axis[1]);
        const double away = reach > 0.05 ? (size * reach + 0.26 * size) / reach : 0;
        const double x = center[0] + (away > 0 ? away * axis[0] : -0.3 * size);
        const double y = center[1] - (away > 0 ? away * axis[1] : -0.3 * size);

        st_text_draw(raster, names[i], x - 0.31 * letter, y + 0.5 * letter, letter, style.color);
    }
}
