// Time spent in the parts of a step, added up by name.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/clock.h"
#include "scene/scene.h"

double st_profile_begin(void) { return st_clock_seconds(); }

// Most callers pass the literal that they passed before: its address is compared first.
static size_t find_entry(const st_scene *scene, const char *name) {
    for (size_t i = 0; i < scene->profile_count; i++)
        if (scene->profile[i].name == name) return i;
    size_t i = 0;
    while (i < scene->profile_count && strcmp(scene->profile[i].name, name) != 0) i++;
    return i;
}

void st_profile_end(st_scene *scene, const char *name, double begin) {
    const double spent = st_clock_seconds() - begin;
    const size_t i = find_entry(scene, name);
    if (i == ST_PROFILE_MAX) return;

    if (i == scene->profile_count) scene->profile[scene->profile_count++].name = name;
    scene->profile[i].seconds += spent;
    scene->profile[i].calls++;
}
