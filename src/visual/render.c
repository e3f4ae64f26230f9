// Drawing a picture:
//
//     1. place the camera
//     2. fill the background
//     3. draw opaque surfaces, then lines and points
//     4. draw transparent triangles, the farthest first
//     5. draw the axes and the caption on top
//     6. average the samples into pixels
//
// Shapes are clipped in camera axes against the near plane and against a frustum twice as wide as the screen, which
// keeps screen coordinates in the range that the raster can take.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#include "base/array.h"
#include "visual/camera.h"
#include "visual/legend.h"
#include "visual/normals.h"
#include "visual/paint.h"
#include "visual/picture.h"
#include "visual/raster.h"
#include "visual/text.h"
#include "visual/triad.h"

enum {
    MAX_SAMPLES = 4,
    MAX_RASTER = 1 << 27, // samples in all; 8 bytes each
    PLANES = 5,
    MAX_CORNERS = 16, // of a clipped triangle: each plane adds one corner, and rounding may add a few
};

// Lines are drawn this much nearer than they are, so that a line on a surface is not swallowed by it.
static const double line_bias = 3e-3;

// A surface in camera axes, with a normal for each corner of each triangle.
typedef struct surface {
    double *points;
    float *normals;
} surface;

typedef struct canvas {
    const st_picture *picture;
    st_camera camera;
    st_raster raster;
    double samples;    // per pixel side
    double guard[2];   // |x| <= guard w, |y| <= guard w: twice the screen
    surface *surfaces; // one per shape, empty for other kinds
} canvas;

typedef struct corner {
    double point[3];
    double normal[3];
    double paint[2]; // place on the color bar, or in the texture
    bool side;       // the side from here to the next corner is an edge of the mesh
} corner;

// ---- clipping

// Signed distance to one of the planes, positive inside, up to a factor.
static double plane_distance(const canvas *c, int plane, const double p[3]) {
    const double w = -p[2];
    switch (plane) {
    case 0: return w - ST_CAMERA_NEAR;
    case 1: return c->guard[0] * w - p[0];
    case 2: return c->guard[0] * w + p[0];
    case 3: return c->guard[1] * w - p[1];
    default: return c->guard[1] * w + p[1];
    }
}

static unsigned outside_mask(const canvas *c, const double p[3]) {
    unsigned mask = 0;
    for (int plane = 0; plane < PLANES; plane++) mask |= (plane_distance(c, plane, p) < 0 ? 1u : 0u) << plane;
    return mask;
}

static corner render_between(const corner *a, const corner *b, double t) {
    corner result = {.side = a->side};
    for (int k = 0; k < 3; k++) {
        result.point[k] = a->point[k] + t * (b->point[k] - a->point[k]);
        result.normal[k] = a->normal[k] + t * (b->normal[k] - a->normal[k]);
    }
    for (int k = 0; k < 2; k++) result.paint[k] = a->paint[k] + t * (b->paint[k] - a->paint[k]);
    return result;
}

// Sutherland and Hodgman: keeps the part of the polygon inside one plane.
static int clip_plane(const canvas *c, int plane, const corner *from, int count, corner *to) {
    int kept = 0;
    for (int i = 0; i < count && kept + 2 <= MAX_CORNERS; i++) {
        const corner *a = &from[i], *b = &from[(i + 1) % count];

        const double da = plane_distance(c, plane, a->point), db = plane_distance(c, plane, b->point);
        if (da >= 0) to[kept++] = *a;

        // a side that crosses the plane is cut there
        if ((da >= 0) == (db >= 0)) continue;
        to[kept] = render_between(a, b, da / (da - db));
        if (da >= 0) to[kept].side = false; // the next side runs along the plane
        kept++;
    }
    return kept;
}

static int clip_polygon(const canvas *c, unsigned mask, corner polygon[MAX_CORNERS]) {
    corner other[MAX_CORNERS];
    int count = 3;
    for (int plane = 0; plane < PLANES && count > 0; plane++) {
        if (!(mask >> plane & 1)) continue;
        count = clip_plane(c, plane, polygon, count, other);
        memcpy(polygon, other, (size_t)count * sizeof *polygon);
    }
    return count;
}

