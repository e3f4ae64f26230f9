// A page in C: the WebSocket protocol by hand, so that it can also be broken.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TESTS_VIEWER_PAGE_H
#define SETTEE_TESTS_VIEWER_PAGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viewer.h"

// A viewer with a scene that runs in a thread of its own.
typedef struct st_test_viewer {
    st_viewer *viewer;
    st_scene *scene;
    const char *text; // of another scene than the usual one, or NULL
    int port;
    char token[160];
} st_test_viewer;

void st_test_viewer_start(st_test_viewer *test, const st_viewer_options *more);
// Ends the thread; the scene stays until st_test_viewer_end.
void st_test_viewer_stop(st_test_viewer *test);
void st_test_viewer_end(st_test_viewer *test);

// A scene, loaded and initialized: the usual one of a bar when the text is NULL.
st_scene *st_test_scene_of(const char *text, st_log_function *log, void *user);
st_scene *st_test_scene(st_log_function *log, void *user);
char *st_test_dump(st_scene *scene); // its states; free it

// A socket that is connected to the viewer; its reads give up after a few seconds.
int st_test_connect(const st_test_viewer *test);
void st_test_write(int socket, const void *data, size_t length);
// The status of the answer to GET path?query with these headers (each ended by \r\n).
int st_test_get(const st_test_viewer *test, const char *path, const char *token, const char *headers);

// A WebSocket; -1: refused. NULL origin: none is sent; NULL protocol: none.
int st_test_open(const st_test_viewer *test, const char *token, const char *origin, const char *protocol);
void st_test_frame(int socket, int opcode, bool final, const void *data, size_t length); // masked
void st_test_send(int socket, const char *json);

typedef struct st_test_message {
    bool binary;
    size_t length;
    char *data; // ended by a zero; free it
} st_test_message;
// The next message; false: the connection was closed.
bool st_test_receive(int socket, st_test_message *message);
// The next message that holds the words; others are dropped. NULL: closed. Free it.
char *st_test_expect(int socket, const char *words);
// Sends the command and expects the answer with its id (which must be in the text).
char *st_test_ask(int socket, unsigned id, const char *members);

#endif
