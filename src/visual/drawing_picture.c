// From items to shapes: arrows and frames become lines, values become places on the color bar, textures are read.
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/drawing_picture.h"

#include <math.h>

#include "base/array.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "scene/scene.h"
#include "visual/texture.h"

enum { ARROW_LINES = 5 };

static st_color color_of(const st_draw_item *item) {
    return (st_color){item->color[0], item->color[1], item->color[2], item->color[3]};
}

// Places on the color bar.
static const float *on_bar(st_drawing *d, const st_draw_item *item) {
    const size_t count = item->scalars_per_element ? item->element_count : item->point_count;
    const double low = d->legend.low, range = d->legend.high - low;
    float *t = item->scalars ? st_drawing_alloc(d, count, sizeof *t) : NULL;
    for (size_t i = 0; t && i < count; i++) {
        const double value = (double)item->scalars[i];
        t[i] = isfinite(value) ? (float)(range > 0 ? (value - low) / range : 0) : NAN;
    }
    return t;
}

// A shaft and four lines for its head.
static void put_arrow(st_real *lines, const st_real from[3], const st_real way[3], st_real most) {
    const st_real length = st_vec3_norm(way), head = (st_real)fmin((double)length / 3, (double)most);
    st_real to[3], along[3], side[2][3], other[3] = {1, 0, 0};
    st_vec3_add(to, from, way);
    st_vec3_copy(lines, from);
    st_vec3_copy(lines + 3, to);
    for (int k = 1; k < ARROW_LINES; k++) st_vec3_copy(lines + 6 * k, to), st_vec3_copy(lines + 6 * k + 3, to);
    if (!(length > 0)) return;

    // two directions across the shaft
    st_vec3_scale(along, way, 1 / length);
    if (fabs((double)along[0]) > 0.8) st_vec3_set(other, 0, 1, 0);
    st_vec3_cross(side[0], along, other);
    st_vec3_normalize(side[0], side[0]);
    st_vec3_cross(side[1], along, side[0]);
    for (int k = 0; k < 4; k++) {
        st_real *barb = lines + 6 * (k + 1) + 3;
        st_vec3_add_scaled(barb, to, along, -head);
        st_vec3_add_scaled(barb, barb, side[k / 2], k % 2 ? head / 2 : -head / 2);
    }
}

static st_status add_arrows(st_picture *picture, st_drawing *d, const st_draw_item *item) {
    st_real *lines = st_drawing_alloc(d, item->point_count * ARROW_LINES * 6, sizeof *lines);
    size_t count = 0;
    for (size_t i = 0; lines && i < item->point_count; i++) {
        const st_real *way = item->vectors + 3 * i;
        if (st_vec3_norm(way) > 0)
            put_arrow(lines + 6 * ARROW_LINES * count++, item->positions + 3 * i, way, (st_real)(d->size / 40));
    }
    if (!lines) return ST_OUT_OF_MEMORY;
    return st_picture_add_lines(picture, lines, 2 * ARROW_LINES * count, NULL, ARROW_LINES * count, color_of(item),
                                item->size);
}

static st_status add_frames(st_picture *picture, st_drawing *d, const st_draw_item *item) {
    static const st_color axes[3] = {{0.86F, 0.24F, 0.22F, 1}, {0.28F, 0.66F, 0.28F, 1}, {0.22F, 0.42F, 0.88F, 1}};
    st_status status = ST_OK;
    for (int k = 0; status == ST_OK && k < 3; k++) {
        st_real *ends = st_drawing_alloc(d, 6 * item->point_count, sizeof *ends);
        const st_real unit[3] = {k == 0, k == 1, k == 2};

        // from the center along the axis
        for (size_t i = 0; ends && i < item->point_count; i++) {
            st_real q[4], axis[3];
            st_quat_normalize(q, item->quaternion + 4 * i);
            st_quat_rotate(axis, q, unit);
            st_vec3_copy(ends + 6 * i, item->positions + 3 * i);
            st_vec3_add_scaled(ends + 6 * i + 3, ends + 6 * i, axis, (st_real)item->size);
        }
        status =
            ends ? st_picture_add_lines(picture, ends, 2 * item->point_count, NULL, item->point_count, axes[k], 2.5F)
                 : ST_OUT_OF_MEMORY;
    }
    return status;
}

