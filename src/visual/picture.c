// Collecting the shapes of a picture.
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/picture.h"

#include <string.h>
#include <tgmath.h>

#include "base/array.h"

// Beyond this a coordinate is clamped: squares and products of such numbers are still finite.
static const double far_away = 1e30;
enum { MAX_SIZE = 1000 }; // pixels, of a line's width or a point's radius

st_surface_style st_default_surface_style(void) {
    return (st_surface_style){.color = {0.36f, 0.58f, 0.82f, 1.0f}, .edge_width = 1.0f};
}

static void free_shape(st_shape *shape) {
    st_free(shape->positions);
    st_free(shape->indices);
    st_free(shape->sides);
}

static bool picture_in_range(const uint32_t *indices, size_t count, size_t point_count) {
    for (size_t i = 0; i < count; i++)
        if (indices[i] >= point_count) return false;
    return true;
}

// Allocates a shape of `count` items with `width` indices each and copies the points.
static st_status make_shape(st_shape *shape, const st_real *positions, size_t point_count, size_t count, size_t width) {
    if (point_count > UINT32_MAX / 4 || count > UINT32_MAX / 4) return ST_INVALID;

    shape->point_count = point_count;
    shape->count = count;
    shape->positions = st_alloc(point_count * 3, sizeof(double));
    shape->indices = st_alloc(count * width, sizeof(uint32_t));
    if (!shape->positions || !shape->indices) return ST_OUT_OF_MEMORY;

    // coordinates that are not finite stay out of the picture
    for (size_t i = 0; i < point_count * 3; i++) {
        const double x = (double)positions[i];
        shape->positions[i] = isfinite(x) ? fmax(-far_away, fmin(far_away, x)) : NAN;
    }
    return ST_OK;
}

static st_status keep_shape(st_picture *picture, st_shape *shape, st_status status) {
    if (status == ST_OK && !st_list_push(&picture->shapes, *shape)) status = ST_OUT_OF_MEMORY;
    if (status != ST_OK) free_shape(shape);
    return status;
}

static float pixel_size(float size) { return size > 0 ? (size < MAX_SIZE ? size : MAX_SIZE) : 1.0f; }

// A quad a b c d becomes the triangles a b c and a c d; the sides that they share stay unmarked.
static void split_quads(st_shape *shape, size_t first, const uint32_t *quads, size_t quad_count) {
    for (size_t q = 0; q < quad_count; q++) {
        const uint32_t *v = quads + 4 * q;

        const size_t t = first + 2 * q;
        const uint32_t corners[6] = {v[0], v[1], v[2], v[0], v[2], v[3]};
        memcpy(shape->indices + 3 * t, corners, sizeof corners);
        if (shape->sides) shape->sides[t] = 3, shape->sides[t + 1] = 6;
    }
}

st_status st_picture_add_surface(st_picture *picture, const st_real *positions, size_t point_count,
                                 const uint32_t *triangles, size_t triangle_count, const uint32_t *quads,
                                 size_t quad_count, const st_surface_style *style) {
    if (triangle_count > UINT32_MAX / 8 || quad_count > UINT32_MAX / 16) return ST_INVALID;
    if (!picture_in_range(triangles, 3 * triangle_count, point_count) ||
        !picture_in_range(quads, 4 * quad_count, point_count))
        return ST_INVALID;

    // points, and room for two triangles per quad
    st_shape shape = {.kind = ST_SHAPE_SURFACE, .color = style->color, .flat = style->flat};
    shape.size = pixel_size(style->edge_width);
    st_status status = make_shape(&shape, positions, point_count, triangle_count + 2 * quad_count, 3);

    // which sides of a triangle are sides of the mesh
    if (status == ST_OK && style->edges) {
        shape.sides = st_alloc(shape.count, 1);
        if (shape.sides) memset(shape.sides, 7, triangle_count);
        else status = ST_OUT_OF_MEMORY;
    }

    if (status == ST_OK) {
        if (triangle_count) memcpy(shape.indices, triangles, triangle_count * 3 * sizeof(uint32_t));
        split_quads(&shape, triangle_count, quads, quad_count);
    }

    return keep_shape(picture, &shape, status);
}

