// The figures of a moment, as a message.
//
// SPDX-License-Identifier: Apache-2.0
#include "figures.h"

#include <math.h>

#include "answers.h"
#include "settee/contact.h"
#include "settee/drawing.h"

static void put_shown(st_viewer_text *text, st_scene *scene, const char *words) {
    unsigned on = 0, off = 0;
    st_read_show_words(words, &on, &off, NULL);
    const unsigned flags = (st_scene_show_flags(scene) | on) & ~off;

    st_viewer_json_open(text, "shown", '[');
    for (unsigned bit = 1; bit & ST_SHOW_ALL; bit <<= 1)
        if (flags & bit) st_viewer_json_text(text, NULL, st_show_name(bit));
    st_viewer_json_close(text, ']');
}

static void put_profile(st_viewer_text *text, const st_scene *scene) {
    const st_profile_entry *entries;
    const size_t count = st_scene_profile(scene, &entries);
    st_viewer_json_open(text, "profile", '{');
    for (size_t i = 0; i < count; i++) st_viewer_json_real(text, entries[i].name, entries[i].seconds);
    st_viewer_json_close(text, '}');
}

static double number_of(st_scene *scene, const st_viewer_watched *w) {
    st_array a = {0};
    if (st_object_array(st_viewer_find(scene, w->path), w->field, &a) != ST_OK || w->index >= a.count * a.width)
        return NAN;
    switch (a.scalar) {
    case ST_SCALAR_REAL: return (double)((const st_real *)a.data)[w->index];
    case ST_SCALAR_INT: return (double)((const int32_t *)a.data)[w->index];
    case ST_SCALAR_UINT: return (double)((const uint32_t *)a.data)[w->index];
    default: return (double)((const bool *)a.data)[w->index];
    }
}

static void put_watched(st_viewer_text *text, st_scene *scene, const st_viewer_moment *moment) {
    st_viewer_json_open(text, "watched", '[');
    for (size_t i = 0; i < moment->watched_count; i++) {
        const st_viewer_watched *w = &moment->watched[i];
        st_viewer_json_open(text, NULL, '{');
        st_viewer_json_text(text, "path", w->path);
        st_viewer_json_text(text, "field", w->field);
        st_viewer_json_count(text, "index", w->index);
        st_viewer_json_real(text, "value", number_of(scene, w));
        st_viewer_json_close(text, '}');
    }
    st_viewer_json_close(text, ']');
}

void st_viewer_put_figures(st_viewer_text *text, st_scene *scene, const st_viewer_moment *moment) {
    const st_energy energy = st_scene_energy(scene);
    st_viewer_text_clear(text);
    st_viewer_json_open(text, NULL, '{');
    st_viewer_json_text(text, "type", "figures");
    st_viewer_json_text(text, "scene", moment->title);

    // time
    st_viewer_json_real(text, "time", (double)st_scene_time(scene));
    st_viewer_json_real(text, "dt", (double)st_scene_dt(scene));
    st_viewer_json_count(text, "step", moment->step);
    st_viewer_json_bool(text, "playing", moment->playing);
    st_viewer_json_real(text, "speed", moment->speed);
    st_viewer_json_text(text, "failure", moment->failure);
    st_viewer_json_count(text, "structure", st_scene_structure(scene));

    // what is plotted
    st_viewer_json_real(text, "kinetic", (double)energy.kinetic);
    st_viewer_json_real(text, "potential", (double)energy.potential);
    st_viewer_json_count(text, "contacts", st_scene_contacts(scene, NULL, 0));
    st_viewer_json_real(text, "busy", moment->busy);
    put_profile(text, scene);
    put_watched(text, scene, moment);

    // what is shown
    put_shown(text, scene, moment->words);
    st_viewer_json_text(text, "color", moment->color);
    st_viewer_json_count(text, "pages", moment->pages);
    st_viewer_json_close(text, '}');
}
