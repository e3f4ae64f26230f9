// Springs by which pages pull at bodies.
//
// SPDX-License-Identifier: Apache-2.0
#include "pulls.h"

#include "answers.h"
#include "tools.h"

static size_t find(const st_viewer_pulls *pulls, uint32_t page) {
    size_t i = 0;
    while (i < pulls->count && pulls->all[i].page != page) i++;
    return i;
}

bool st_viewer_pull(st_viewer_pulls *pulls, st_scene *scene, uint32_t page, const st_viewer_command *command,
                    st_viewer_text *answer) {
    st_real origin[3], direction[3];
    st_viewer_release(pulls, page);
    if (pulls->count == ST_VIEWER_MOST_PAGES) return st_viewer_fail(answer, "too many pages pull");

    // the first body on the ray
    st_pick pick;
    st_viewer_read_ray(command, false, origin, direction);
    st_scene_clear_error(scene);
    st_status status = st_scene_pick(scene, origin, direction, &pick);
    if (status == ST_NOT_FOUND) return st_viewer_fail(answer, "there is nothing to pull at");

    st_object *spring = NULL;
    if (status == ST_OK)
        status = st_pick_attach(&pick, (st_real)st_viewer_command_number(command, "stiffness"), &spring);
    if (status != ST_OK) return st_viewer_fail_with(answer, scene, status);
    pulls->all[pulls->count].page = page;
    pulls->all[pulls->count++].spring = spring;
    st_viewer_put_pick(answer, &pick);
    return true;
}

bool st_viewer_drag(st_viewer_pulls *pulls, uint32_t page, const st_viewer_command *command, st_viewer_text *answer) {
    const size_t i = find(pulls, page);
    if (i == pulls->count) return st_viewer_fail(answer, "this page pulls at nothing");

    st_real target[3], none[3];
    st_viewer_read_ray(command, false, target, none);
    return st_pick_move(pulls->all[i].spring, target) == ST_OK || st_viewer_fail(answer, "the body is gone");
}

void st_viewer_release(st_viewer_pulls *pulls, uint32_t page) {
    const size_t i = find(pulls, page);
    if (i == pulls->count) return;
    st_pick_release(pulls->all[i].spring);
    pulls->all[i] = pulls->all[--pulls->count];
}

bool st_viewer_release_gone(st_viewer_pulls *pulls, st_viewer_hub *hub) {
    for (size_t i = 0; i < pulls->count; i++)
        if (!st_viewer_hub_has(hub, pulls->all[i].page)) {
            st_viewer_release(pulls, pulls->all[i].page);
            return true;
        }
    return false;
}