// Rounding can leave a clipped point slightly outside; w is kept positive and the raster limits x and y.
static st_raster_vertex to_vertex(const canvas *c, const double point[3], const double normal[3], double bias) {
    st_raster_vertex v = {0};
    const double z = fmin(point[2], -ST_CAMERA_NEAR);

    const double p[3] = {point[0], point[1], z};
    const double depth = 1 / fmax(ST_CAMERA_NEAR, -z - bias);

    st_camera_project(&c->camera, p, &v.x, &v.y);
    v.depth = (float)depth;
    for (int k = 0; k < 3; k++) v.normal[k] = (float)(normal[k] * depth);
    return v;
}

// ---- surfaces

static bool surface_create(canvas *c, const st_shape *shape, surface *s) {
    s->points = st_alloc(shape->point_count * 3, sizeof(double));
    s->normals = st_alloc(shape->count, 9 * sizeof(float));

    if (!s->points || !s->normals) return false;
    for (size_t i = 0; i < shape->point_count; i++)
        st_camera_transform(&c->camera, shape->positions + 3 * i, s->points + 3 * i);
    return st_corner_normals(s->points, shape->point_count, shape->indices, shape->count, shape->flat, s->normals);
}

// Which side of a triangle one sees depends on where the eye (the origin) is; normals are turned toward it. The plane
// of the triangle decides, not the smooth normals: near an outline these may point slightly away.
static double facing(const corner v[3]) {
    const double *a = v[0].point, *b = v[1].point, *c = v[2].point;
    double volume = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        volume += a[i] * ((b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]));
    }

    return volume > 0 ? -1 : 1;
}

static void draw_polygon(canvas *c, const corner *polygon, int count, st_raster_style style) {
    st_raster_vertex v[MAX_CORNERS];
    const bool edges = style.edges != 0;
    for (int i = 0; i < count; i++) {
        v[i] = to_vertex(c, polygon[i].point, polygon[i].normal, 0);
        for (int k = 0; k < 2; k++) v[i].paint[k] = (float)polygon[i].paint[k] * v[i].depth;
    }

    // a fan from corner 0: only its outer sides may be edges of the mesh
    for (int i = 1; i + 1 < count; i++) {
        const st_raster_vertex triangle[3] = {v[0], v[i], v[i + 1]};
        const bool first = i == 1, last = i + 2 == count;

        style.edges = (first && polygon[0].side ? 1u : 0u) | (polygon[i].side ? 2u : 0u) |
                      (last && polygon[i + 1].side ? 4u : 0u);
        if (!edges) style.edges = 0;
        st_raster_triangle(&c->raster, triangle, &style);
    }
}

// The color of one element: its own, its place on the color bar, or that of the shape.
static void element_color(const st_shape *shape, size_t i, st_raster_style *style) {
    if (shape->colors)
        st_raster_color(style->color, shape->colors[4 * i], shape->colors[4 * i + 1], shape->colors[4 * i + 2]);
    if (shape->scalars && isfinite(shape->scalars[i])) st_paint_scalar(style->color, shape->scalars[i]);
}

// Colors within a triangle: from the places of its corners on the color bar, or from the texture.
static void paint_triangle(const st_shape *shape, size_t t, corner polygon[3], st_raster_style *style) {
    style->paint = ST_PAINT_PLAIN;
    if (shape->scalars_per_element || shape->colors) element_color(shape, t, style);
    else if (shape->scalars) {
        bool known = true;
        for (int i = 0; i < 3; i++) {
            polygon[i].paint[0] = (double)shape->scalars[shape->indices[3 * t + (size_t)i]];
            known = known && isfinite(polygon[i].paint[0]);
        }
        if (known) style->paint = ST_PAINT_SCALAR;
    }

    if (style->paint != ST_PAINT_PLAIN || !shape->texture || !shape->texcoords) return;
    for (int i = 0; i < 6; i++) polygon[i / 2].paint[i % 2] = (double)shape->texcoords[6 * t + (size_t)i];
    style->paint = ST_PAINT_TEXTURE;
    style->texture = shape->texture;
}

