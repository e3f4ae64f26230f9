// What a component may draw: points, lines, triangles, arrows and spheres, handed to a canvas. What is handed over is
// copied.
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
    // From each position along its vector, `vector_stride` reals apart, times `scale`.
    void (*arrows)(st_canvas *, size_t count, const st_real *positions, int stride, const st_real *vectors,
                   int vector_stride, st_real scale, st_rgba color);
    void (*spheres)(st_canvas *, size_t count, const st_real *positions, int stride, const st_real *radii,
                    st_rgba color);
    // Their numbers, from 0, at the positions.
    void (*numbers)(st_canvas *, size_t count, const st_real *positions, int stride, st_rgba color);
    // ST_SHOW_... of the node (settee/drawing.h). A component is asked to draw when its kind is shown; it looks here for
    // what it would leave out otherwise.
    unsigned show;
};

#ifdef __cplusplus
}
#endif
#endif
