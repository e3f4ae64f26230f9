// Scenes for the tests of the scene layer: what was said, and components that record what is done with them.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TEST_SCENE_PROBE_H
#define SETTEE_TEST_SCENE_PROBE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene/scene.h"
#include "settee/plugin/state.h"
#include "settee/settee.h"

// Everything said since probe_forget: one line each, "severity file:line path component: text".
extern char probe_messages[65536];
// Names and hooks of probes in the order of their calls: "a.init b.init b.bwd ".
extern char probe_calls[8192];

// A component with a field of every kind, whose hooks record their calls.
typedef struct probe {
    st_object object;
    bool flag;
    int32_t number, tracked;
    uint32_t option;
    st_real real, shorthand, first, second, required, required_bare, point[3], coord[7];
    char *text, *file, *removed, *old;
    st_strings words;
    st_reals reals, points, coords;
    st_uints indices;
    st_object *any, *state, *node;
    ST_LIST(st_object *) many;
    st_real time, gravity[3];
    int changes;
    st_status answer; // of init
} probe;

// An engine: sum = a + b, and its own count of updates.
typedef struct adder {
    st_object object;
    st_real a, b, sum;
    int updates;
} adder;

extern const st_class probe_class, adder_class, listener_class, picky_class, child_class;

st_scene *probe_create(bool strict);                   // an empty scene that knows these classes
st_status probe_try(st_scene *scene, const char *xml); // load and init: the first failing status
st_scene *probe_load(const char *xml);                 // created and loaded, not initialized
st_scene *probe_init(const char *xml);                 // created, loaded and initialized
void probe_forget(void);
bool probe_said(st_severity severity, const char *text); // some message of this severity holds the text
size_t probe_count(st_severity severity, const char *text);

st_object *probe_find(st_scene *scene, const char *path); // fails the test when it is not there
#define PROBE(scene, path) ((probe *)probe_find(scene, path))
#define ADDER(scene, path) ((adder *)probe_find(scene, path))
#define STATE(scene, path) ((st_state *)probe_find(scene, path))

// A field as text equals what is expected.
void probe_expect(st_scene *scene, const char *path, const char *field, const char *expected);

#define assert_said(severity, text)                                                                                    \
    do {                                                                                                               \
        if (!probe_said(severity, text)) fail_msg("nobody says \"%s\" among\n%s", text, probe_messages);               \
    } while (0)
#define assert_quiet(severity, text)                                                                                   \
    do {                                                                                                               \
        if (probe_said(severity, text)) fail_msg("somebody says \"%s\" among\n%s", text, probe_messages);              \
    } while (0)

#endif