static void draw_triangle(canvas *c, size_t shape_index, size_t t, st_raster_style shared) {
    st_raster_style *style = &shared;
    const st_shape *shape = &c->picture->shapes.data[shape_index];
    const surface *s = &c->surfaces[shape_index];
    corner polygon[MAX_CORNERS] = {0};
    unsigned every = ~0u, any = 0;

    style->edges = shape->sides ? shape->sides[t] : 0;

    // corners in camera axes; a triangle with one that is not finite is left out
    for (int i = 0; i < 3; i++) {
        const double *p = s->points + 3 * (size_t)shape->indices[3 * t + (size_t)i];
        if (!isfinite(p[0] + p[1] + p[2])) return;
        const unsigned mask = outside_mask(c, p);
        every &= mask, any |= mask;

        for (int k = 0; k < 3; k++) {
            polygon[i].point[k] = p[k];
            polygon[i].normal[k] = s->normals[9 * t + (size_t)(3 * i + k)];
        }
        polygon[i].side = style->edges >> i & 1;
    }

    // wholly outside of one plane: not seen
    if (every) return;
    paint_triangle(shape, t, polygon, style);

    // normals toward the eye, then what is left after clipping
    const double sign = facing(polygon);
    for (int i = 0; i < 9; i++) polygon[i / 3].normal[i % 3] *= sign;
    draw_polygon(c, polygon, any ? clip_polygon(c, any, polygon) : 3, *style);
}

static st_raster_style shape_style(const canvas *c, const st_shape *shape) {
    st_raster_style style = {.lit = true, .edge_opacity = 0.85f};
    st_raster_color(style.color, shape->color.r, shape->color.g, shape->color.b);

    style.alpha = shape->color.a >= 0 ? (shape->color.a < 1 ? shape->color.a : 1.0f) : 0.0f;
    style.edge_width = 0.5f * shape->size * (float)c->samples;
    return style;
}

static bool is_transparent(const st_shape *shape) {
    return shape->kind == ST_SHAPE_SURFACE && !(shape->color.a >= 0.999f);
}

static void draw_surface(canvas *c, size_t index) {
    const st_shape *shape = &c->picture->shapes.data[index];
    st_raster_style style = shape_style(c, shape);
    style.alpha = 1;
    for (size_t t = 0; t < shape->count; t++) draw_triangle(c, index, t, style);
}

// ---- lines and points

static void draw_line(canvas *c, const double *from, const double *to, double half_width,
                      const st_raster_style *style) {
    static const double no_normal[3] = {0, 0, 0};
    corner a = {0}, b = {0};

    st_camera_transform(&c->camera, from, a.point);
    st_camera_transform(&c->camera, to, b.point);
    for (int k = 0; k < 3; k++)
        if (!isfinite(a.point[k]) || !isfinite(b.point[k])) return;

    // the ends move to the planes that the line crosses
    for (int plane = 0; plane < PLANES; plane++) {
        const double da = plane_distance(c, plane, a.point), db = plane_distance(c, plane, b.point);
        if (da < 0 && db < 0) return;
        if (da >= 0 && db >= 0) continue;
        const corner cut = render_between(&a, &b, da / (da - db));
        if (da < 0) a = cut;
        else b = cut;
    }

    const st_raster_vertex va = to_vertex(c, a.point, no_normal, line_bias);
    const st_raster_vertex vb = to_vertex(c, b.point, no_normal, line_bias);
    st_raster_line(&c->raster, &va, &vb, half_width, style);
}

