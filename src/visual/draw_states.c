// What is drawn about states on request: velocities, forces, frames, boxes, numbers.
//
// The longest arrow of a kind has a fixed part of the size of the scene; the others are in proportion.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/array.h"
#include "visual/drawing.h"

static double length_of(const st_drawing *d, double usual) {
    return d->size * (d->options->arrow_length > 0 ? d->options->arrow_length : usual);
}

// Norm of the first `n` scalars; 0 where one is not finite.
static double norm(const st_real *v, size_t n) {
    double square = 0;
    for (size_t k = 0; k < n; k++) square += (double)v[k] * (double)v[k];
    return isfinite(square) ? sqrt(square) : 0;
}

static void draw_vectors(st_drawing *d, const st_state *state, const st_reals *list, unsigned show, st_rgba color) {
    const st_dof *dof = st_state_dof(state);
    if (list->count != state->size || dof->spatial < 1) return;

    double largest = 0;
    for (size_t i = 0; i < list->count; i++) largest = fmax(largest, norm(list->data + i * dof->deriv, dof->spatial));
    if (!(largest > 0)) return;

    // places and vectors in space
    const st_real *places = st_drawing_state_places(d, state);
    st_real *vectors = st_drawing_alloc(d, 3 * state->size, sizeof *vectors);
    const double scale = length_of(d, 0.15) / largest;
    for (size_t i = 0; vectors && i < state->size; i++)
        for (size_t k = 0; k < dof->spatial && k < 3; k++)
            vectors[3 * i + k] = (st_real)(scale * (double)list->data[i * dof->deriv + k]);

    st_drawing_begin(d, &state->object, show);
    st_draw_item *item = places && vectors ? st_drawing_add(d, ST_DRAW_ARROWS, color) : NULL;
    if (item) item->positions = places, item->vectors = vectors, item->point_count = item->element_count = state->size;
}

// Diagonal of the box around it; of a single point the size of the scene.
static double body_size(const st_drawing *d, const st_state *state, const st_real *places) {
    const st_draw_item all = {.positions = places, .point_count = state->size};
    st_real box[6] = {ST_REAL_MAX, ST_REAL_MAX, ST_REAL_MAX, -ST_REAL_MAX, -ST_REAL_MAX, -ST_REAL_MAX};
    double square = 0;
    if (st_add_item_bounds(&all, box))
        for (int k = 0; k < 3; k++) square += pow((double)box[3 + k] - (double)box[k], 2);
    return square > 0 ? sqrt(square) : d->size;
}

static void draw_frames(st_drawing *d, const st_state *state) {
    if (st_state_dof(state) != &st_rigid3) return;
    const st_real *places = st_drawing_state_places(d, state);
    st_real *quaternions = st_drawing_alloc(d, 4 * state->size, sizeof *quaternions);
    for (size_t i = 0; quaternions && i < state->size; i++)
        st_copy_reals(quaternions + 4 * i, state->coord[ST_COORD_POSITION].data + 7 * i + 3, 4);

    st_drawing_begin(d, &state->object, ST_SHOW_FRAMES);
    st_draw_item *item = places && quaternions ? st_drawing_add(d, ST_DRAW_FRAMES, (st_rgba){1, 1, 1, 1}) : NULL;
    if (!item) return;
    item->positions = places, item->quaternion = quaternions, item->point_count = item->element_count = state->size;
    item->size = (float)fmin(length_of(d, 0.06), 0.15 * body_size(d, state, places));
}

static void draw_box(st_drawing *d, const st_state *state) {
    static const uint32_t pairs[24] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7};
    const st_real *places = st_drawing_state_places(d, state);
    st_draw_item all = {.positions = places, .point_count = state->size};
    st_real box[6] = {ST_REAL_MAX, ST_REAL_MAX, ST_REAL_MAX, -ST_REAL_MAX, -ST_REAL_MAX, -ST_REAL_MAX}, corners[24];
    if (!places || !st_add_item_bounds(&all, box)) return;

    for (size_t c = 0; c < 8; c++)
        for (size_t k = 0; k < 3; k++) corners[3 * c + k] = box[(c >> k & 1 ? 3 : 0) + k];
    st_drawing_begin(d, &state->object, ST_SHOW_BOXES);
    d->canvas.lines(&d->canvas, 12, pairs, corners, 8, 3, (st_rgba){0.35F, 0.35F, 0.40F, 1});
}

void st_draw_state_extras(st_drawing *d, const st_state *state, unsigned show) {
    if (!state->size || !st_state_dof(state)->spatial) return;
    if (show & ST_SHOW_VELOCITIES)
        draw_vectors(d, state, &state->deriv[ST_DERIV_VELOCITY], ST_SHOW_VELOCITIES, (st_rgba){0.1F, 0.55F, 0.25F, 1});
    if (show & ST_SHOW_FORCES)
        draw_vectors(d, state, &state->deriv[ST_DERIV_FORCE], ST_SHOW_FORCES, (st_rgba){0.80F, 0.15F, 0.15F, 1});
    if (show & ST_SHOW_FRAMES) draw_frames(d, state);

    // what belongs to bodies: mapped states would repeat it
    if (!st_is_body(state)) return;
    if (show & ST_SHOW_BOXES) draw_box(d, state);
    if (show & ST_SHOW_LABELS) {
        st_drawing_begin(d, &state->object, ST_SHOW_LABELS);
        st_drawing_add_numbers(d, state->size, st_drawing_state_places(d, state), (st_rgba){0.10F, 0.12F, 0.16F, 1});
    }
    if (show & ST_SHOW_TRAILS) st_draw_trail(d, state);
}

// One for each point of a visual model, by its triangles of the moment: the mean of their normals, weighted by area.
void st_draw_normals(st_drawing *d, const st_state *state) {
    const size_t items = d->items.count;
    for (size_t i = 0; i < items; i++) {
        const st_draw_item *s = &d->items.data[i];
        if (s->object != &state->object || s->kind != ST_DRAW_TRIANGLES) continue;

        st_real *normals = st_drawing_alloc(d, 3 * s->point_count, sizeof *normals);
        for (size_t t = 0; normals && t < s->element_count; t++) {
            const uint32_t *v = s->indices + 3 * t;
            const st_real *a = s->positions + 3 * (size_t)v[0], *b = s->positions + 3 * (size_t)v[1],
                          *c = s->positions + 3 * (size_t)v[2];
            for (size_t k = 0; k < 3; k++) {
                const size_t m = (k + 1) % 3, n = (k + 2) % 3;
                const st_real cross = (b[m] - a[m]) * (c[n] - a[n]) - (b[n] - a[n]) * (c[m] - a[m]);
                for (size_t corner = 0; corner < 3; corner++) normals[3 * (size_t)v[corner] + k] += cross;
            }
        }

        // all of the same length
        for (size_t p = 0; normals && p < s->point_count; p++) {
            const double length = norm(normals + 3 * p, 3), scale = length > 0 ? length_of(d, 0.04) / length : 0;
            for (size_t k = 0; k < 3; k++) normals[3 * p + k] = (st_real)(scale * (double)normals[3 * p + k]);
        }
        const st_real *positions = s->positions;
        const size_t count = s->point_count;
        st_drawing_begin(d, &state->object, ST_SHOW_NORMALS);
        st_draw_item *item = normals ? st_drawing_add(d, ST_DRAW_ARROWS, (st_rgba){0.2F, 0.35F, 0.7F, 1}) : NULL;
        if (!item) return;
        item->positions = positions, item->vectors = normals, item->point_count = item->element_count = count;
        item->size = 1;
    }
}
