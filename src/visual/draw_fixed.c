// Degrees of freedom that projective constraints hold, as points.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "settee/plugin/physics.h"
#include "visual/drawing.h"

typedef struct held {
    const st_state *state;
    st_reals places; // Vec3
    bool ok;
} held;

static void take_dof(void *context, size_t dof, const st_real *block) {
    (void)block;
    held *h = context;
    const st_dof *type = st_state_dof(h->state);
    const size_t n = h->places.count;
    if (!h->ok || dof >= h->state->size) return;

    h->ok = st_list_set_count(&h->places, n + 1, 3);
    for (size_t k = 0; h->ok && k < 3 && k < type->spatial; k++)
        h->places.data[3 * n + k] = h->state->coord[ST_COORD_POSITION].data[dof * type->coord + k];
}

void st_draw_fixed(st_drawing *d, const st_object *object) {
    st_projection *projection = (st_projection *)object;
    const st_projection_ops *ops = object->type->projection;
    if (!projection->state || !projection->state->mechanical || !ops->columns || !st_projection_active(projection))
        return;

    held h = {.state = projection->state, .ok = true};
    ops->columns(projection, take_dof, &h);
    if (!h.ok) d->failed = true;

    st_drawing_begin(d, object, ST_SHOW_FIXED);
    if (h.ok && h.places.count)
        d->canvas.points(&d->canvas, h.places.count, h.places.data, 3, (st_rgba){0.85F, 0.20F, 0.55F, 1});
    st_list_free(&h.places);
}
