// Springs by which pages pull at bodies: at most one for each page.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VIEWER_PULLS_H
#define SETTEE_VIEWER_PULLS_H

#include "hub.h"

typedef struct st_viewer_pulls {
    struct {
        uint32_t page;
        st_object *spring;
    } all[ST_VIEWER_MOST_PAGES];
    size_t count;
} st_viewer_pulls;

// What a page picks with a ray, held by a spring; one that it held before is released. The answer has the point and the
// path of the state.
bool st_viewer_pull(st_viewer_pulls *pulls, st_scene *scene, uint32_t page, const st_viewer_command *command,
                    st_viewer_text *answer);
// Where the page draws it to.
bool st_viewer_drag(st_viewer_pulls *pulls, uint32_t page, const st_viewer_command *command, st_viewer_text *answer);
void st_viewer_release(st_viewer_pulls *pulls, uint32_t page);
// Releases what pages hold that have gone; true: there was one.
bool st_viewer_release_gone(st_viewer_pulls *pulls, st_viewer_hub *hub);

#endif
