// The figures of a moment, as a message.
//
// SPDX-License-Identifier: Apache-2.0
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

// The last series of numbers of an iterative solver's `graph`, one for each iteration.
static bool read_graph(st_object *object, double *iterations, double *residual) {
    char *text = st_object_get(object, "graph", 9), *rest = NULL;
    size_t count = 0;
    for (const char *word = text ? strtok_r(text, " \t\n", &rest) : NULL; word; word = strtok_r(NULL, " \t\n", &rest)) {
        char *end;
        const double number = strtod(word, &end);
        if (*end) count = 0; // the name of another series
        else count++, *residual = number;
    }
    st_string_free(text);
    *iterations = count > 0 ? (double)count - 1 : 0;
    return count > 0;
}

// Of the last step: iterations, and the residual or violation that is left.
static void put_solver(st_viewer_text *text, st_object *object) {
    const char *kind = st_object_kind(object);
    double iterations = 0, residual = NAN;
    if (strcmp(kind, "constraint solver") == 0) {
        st_array count = {0}, error = {0};
        if (st_object_array(object, "currentIterations", &count) != ST_OK || count.scalar != ST_SCALAR_INT) return;
        iterations = *(const int32_t *)count.data;
        if (st_object_array(object, "currentError", &error) == ST_OK && error.scalar == ST_SCALAR_REAL)
            residual = (double)*(const st_real *)error.data;
    } else if (strcmp(kind, "linear solver") != 0 || !read_graph(object, &iterations, &residual)) return;

    st_viewer_json_open(text, NULL, '{');
    st_viewer_json_text(text, "path", st_object_path(object));
    st_viewer_json_real(text, "iterations", iterations);
    st_viewer_json_real(text, "residual", residual);
    st_viewer_json_close(text, '}');
}

static void put_solvers(st_viewer_text *text, const st_node *node) {
    for (size_t i = 0; i < st_node_object_count(node); i++) put_solver(text, st_node_object(node, i));
    for (size_t i = 0; i < st_node_child_count(node); i++) put_solvers(text, st_node_child(node, i));
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
    st_viewer_json_open(text, "solvers", '[');
    put_solvers(text, st_scene_root(scene));
    st_viewer_json_close(text, ']');
    put_watched(text, scene, moment);

    // what is shown
    put_shown(text, scene, moment->words);
    st_viewer_json_text(text, "color", moment->color);
    st_viewer_json_count(text, "pages", moment->pages);
    st_viewer_json_close(text, '}');
}