st_status st_picture_add_lines(st_picture *picture, const st_real *positions, size_t point_count, const uint32_t *pairs,
                               size_t pair_count, st_color color, float width) {
    if (pair_count > UINT32_MAX / 8) return ST_INVALID;
    if (pairs ? !picture_in_range(pairs, 2 * pair_count, point_count) : 2 * pair_count > point_count) return ST_INVALID;

    st_shape shape = {.kind = ST_SHAPE_LINES, .color = color, .size = pixel_size(width)};
    const st_status status = make_shape(&shape, positions, point_count, pair_count, 2);
    for (size_t i = 0; status == ST_OK && i < 2 * pair_count; i++) shape.indices[i] = pairs ? pairs[i] : (uint32_t)i;

    return keep_shape(picture, &shape, status);
}

static st_status add_places(st_picture *picture, st_shape shape, const st_real *positions, size_t point_count) {
    const st_status status = make_shape(&shape, positions, point_count, point_count, 1);
    for (size_t i = 0; status == ST_OK && i < point_count; i++) shape.indices[i] = (uint32_t)i;

    return keep_shape(picture, &shape, status);
}

st_status st_picture_add_points(st_picture *picture, const st_real *positions, size_t point_count, st_color color,
                                float radius) {
    const st_shape shape = {.kind = ST_SHAPE_POINTS, .color = color, .size = pixel_size(radius)};
    return add_places(picture, shape, positions, point_count);
}

st_status st_picture_add_labels(st_picture *picture, const st_real *positions, size_t point_count, st_color color) {
    return add_places(picture, (st_shape){.kind = ST_SHAPE_LABELS, .color = color, .size = 1}, positions, point_count);
}

st_status st_picture_set_caption(st_picture *picture, const char *text) {
    char *copy = st_string_copy(text);
    if (text && !copy) return ST_OUT_OF_MEMORY;

    st_free(picture->caption);
    picture->caption = copy;
    return ST_OK;
}

// How far a sphere reaches from its center.
static double shape_radius(const st_shape *shape, size_t i) {
    const double r = shape->radii ? (double)shape->radii[i] : 0;
    return r > 0 && r < far_away ? r : 0;
}

bool st_picture_bounds(const st_picture *picture, double bounds[2][3]) {
    static const size_t widths[] = {
        [ST_SHAPE_SURFACE] = 3, [ST_SHAPE_LINES] = 2, [ST_SHAPE_POINTS] = 1, [ST_SHAPE_LABELS] = 1};
    for (int k = 0; k < 3; k++) bounds[0][k] = INFINITY, bounds[1][k] = -INFINITY;

    // points that no triangle or line uses do not count
    for (size_t s = 0; s < picture->shapes.count; s++) {
        const st_shape *shape = &picture->shapes.data[s];
        for (size_t i = 0; i < shape->count * widths[shape->kind]; i++) {
            const double *p = shape->positions + 3 * (size_t)shape->indices[i];
            if (!isfinite(p[0] + p[1] + p[2])) continue;
            const double r = shape_radius(shape, i);
            for (int k = 0; k < 3; k++) {
                bounds[0][k] = fmin(bounds[0][k], p[k] - r);
                bounds[1][k] = fmax(bounds[1][k], p[k] + r);
            }
        }
    }

    return bounds[0][0] <= bounds[1][0];
}

void st_picture_free(st_picture *picture) {
    for (size_t i = 0; i < picture->shapes.count; i++) free_shape(&picture->shapes.data[i]);
    st_list_free(&picture->shapes);
    st_free(picture->caption);
    picture->caption = NULL;
}
