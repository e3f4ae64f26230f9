// The list of what is drawn: items, their memory, and the canvas through which components add to it.
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/drawing.h"

#include <math.h>
#include <stdio.h>

#include "base/array.h"

// ---------------------------------------------------------------------------------------------------
// Items
// ---------------------------------------------------------------------------------------------------

void *st_drawing_alloc(st_drawing *drawing, size_t count, size_t size) {
    void *memory = st_alloc(count ? count : 1, size);
    if (memory && st_list_push(&drawing->owned, memory)) return memory;
    st_free(memory);
    drawing->failed = true;
    return NULL;
}

void st_drawing_begin(st_drawing *drawing, const st_object *object, unsigned show) {
    if (drawing->object == object && drawing->show == show) return;
    drawing->object = object;
    drawing->show = show;
    drawing->ordinal = 0;
}

// Mixes a number into a hash (the finalizer of SplitMix64).
static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) + UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
    return hash ^ hash >> 31;
}

st_draw_item *st_drawing_add(st_drawing *drawing, st_draw_kind kind, st_rgba color) {
    st_draw_item item = {.object = drawing->object, .show = drawing->show, .kind = kind};
    item.color[0] = color.r, item.color[1] = color.g, item.color[2] = color.b, item.color[3] = color.a;
    item.size = kind == ST_DRAW_POINTS ? 4 : kind == ST_DRAW_ARROWS ? 2 : 1.5F;

    // an address stays that of its component; the ordinal tells its items apart
    item.key = mix(mix((uint64_t)(uintptr_t)drawing->object, drawing->show), drawing->ordinal++);
    if (!st_list_push(&drawing->items, item)) {
        drawing->failed = true;
        return NULL;
    }
    return &drawing->items.data[drawing->items.count - 1];
}

const st_real *st_drawing_places(st_drawing *drawing, size_t count, const st_real *positions, size_t stride,
                                 size_t spatial, bool borrow) {
    if (borrow && stride == 3 && spatial == 3) return positions;

    // what is not given is zero (a Rigid2 is x, y and an angle)
    st_real *out = st_drawing_alloc(drawing, count * 3, sizeof *out);
    for (size_t i = 0; out && i < count; i++)
        for (size_t k = 0; k < 3 && k < spatial; k++) out[3 * i + k] = positions[i * stride + k];
    return out;
}

const st_real *st_drawing_state_places(st_drawing *drawing, const st_state *state) {
    const st_dof *dof = st_state_dof(state);
    return st_drawing_places(drawing, state->size, state->coord[ST_COORD_POSITION].data, dof->coord, dof->spatial,
                             true);
}

const uint32_t *st_drawing_numbers(st_drawing *drawing, size_t count) {
    uint32_t *numbers = st_drawing_alloc(drawing, count, sizeof *numbers);
    for (size_t i = 0; numbers && i < count; i++) numbers[i] = (uint32_t)i;
    return numbers;
}

static const size_t indices_of[] = {[ST_DRAW_LINES] = 2, [ST_DRAW_TRIANGLES] = 3, [ST_DRAW_LABELS] = 0};

// Everything whose change means that more than numbers has changed.
static uint64_t topology_of(const st_draw_item *item) {
    uint64_t hash = mix(mix((uint64_t)item->kind, item->point_count), item->element_count);
    if (!item->indices) return hash;

    const size_t count = item->element_count * indices_of[item->kind];
    for (size_t i = 0; i + 1 < count; i += 2) hash = mix(hash, (uint64_t)item->indices[i] << 32 | item->indices[i + 1]);
    return count % 2 ? mix(hash, item->indices[count - 1]) : hash;
}

// ---------------------------------------------------------------------------------------------------
// The canvas that components draw on
// ---------------------------------------------------------------------------------------------------

static void canvas_points(st_canvas *canvas, size_t count, const st_real *positions, size_t stride, st_rgba color) {
    st_drawing *d = (st_drawing *)canvas;
    const st_real *places = st_drawing_places(d, count, positions, stride, stride, false);
    st_draw_item *item = places ? st_drawing_add(d, ST_DRAW_POINTS, color) : NULL;
    if (item) item->positions = places, item->point_count = item->element_count = count;
}

static bool in_range(const uint32_t *indices, size_t count, size_t points) {
    for (size_t i = 0; i < count; i++)
        if (indices[i] >= points) return false;
    return true;
}

// Lines and triangles; one with an index out of range is not drawn at all.
static void add_elements(st_drawing *d, st_draw_kind kind, size_t count, const uint32_t *indices,
                         const st_real *positions, size_t points, int stride, st_rgba color) {
    const size_t n = count * indices_of[kind];
    if (!in_range(indices, n, points)) return;

    const st_real *places = st_drawing_places(d, points, positions, (size_t)stride, (size_t)stride, false);
    uint32_t *copy = st_drawing_alloc(d, n, sizeof *copy);
    st_draw_item *item = places && copy ? st_drawing_add(d, kind, color) : NULL;
    if (!item) return;
    st_copy_bytes(copy, indices, n * sizeof *copy);
    item->positions = places, item->point_count = points;
    item->indices = copy, item->element_count = count;
}

static void canvas_lines(st_canvas *canvas, size_t count, const uint32_t *pairs, const st_real *positions,
                         size_t points, int stride, st_rgba color) {
    add_elements((st_drawing *)canvas, ST_DRAW_LINES, count, pairs, positions, points, stride, color);
}

static void canvas_triangles(st_canvas *canvas, size_t count, const uint32_t *corners, const st_real *positions,
                             size_t points, int stride, st_rgba color) {
    add_elements((st_drawing *)canvas, ST_DRAW_TRIANGLES, count, corners, positions, points, stride, color);
}

