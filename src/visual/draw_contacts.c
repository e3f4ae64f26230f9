// Drawing contacts:
//
//     points     on both models; gray: no force, green: it sticks, orange: it slides
//     normals    short thin lines from the second model, gray
//     forces     arrows on the second model, in the color of the point
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/draw_contacts.h"

#include <tgmath.h>

#include "base/array.h"
#include "collision/contact_reports.h"
#include "math/vec3.h"

enum { OPEN, STICKS, SLIDES, NORMALS, LAYERS };

static const st_rgba colors[LAYERS] = {
    {0.45F, 0.45F, 0.48F, 1}, {0.10F, 0.62F, 0.25F, 1}, {0.93F, 0.45F, 0.08F, 1}, {0.30F, 0.30F, 0.34F, 1}};

typedef struct drawing {
    st_real size, largest; // of what is seen; of the forces
    st_reals points[LAYERS];
    st_reals ends[LAYERS]; // of normals, two each; of forces where and how far
    bool ok;
} drawing;

static bool is_finite(const st_contact_report *r) {
    bool ok = true;
    for (int k = 0; k < 3; k++)
        ok = ok && isfinite(r->point[0][k]) && isfinite(r->point[1][k]) && isfinite(r->normal[k]) &&
             isfinite(r->force[k]);
    return ok;
}

static bool find_largest(void *user, const st_contact_report *r) {
    drawing *d = user;
    if (is_finite(r)) d->largest = fmax(d->largest, st_vec3_norm(r->force));
    return true;
}

static void put(drawing *d, st_reals *list, const st_real p[3]) {
    const size_t n = list->count;
    if (!d->ok || !st_list_set_count(list, n + 1, 3)) {
        d->ok = false;
        return;
    }
    st_vec3_copy(list->data + 3 * n, p);
}

static void put_line(drawing *d, int layer, const st_real from[3], const st_real to[3]) {
    put(d, &d->ends[layer], from);
    put(d, &d->ends[layer], to);
}

static bool put_contact(void *user, const st_contact_report *r) {
    drawing *d = user;
    if (!is_finite(r)) return true;
    const int layer = r->motion == ST_CONTACT_STICKS ? STICKS : r->motion == ST_CONTACT_SLIDES ? SLIDES : OPEN;
    st_real end[3], way[3];
    for (int side = 0; side < 2; side++) put(d, &d->points[layer], r->point[side]);

    st_vec3_add_scaled(end, r->point[1], r->normal, d->size / 20);
    put_line(d, NORMALS, r->point[1], end);
    if (!(d->largest > 0) || !(st_vec3_norm(r->force) > 0)) return d->ok;
    st_vec3_scale(way, r->force, d->size / 4 / d->largest);
    put_line(d, layer, r->point[1], way);
    return d->ok;
}

static void show(drawing *d, st_canvas *canvas) {
    st_uints pairs = {0};
    for (int layer = 0; d->ok && layer < LAYERS; layer++) {
        const st_reals *points = &d->points[layer], *ends = &d->ends[layer];
        if (points->count) canvas->points(canvas, points->count, points->data, 3, colors[layer]);
        if (!ends->count) continue;
        if (layer != NORMALS) {
            canvas->arrows(canvas, ends->count / 2, ends->data, 6, ends->data + 3, 6, 1, colors[layer]);
            continue;
        }

        d->ok = st_list_set_count(&pairs, ends->count, 1);
        for (size_t i = 0; d->ok && i < ends->count; i++) pairs.data[i] = (uint32_t)i;
        if (d->ok) canvas->lines(canvas, ends->count / 2, pairs.data, ends->data, ends->count, 3, colors[layer]);
    }
    st_list_free(&pairs);
}

bool st_draw_contacts(const st_scene *scene, st_real size, st_canvas *canvas) {
    drawing d = {.size = size, .ok = true};

    // the largest force first: it is the measure of the others
    st_visit_contacts(scene, find_largest, &d);
    st_visit_contacts(scene, put_contact, &d);
    show(&d, canvas);

    for (int layer = 0; layer < LAYERS; layer++) {
        st_list_free(&d.points[layer]);
        st_list_free(&d.ends[layer]);
    }
    return d.ok;
}
