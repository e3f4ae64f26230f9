// What the simulation answers to a page about its scene. Each function appends members to the answer; false: it failed,
// and `error` is the last one of them.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VIEWER_ANSWERS_H
#define SETTEE_VIEWER_ANSWERS_H

#include "command.h"
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

// Size and figures of a matrix, and the binary message with the part that was asked for.
bool st_viewer_answer_matrix(st_scene *scene, const st_viewer_command *command, st_viewer_text *answer,
                             st_viewer_text *cells);
bool st_viewer_answer_figures(st_scene *scene, const st_viewer_command *command, st_viewer_text *answer);

#endif