static void draw_lines(canvas *c, const st_shape *shape) {
    st_raster_style style = shape_style(c, shape);
    style.lit = shape->size >= 2.5f;

    const double half_width = fmax(0.5, 0.5 * shape->size * c->samples);
    const st_raster_style plain = style;
    for (size_t i = 0; i < shape->count; i++) {
        const uint32_t *ends = shape->indices + 2 * i;
        style = plain;
        if (shape->scalars_per_element || shape->colors) element_color(shape, i, &style);
        else if (shape->scalars) {
            const float mean = (shape->scalars[ends[0]] + shape->scalars[ends[1]]) / 2;
            if (isfinite(mean)) st_paint_scalar(style.color, mean);
        }
        draw_line(c, shape->positions + 3 * (size_t)ends[0], shape->positions + 3 * (size_t)ends[1], half_width,
                  &style);
    }
}

static void draw_points(canvas *c, const st_shape *shape) {
    static const double no_normal[3] = {0, 0, 0};
    for (size_t i = 0; i < shape->count; i++) {
        st_raster_style style = shape_style(c, shape);
        element_color(shape, i, &style);
        double p[3], radius = fmax(0.6, shape->size * c->samples);
        st_camera_transform(&c->camera, shape->positions + 3 * i, p);

        if (!isfinite(p[0] + p[1] + p[2]) || outside_mask(c, p)) continue;

        // one that is measured in the units of the scene looks smaller from afar
        if (shape->radii) radius = fmin(1e5, c->camera.focal * (double)shape->radii[i] / c->camera.scale / -p[2]);
        if (!(radius > 0)) continue;
        const st_raster_vertex center = to_vertex(c, p, no_normal, line_bias);
        st_raster_sphere(&c->raster, &center, radius, radius / c->camera.focal, &style);
    }
}

// ---- transparent surfaces

typedef struct far_triangle {
    double distance;
    uint32_t shape, triangle;
} far_triangle;

