// What pages do to bodies besides pulling: hold points where they are, remove what is picked, cut along a swipe.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VIEWER_TOOLS_H
#define SETTEE_VIEWER_TOOLS_H

#include "command.h"
#include "settee/pick.h"
#include "text.h"

enum { ST_VIEWER_MOST_PINS = 256 };

// Points that are held by springs, until they are let go.
typedef struct st_viewer_pins {
    struct {
        st_object *spring;
        double point[3];
    } all[ST_VIEWER_MOST_PINS];
    size_t count;
} st_viewer_pins;

// The ray of a command; `second`: the other one of a swipe.
void st_viewer_read_ray(const st_viewer_command *command, bool second, st_real origin[3], st_real direction[3]);
// The path of what was picked, and the point.
void st_viewer_put_pick(st_viewer_text *answer, const st_pick *pick);

// Each appends members to the answer; false: it failed, and `error` is the last one of them.
bool st_viewer_fix(st_viewer_pins *pins, st_scene *scene, const st_viewer_command *command, st_viewer_text *answer);
void st_viewer_unfix(st_viewer_pins *pins);
bool st_viewer_remove(st_scene *scene, const st_viewer_command *command, st_viewer_text *answer);
// The surface between both rays, from a tenth of the way to the body to four times its distance.
bool st_viewer_cut(st_scene *scene, const st_viewer_command *command, st_viewer_text *answer);

#endif