static const st_texture *texture_of(st_drawing *d, const st_draw_item *item, st_scene *scene) {
    char why[256];
    if (!item->texture || !item->texcoords) return NULL;
    for (size_t i = 0; i < d->textures.count; i++)
        if (strcmp(d->textures.data[i]->path, item->texture) == 0)
            return d->textures.data[i]->texture.pixels ? &d->textures.data[i]->texture : NULL;

    // a new one, which stays with the drawing
    st_read_texture *made = st_alloc(1, sizeof *made);
    if (!made || !(made->path = st_string_copy(item->texture)) || !st_list_push(&d->textures, made)) {
        if (made) st_free(made->path);
        st_free(made);
        d->failed = true;
        return NULL;
    }
    if (st_texture_read(&made->texture, item->texture, why, sizeof why)) return &made->texture;
    if (st_first_time(item->object, "texture"))
        st_scene_message(scene, ST_WARNING, "picture", item->texture, 0, "the texture is not drawn: %s", why);
    return NULL;
}

void st_free_textures(st_drawing *drawing) {
    for (size_t i = 0; i < drawing->textures.count; i++) {
        st_texture_free(&drawing->textures.data[i]->texture);
        st_free(drawing->textures.data[i]->path);
        st_free(drawing->textures.data[i]);
    }
    st_list_free(&drawing->textures);
}

static st_status add_surface(st_picture *picture, const st_draw_item *item) {
    st_surface_style style = st_default_surface_style();
    style.color = color_of(item);
    style.edges = item->edges;
    style.flat = item->flat;
    const st_status status = st_picture_add_surface(picture, item->positions, item->point_count, item->indices,
                                                    item->element_count, NULL, 0, &style);

    // the diagonals of quads are no edges
    if (status == ST_OK && item->edges && item->sides)
        memcpy(picture->shapes.data[picture->shapes.count - 1].sides, item->sides, item->element_count);
    return status;
}

static st_status add_item(st_picture *picture, st_drawing *d, const st_draw_item *item) {
    switch (item->kind) {
    case ST_DRAW_TRIANGLES: return add_surface(picture, item);
    case ST_DRAW_LINES:
        return st_picture_add_lines(picture, item->positions, item->point_count, item->indices, item->element_count,
                                    color_of(item), item->size);
    case ST_DRAW_POINTS:
    case ST_DRAW_SPHERES:
        return st_picture_add_points(picture, item->positions, item->point_count, color_of(item), item->size);
    case ST_DRAW_LABELS: return st_picture_add_labels(picture, item->positions, item->point_count, color_of(item));
    case ST_DRAW_ARROWS: return add_arrows(picture, d, item);
    case ST_DRAW_FRAMES: return add_frames(picture, d, item);
    }
    return ST_OK;
}

st_status st_picture_take_drawing(st_picture *picture, st_drawing *d, st_scene *scene) {
    st_status status = ST_OK;
    for (size_t i = 0; status == ST_OK && i < d->items.count; i++) {
        const st_draw_item *item = &d->items.data[i];
        status = add_item(picture, d, item);
        if (status != ST_OK || item->kind == ST_DRAW_ARROWS || item->kind == ST_DRAW_FRAMES) continue;

        // what shapes have beyond their places
        st_shape *shape = &picture->shapes.data[picture->shapes.count - 1];
        shape->scalars = on_bar(d, item);
        shape->scalars_per_element = item->scalars_per_element;
        shape->colors = item->colors;
        shape->radii = item->radii;
        shape->labels = item->labels;
        shape->texcoords = item->texcoords;
        shape->texture = texture_of(d, item, scene);
    }
    picture->legend = (st_legend){d->legend.title, d->legend.low, d->legend.high};
    return d->failed ? ST_OUT_OF_MEMORY : status;
}
