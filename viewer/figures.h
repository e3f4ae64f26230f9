// The figures of a moment: time, energies, contacts, where the time goes, fields that are watched.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VIEWER_FIGURES_H
#define SETTEE_VIEWER_FIGURES_H

#include "text.h"

typedef struct st_viewer_watched {
    char *path, *field;
    size_t index; // of a number of the field
} st_viewer_watched;

// What the scene itself does not know.
typedef struct st_viewer_moment {
    const char *title;
    size_t step;
    double busy; // seconds spent in steps
    bool playing;
    double speed;
    const char *failure; // or ""
    const char *words;   // what is shown in addition to what the scene asks for, or ""
    const char *color;   // the field that colors it, or ""
    const st_viewer_watched *watched;
    size_t watched_count;
    size_t pages;
} st_viewer_moment;

// The message "figures".
void st_viewer_put_figures(st_viewer_text *text, st_scene *scene, const st_viewer_moment *moment);

#endif
