// How the viewer, which is a module of its own (python/viewer), serves a scene of this one: a table in a capsule. The viewer
// needs libraries that need not be there, and this module does not.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PYTHON_SERVER_H
#define SETTEE_PYTHON_SERVER_H

#include "settee/settee.h"

#define SCENE_SERVER "settee.scene_server" // name of the capsule

typedef struct scene_server {
    void *viewer;
    st_scene *(*serve)(void *viewer, st_scene *scene, double seconds); // returns the scene that it was given
    void (*nudge)(void *viewer);                                       // ends `serve`, from any thread
    void (*let_go)(void *viewer);                                      // of the springs by which pages hold bodies
    st_log_function *log;                                              // messages for the pages
} scene_server;

#endif