// Ties keep the order in which they were added, so that the picture does not depend on the sort.
static int compare_far(const void *left, const void *right) {
    const far_triangle *a = left, *b = right;
    if (a->distance != b->distance) return a->distance > b->distance ? -1 : 1;
    if (a->shape != b->shape) return a->shape < b->shape ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static size_t collect_far(const canvas *c, size_t index, far_triangle *list) {
    const st_shape *shape = &c->picture->shapes.data[index];
    size_t count = 0;

    // sorted by the sum of the three distances
    for (size_t t = 0; t < shape->count; t++) {
        double distance = 0;
        for (size_t i = 0; i < 3; i++) distance -= c->surfaces[index].points[3 * (size_t)shape->indices[3 * t + i] + 2];
        if (isfinite(distance)) list[count++] = (far_triangle){distance, (uint32_t)index, (uint32_t)t};
    }
    return count;
}

static bool draw_transparent(canvas *c) {
    size_t total = 0, count = 0;
    for (size_t i = 0; i < c->picture->shapes.count; i++)
        if (is_transparent(&c->picture->shapes.data[i])) total += c->picture->shapes.data[i].count;

    if (!total) return true;
    far_triangle *list = st_alloc(total, sizeof *list);
    if (!list) return false;

    // all of them, the farthest first
    for (size_t i = 0; i < c->picture->shapes.count; i++)
        if (is_transparent(&c->picture->shapes.data[i])) count += collect_far(c, i, list + count);
    qsort(list, count, sizeof *list, compare_far);

    for (size_t i = 0; i < count; i++) {
        const st_raster_style style = shape_style(c, &c->picture->shapes.data[list[i].shape]);
        draw_triangle(c, list[i].shape, list[i].triangle, style);
    }

    st_free(list);
    return true;
}

// ---- all together

static bool draw_shapes(canvas *c) {
    // opaque surfaces fill the depth first
    for (size_t i = 0; i < c->picture->shapes.count; i++) {
        const st_shape *shape = &c->picture->shapes.data[i];
        if (shape->kind != ST_SHAPE_SURFACE) continue;
        if (!surface_create(c, shape, &c->surfaces[i])) return false;
        if (!is_transparent(shape)) draw_surface(c, i);
    }

    // lines and points
    for (size_t i = 0; i < c->picture->shapes.count; i++) {
        const st_shape *shape = &c->picture->shapes.data[i];
        if (shape->kind == ST_SHAPE_LINES) draw_lines(c, shape);
        if (shape->kind == ST_SHAPE_POINTS) draw_points(c, shape);
    }

    return draw_transparent(c);
}

// Texts at points, over everything: their middle is at the point.
static void draw_texts(canvas *c, const st_shape *shape, double height) {
    float color[3];
    st_raster_color(color, shape->color.r, shape->color.g, shape->color.b);
    for (size_t i = 0; i < shape->count; i++) {
        double p[3], x, y;
        st_camera_transform(&c->camera, shape->positions + 3 * i, p);
        if (!isfinite(p[0] + p[1] + p[2]) || outside_mask(c, p)) continue;
        st_camera_project(&c->camera, p, &x, &y);
        st_text_draw(&c->raster, shape->labels[i], x - st_text_width(shape->labels[i], height) / 2, y + height / 2,
                     height, color);
    }
}

static void draw_labels(canvas *c, const st_picture_view *view) {
    const double side = fmin(view->width, view->height);
    const double height = fmax(9, 0.02 * side) * c->samples;

    for (size_t i = 0; i < c->picture->shapes.count; i++)
        if (c->picture->shapes.data[i].kind == ST_SHAPE_LABELS)
            draw_texts(c, &c->picture->shapes.data[i], 0.7 * height);

    if (c->picture->legend.title && side >= 96) st_legend_draw(&c->raster, &c->picture->legend, height);
    if (view->axes && side >= 48) st_triad_draw(&c->raster, &c->camera, fmax(14, 0.052 * side) * c->samples);
    if (!c->picture->caption) return;

    float color[3];
    st_raster_color(color, 0.16f, 0.18f, 0.21f);
    st_text_draw(&c->raster, c->picture->caption, 1.3 * height, 2.2 * height, height, color);
}

static void draw_background(canvas *c, const st_picture_view *view) {
    const st_color top = view->background_top, bottom = view->background_bottom;
    const float from[3] = {top.r, top.g, top.b}, to[3] = {bottom.r, bottom.g, bottom.b};
    st_raster_background(&c->raster, from, to);
}

static uint32_t sample_count(const st_picture_view *view) {
    const uint64_t pixels = (uint64_t)view->width * view->height;
    uint32_t samples = view->samples < 1 ? 1 : (view->samples > MAX_SAMPLES ? MAX_SAMPLES : view->samples);

    while (samples > 1 && pixels * samples * samples > MAX_RASTER) samples--;
    return samples;
}

static bool render_draw(canvas *c, const st_picture_view *view, int32_t width, int32_t height) {
    c->surfaces = st_alloc(c->picture->shapes.count, sizeof *c->surfaces);
    bool good = st_raster_init(&c->raster, width, height) && c->surfaces;

    if (good) {
        draw_background(c, view);
        good = draw_shapes(c);
        draw_labels(c, view);
    }

    for (size_t i = 0; c->surfaces && i < c->picture->shapes.count; i++) {
        st_free(c->surfaces[i].points);
        st_free(c->surfaces[i].normals);
    }
    st_free(c->surfaces);
    return good;
}

st_status st_picture_render(const st_picture *picture, const st_picture_view *view, st_image *image,
                            st_image_error *error) {
    st_status status = st_image_resize(image, view->width, view->height, error);
    if (status != ST_OK) return status;

    // several samples per pixel side
    const uint32_t samples = sample_count(view);
    canvas c = {.picture = picture, .samples = samples};
    const double width = (double)view->width * samples, height = (double)view->height * samples;
    status = st_camera_init(&c.camera, picture, view, width, height, error);
    if (status != ST_OK) return status;

    // twice the screen
    c.guard[0] = 2 * c.camera.half_width / c.camera.focal;
    c.guard[1] = 2 * c.camera.half_height / c.camera.focal;

    // drawn, then averaged down
    if (render_draw(&c, view, (int32_t)width, (int32_t)height)) st_raster_resolve(&c.raster, samples, image);
    else status = st_image_fail(error, ST_OUT_OF_MEMORY, "no memory to draw %u x %u pixels", view->width, view->height);

    st_raster_free(&c.raster);
    return status;
}
