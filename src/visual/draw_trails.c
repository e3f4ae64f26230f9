// Trails: the way that the degrees of freedom of a body have gone, as lines through their places at the updates so far.
//
// Of a body with many degrees of freedom every n-th has one. When a trail is full, every second place is left out, and
// only every second update is kept from then on.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "visual/drawing.h"

enum { MOST_TRAILS = 200, MOST_PLACES = 1000 };

struct st_trail {
    const st_state *state;
    size_t size;           // of the state: another one begins it again
    size_t step, trails;   // every step-th DOF, how many
    size_t frames, stride; // kept; updates between two of them
    size_t updates;
    st_reals places; // [frame][trail][3]
};

void st_free_trails(st_drawing *drawing) {
    for (size_t i = 0; i < drawing->trails.count; i++) {
        st_list_free(&drawing->trails.data[i]->places);
        st_free(drawing->trails.data[i]);
    }
    st_list_free(&drawing->trails);
}

static st_trail *trail_of(st_drawing *d, const st_state *state) {
    st_trail *trail = NULL;
    for (size_t i = 0; i < d->trails.count && !trail; i++)
        if (d->trails.data[i]->state == state) trail = d->trails.data[i];

    // a new one
    if (!trail) {
        trail = st_alloc(1, sizeof *trail);
        if (!trail || !st_list_push(&d->trails, trail)) {
            st_free(trail);
            return NULL;
        }
    }
    if (trail->state == state && trail->size == state->size) return trail;

    trail->state = state;
    trail->size = state->size;
    trail->step = (state->size + MOST_TRAILS - 1) / MOST_TRAILS;
    trail->trails = (state->size + trail->step - 1) / trail->step;
    trail->frames = trail->updates = trail->places.count = 0;
    trail->stride = 1;
    return trail;
}

static bool keep_places(st_trail *trail, const st_real *places) {
    const size_t width = 3 * trail->trails;
    if (trail->updates++ % trail->stride) return true;

    // full: every second frame goes
    if (trail->frames == MOST_PLACES) {
        for (size_t f = 0; f < MOST_PLACES / 2; f++)
            st_copy_reals(trail->places.data + f * width, trail->places.data + 2 * f * width, width);
        trail->frames = MOST_PLACES / 2;
        trail->stride *= 2;
    }

    if (!st_list_set_count(&trail->places, (trail->frames + 1) * width, 1)) return false;
    for (size_t t = 0; t < trail->trails; t++)
        st_copy_reals(trail->places.data + trail->frames * width + 3 * t, places + 3 * t * trail->step, 3);
    trail->frames++;
    return true;
}

void st_draw_trail(st_drawing *d, const st_state *state) {
    const st_real *places = st_drawing_state_places(d, state);
    st_trail *trail = places ? trail_of(d, state) : NULL;
    if (!trail || !keep_places(trail, places)) {
        d->failed = true;
        return;
    }
    if (trail->frames < 2) return;

    // a line from frame to frame for each
    const size_t lines = (trail->frames - 1) * trail->trails;
    uint32_t *pairs = st_drawing_alloc(d, 2 * lines, sizeof *pairs);
    for (size_t i = 0; pairs && i < lines; i++)
        pairs[2 * i] = (uint32_t)i, pairs[2 * i + 1] = (uint32_t)(i + trail->trails);

    st_drawing_begin(d, &state->object, ST_SHOW_TRAILS);
    st_draw_item *item = pairs ? st_drawing_add(d, ST_DRAW_LINES, (st_rgba){0.75F, 0.35F, 0.10F, 1}) : NULL;
    if (!item) return;
    item->positions = trail->places.data, item->point_count = trail->frames * trail->trails;
    item->indices = pairs, item->element_count = lines;
}
