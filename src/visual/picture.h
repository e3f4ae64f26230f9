// Pictures of a scene without a graphics card: surfaces, lines and points are collected, then drawn into an image.
//
//     st_picture picture = {0};
//     st_surface_style style = st_default_surface_style();
//     st_picture_add_surface(&picture, positions, point_count, triangles, triangle_count, NULL, 0, &style);
//     st_picture_set_caption(&picture, "t = 1.00 s");
//     st_picture_view view = st_default_picture_view();
//     st_image image = {0};
//     if (st_picture_render(&picture, &view, &image, &error) == ST_OK) st_image_write_png(&image, "out.png", &error);
//     st_image_free(&image);
//     st_picture_free(&picture);
//
// What is added is copied. Shapes with a coordinate that is not finite are left out of the picture, so that the
// last state of a simulation that blew up can still be seen.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VISUAL_PICTURE_H
#define SETTEE_VISUAL_PICTURE_H

#include "visual/image.h"

typedef struct st_color {
    float r, g, b, a; // 0..1, as on a screen (sRGB); a = 1 is opaque
} st_color;

// An image on a surface.
typedef struct st_texture {
    uint32_t width, height;
    uint8_t *pixels; // 4 bytes each: red, green, blue, opacity; rows from top to bottom
} st_texture;

// The color bar beside the picture; without a title there is none.
typedef struct st_legend {
    const char *title; // borrowed
    double low, high;
} st_legend;

typedef enum st_shape_kind { ST_SHAPE_SURFACE, ST_SHAPE_LINES, ST_SHAPE_POINTS, ST_SHAPE_LABELS } st_shape_kind;

typedef struct st_shape {
    st_shape_kind kind;
    double *positions; // 3 per point
    size_t point_count;
    uint32_t *indices; // 3 per triangle, 2 per line, 1 per point
    size_t count;      // triangles, lines or points
    uint8_t *sides;    // surfaces with edges: per triangle, bit i marks the side from corner i to i + 1
    st_color color;
    float size; // pixels: width of lines, radius of points, width of the edges of a surface
    bool flat;
    // Set after the shape was added; borrowed.
    const float *scalars;      // places on the color bar, 0 to 1, of each point or element; NaN: `color`
    bool scalars_per_element;  //
    const float *colors;       // of each element: red, green, blue, opacity (which counts for the shape as a whole)
    const st_real *radii;      // of points, in the units of the positions, instead of `size`
    const char *const *labels; // of labels: a text for each point
    const float *texcoords;    // 2 for each corner of each triangle
    const st_texture *texture;
} st_shape;

typedef struct st_picture {
    ST_LIST(st_shape) shapes;
    char *caption;
    st_legend legend;
} st_picture;

typedef struct st_surface_style {
    st_color color;
    bool edges;       // draw the sides of triangles and quads (not the diagonals of quads) as thin dark lines
    float edge_width; // pixels
    bool flat;        // one normal per triangle; otherwise smooth up to creases
} st_surface_style;

st_surface_style st_default_surface_style(void);

// The add functions answer ST_INVALID when an index is out of range and ST_OUT_OF_MEMORY; nothing is added then.
// Triangles and quads may each be absent (NULL, 0).
st_status st_picture_add_surface(st_picture *picture, const st_real *positions, size_t point_count,
                                 const uint32_t *triangles, size_t triangle_count, const uint32_t *quads,
                                 size_t quad_count, const st_surface_style *style);
// With pairs = NULL the points 2i and 2i + 1 are joined. Lines from 2.5 pixels on are shaded like tubes.
st_status st_picture_add_lines(st_picture *picture, const st_real *positions, size_t point_count, const uint32_t *pairs,
                               size_t pair_count, st_color color, float width);
st_status st_picture_add_points(st_picture *picture, const st_real *positions, size_t point_count, st_color color,
                                float radius);
// The texts are set afterward, see st_shape.
st_status st_picture_add_labels(st_picture *picture, const st_real *positions, size_t point_count, st_color color);
st_status st_picture_set_caption(st_picture *picture, const char *text); // upper left corner; NULL removes it

// The box around all that would be drawn, as low and high corner; false when there is nothing.
bool st_picture_bounds(const st_picture *picture, double bounds[2][3]);

void st_picture_free(st_picture *picture); // leaves an empty one

// From where one looks. By default everything fits in the image; for a film, give the same bounds to each frame.
typedef struct st_picture_view {
    uint32_t width, height;
    double direction[3];  // from what one looks at toward the viewer, any length
    double up[3];         // zero: y, or z when looking along y
    double field_of_view; // degrees, vertical, 1 to 150
    double zoom;          // 2 shows half as much; 0.001 to 1000
    bool has_bounds;      // fit this box instead of the shapes
    double bounds[2][3];
    bool has_eye; // look from here at the target instead; direction, bounds and zoom do not matter then
    double eye[3], target[3];
    bool axes;        // the small x, y, z axes in the lower left corner
    uint32_t samples; // per pixel side, 1..4; reduced for very large images
    st_color background_top, background_bottom;
} st_picture_view;

st_picture_view st_default_picture_view(void);

// Draws into the image, which is made as large as the view wants (start from a zeroed struct).
st_status st_picture_render(const st_picture *picture, const st_picture_view *view, st_image *image,
                            st_image_error *error);

#endif
