// What a component may draw: points, lines and triangles, handed to a canvas.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PLUGIN_DRAW_H
#define SETTEE_PLUGIN_DRAW_H

#include "settee/plugin/component.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct st_rgba {
    float r, g, b, a;
} st_rgba;

// `stride` is the number of st_real from one position to the next (3 for Vec3, 7 for Rigid3).
struct st_canvas {
    void (*points)(st_canvas *, size_t count, const st_real *positions, size_t stride, st_rgba color);
    void (*lines)(st_canvas *, size_t count, const uint32_t *pairs, const st_real *positions, size_t position_count,
                  int stride, st_rgba color);
    void (*triangles)(st_canvas *, size_t count, const uint32_t *corners, const st_real *positions,
                      size_t position_count, int stride, st_rgba color);
};

#ifdef __cplusplus
}
#endif
#endif