static void canvas_arrows(st_canvas *canvas, size_t count, const st_real *positions, int stride, const st_real *vectors,
                          int vector_stride, st_real scale, st_rgba color) {
    st_drawing *d = (st_drawing *)canvas;
    const st_real *places = st_drawing_places(d, count, positions, (size_t)stride, (size_t)stride, false);
    st_real *copy = st_drawing_alloc(d, count * 3, sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        for (size_t k = 0; k < 3 && k < (size_t)vector_stride; k++)
            copy[3 * i + k] = scale * vectors[i * (size_t)vector_stride + k];

    st_draw_item *item = places && copy ? st_drawing_add(d, ST_DRAW_ARROWS, color) : NULL;
    if (item) item->positions = places, item->vectors = copy, item->point_count = item->element_count = count;
}

static void canvas_spheres(st_canvas *canvas, size_t count, const st_real *positions, int stride, const st_real *radii,
                           st_rgba color) {
    st_drawing *d = (st_drawing *)canvas;
    const st_real *places = st_drawing_places(d, count, positions, (size_t)stride, (size_t)stride, false);
    st_real *copy = st_drawing_alloc(d, count, sizeof *copy);
    st_draw_item *item = places && copy ? st_drawing_add(d, ST_DRAW_SPHERES, color) : NULL;
    if (!item) return;
    st_copy_reals(copy, radii, count);
    item->positions = places, item->radii = copy, item->point_count = item->element_count = count;
}

static void canvas_numbers(st_canvas *canvas, size_t count, const st_real *positions, int stride, st_rgba color) {
    st_drawing *d = (st_drawing *)canvas;
    st_drawing_add_numbers(d, count, st_drawing_places(d, count, positions, (size_t)stride, (size_t)stride, false),
                           color);
}

void st_drawing_add_numbers(st_drawing *d, size_t count, const st_real *places, st_rgba color) {
    enum { LABEL_SIZE = 12 };
    const char **labels = st_drawing_alloc(d, count, sizeof *labels);
    char *text = st_drawing_alloc(d, count, LABEL_SIZE);
    for (size_t i = 0; labels && text && i < count; i++) {
        labels[i] = text + LABEL_SIZE * i;
        snprintf(text + LABEL_SIZE * i, LABEL_SIZE, "%u", (unsigned)i);
    }

    st_draw_item *item = places && labels && text ? st_drawing_add(d, ST_DRAW_LABELS, color) : NULL;
    if (item) item->positions = places, item->labels = labels, item->point_count = item->element_count = count;
}

// ---------------------------------------------------------------------------------------------------
// What programs see
// ---------------------------------------------------------------------------------------------------

st_drawing *st_drawing_of_canvas(st_canvas *canvas) {
    return canvas->triangles == canvas_triangles ? (st_drawing *)canvas : NULL;
}

st_drawing *st_make_drawing(void) {
    st_drawing *drawing = st_alloc(1, sizeof *drawing);
    if (drawing)
        drawing->canvas = (st_canvas){
            canvas_points, canvas_lines, canvas_triangles, canvas_arrows, canvas_spheres, canvas_numbers, 0};
    return drawing;
}

void st_clear_drawing(st_drawing *drawing) {
    for (size_t i = 0; i < drawing->owned.count; i++) st_free(drawing->owned.data[i]);
    drawing->owned.count = drawing->items.count = drawing->fields.count = 0;
    drawing->legend = (st_draw_legend){0};
    drawing->object = NULL;
    drawing->show = 0;
    drawing->ordinal = 0;
    drawing->surfaces = 0;
    drawing->failed = false;
}

void st_free_drawing(st_drawing *drawing) {
    if (!drawing) return;
    st_clear_drawing(drawing);
    st_free_body_meshes(drawing);
    st_free_trails(drawing);
    st_free_textures(drawing);
    st_list_free(&drawing->owned);
    st_list_free(&drawing->items);
    st_list_free(&drawing->fields);
    st_free(drawing);
}

void st_seal_drawing(st_drawing *drawing) {
    for (size_t i = 0; i < drawing->items.count; i++)
        drawing->items.data[i].topology = topology_of(&drawing->items.data[i]);
}

bool st_item_place(const st_draw_item *item, size_t i, st_real p[3]) {
    const size_t point = item->indices ? item->indices[i] : i;
    for (int k = 0; k < 3; k++) p[k] = item->positions[3 * point + (size_t)k];
    return isfinite((double)p[0] + (double)p[1] + (double)p[2]) != 0;
}

size_t st_item_places(const st_draw_item *item) {
    return item->indices ? item->element_count * indices_of[item->kind] : item->point_count;
}

bool st_add_item_bounds(const st_draw_item *item, st_real box[6]) {
    bool any = false;
    for (size_t i = 0; i < st_item_places(item); i++) {
        st_real p[3];
        if (!st_item_place(item, i, p)) continue;
        any = true;

        // most often points are all that there is
        if (!item->radii && !item->vectors) {
            for (int k = 0; k < 3; k++) {
                if (p[k] < box[k]) box[k] = p[k];
                if (p[k] > box[3 + k]) box[3 + k] = p[k];
            }
            continue;
        }

        // what a sphere or an arrow covers, too
        const st_real r = item->radii && isfinite((double)item->radii[i]) ? item->radii[i] : 0;
        for (int k = 0; k < 3; k++) {
            const st_real v = item->vectors ? item->vectors[3 * i + (size_t)k] : 0;
            const st_real end = isfinite((double)v) ? p[k] + v : p[k];
            box[k] = (st_real)fmin((double)box[k], fmin((double)(p[k] - r), (double)end));
            box[3 + k] = (st_real)fmax((double)box[3 + k], fmax((double)(p[k] + r), (double)end));
        }
    }
    return any;
}
