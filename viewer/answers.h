// What the simulation answers to a page about its scene. Each function appends members to the answer; false: it failed,
// and `error` is the last one of them.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VIEWER_ANSWERS_H
#define SETTEE_VIEWER_ANSWERS_H

#include "command.h"
#include "settee/matrix.h"
#include "text.h"

// A component, or a node as an object; NULL: there is none at the path.
st_object *st_viewer_find(st_scene *scene, const char *path);
bool st_viewer_fail(st_viewer_text *answer, const char *format, ...) ST_PRINTF(2, 3); // returns false
// With the last error of the scene, or what the status means.
bool st_viewer_fail_with(st_viewer_text *answer, st_scene *scene, st_status status);

bool st_viewer_answer_graph(st_scene *scene, st_viewer_text *answer);
bool st_viewer_answer_fields(st_scene *scene, const st_viewer_command *command, st_viewer_text *answer);
bool st_viewer_answer_set(st_scene *scene, const st_viewer_command *command, st_viewer_text *answer);
bool st_viewer_answer_xml(st_scene *scene, st_viewer_text *answer);

// A matrix as it was when a page asked to keep it, with which it is compared later.
typedef struct st_viewer_kept {
    char *which, *path; // which one, of what
    double time;
    st_matrix_view view; // of the arrays that follow
    size_t *starts;
    int32_t *columns;
    st_real *values; // NULL: nothing is kept
} st_viewer_kept;

void st_viewer_kept_free(st_viewer_kept *kept);
bool st_viewer_answer_keep(st_viewer_kept *kept, st_scene *scene, const st_viewer_command *command,
                           st_viewer_text *answer);
// Size of a matrix, names of its rows and columns, and the binary message with the part that was asked for: of the matrix, or
// with the member `minus` of its difference to what is kept.
bool st_viewer_answer_matrix(const st_viewer_kept *kept, st_scene *scene, const st_viewer_command *command,
                             st_viewer_text *answer, st_viewer_text *cells);
bool st_viewer_answer_figures(st_scene *scene, const st_viewer_command *command, st_viewer_text *answer);

#endif
