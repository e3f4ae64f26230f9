// A z-buffer in memory: triangles, thick lines, spheres and text, drawn sample by sample.
//
// The raster is larger than the final image (several samples per pixel side); st_raster_resolve averages it down,
// which smooths every edge. Screen coordinates are in samples, x to the right and y down. Depth is 1/w, where w is
// the distance along the viewing axis: it is linear on the screen and grows toward the viewer, 0 is infinitely far.
// Normals are in camera axes (x right, y up, z toward the viewer), where the lights are, too.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VISUAL_RASTER_H
#define SETTEE_VISUAL_RASTER_H

#include "visual/image.h"

typedef struct st_raster {
    int32_t width, height;
    uint32_t *color; // 0x00BBGGRR
    float *depth;
} st_raster;

// A corner of a triangle. The normal is divided by w like any quantity that is interpolated in perspective; its
// length does not matter otherwise. Coordinates must stay within ST_RASTER_MAX_COORDINATE.
typedef struct st_raster_vertex {
    double x, y;
    float depth;
    float normal[3];
    float paint[2]; // place on the color bar, or in a texture; divided by w like the normal
} st_raster_vertex;

enum { ST_RASTER_MAX_COORDINATE = 1 << 18 };

// Where the color of a triangle's sample comes from.
typedef enum st_raster_paint { ST_PAINT_PLAIN, ST_PAINT_SCALAR, ST_PAINT_TEXTURE } st_raster_paint;

typedef struct st_raster_style {
    float color[3];     // linear light, see st_raster_color
    float alpha;        // below 1 the shape is blended and leaves the depth as it was
    bool lit;           // false: the plain color
    unsigned edges;     // triangles: bit i set draws the side from corner i to corner i + 1
    float edge_width;   // half of its width, in samples
    float edge_opacity; // 0..1
    st_raster_paint paint;
    const struct st_texture *texture; // visual/picture.h
} st_raster_style;

bool st_raster_init(st_raster *raster, int32_t width, int32_t height);
void st_raster_free(st_raster *raster);

// Lights add up in linear light, colors are given as they appear on a screen. A square is close enough to the
// sRGB curve for pictures, and its inverse is one square root per channel.
void st_raster_color(float linear[3], float red, float green, float blue);

// Clears the depth and fills the colors with a vertical gradient between two colors as they appear on a screen.
void st_raster_background(st_raster *raster, const float top[3], const float bottom[3]);

void st_raster_triangle(st_raster *raster, const st_raster_vertex corners[3], const st_raster_style *style);

// A segment with round ends; lit lines are shaded like tubes.
void st_raster_line(st_raster *raster, const st_raster_vertex *a, const st_raster_vertex *b, double half_width,
                    const st_raster_style *style);

// A sphere that looks `radius` samples large. `bulge` is its radius over w: how far it reaches toward the viewer.
void st_raster_sphere(st_raster *raster, const st_raster_vertex *center, double radius, double bulge,
                      const st_raster_style *style);

// Averages samples x samples blocks into the pixels of an image of the fitting size.
void st_raster_resolve(const st_raster *raster, uint32_t samples, st_image *image);

#endif
