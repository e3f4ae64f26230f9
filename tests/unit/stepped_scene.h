// Scenes from text that are stepped; a failure shows the last error of the scene.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TESTS_STEPPED_SCENE_H
#define SETTEE_TESTS_STEPPED_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "settee/settee.h"

static char last_error[1024];

static void keep_error(void *user, const st_diagnostic *diagnostic) {
    (void)user;
    if (diagnostic->severity >= ST_ERROR)
        snprintf(last_error, sizeof last_error, "%s: %s", diagnostic->path ? diagnostic->path : "", diagnostic->text);
}

static st_scene *create(bool no_compat) {
    st_config config = st_default_config();
    config.log = keep_error;
    config.no_compat = no_compat;
    last_error[0] = 0;
    st_scene *scene = st_scene_create(&config);
    assert_non_null(scene);
    return scene;
}

static st_scene *start(st_scene *scene, const char *text) {
    if (!st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL))) fail_msg("%s", last_error);
    if (!st_succeeded(st_scene_init(scene))) fail_msg("%s", last_error);
    return scene;
}

static void run(st_scene *scene, int steps, st_real dt) {
    for (int i = 0; i < steps; i++)
        if (st_scene_step(scene, dt) != ST_OK) fail_msg("step %d: %s", i, last_error);
}

static const st_real *reals(st_scene *scene, const char *path, const char *field) {
    st_object *object = st_scene_find(scene, path);
    if (!object) fail_msg("%s is missing (%s)", path, last_error);
    size_t count = 0, width = 0;
    const st_real *values = st_object_reals(object, field, &count, &width);
    assert_non_null(values);
    return values;
}

#endif
