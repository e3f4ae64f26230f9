// The viewer: a scene in the browser. The caller's thread simulates; a server in its own thread sends what is computed to
// the pages that are connected, and passes on what they ask for. docs/viewer.md has the protocol.
//
//     page ── command ──▶ server ── queue ──▶ simulation ──▶ scene
//     page ◀─ message ─── server ◀─ outbox ── simulation       (answers, in order, none is lost)
//     page ◀─ newest ──── server ◀─ snapshot ─ simulation      (frames and figures: a slow page misses some)
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VIEWER_H
#define SETTEE_VIEWER_H

#include "settee/settee.h"

typedef struct st_viewer st_viewer;

typedef struct st_viewer_options {
    const char *title;   // of the scene: its file name; NULL: none
    const char *address; // to listen at; NULL: 127.0.0.1
    int port;            // 0: any that is free
    const char *token;   // without which nothing is served; NULL: a random one
    bool read_only;      // pages may look, but not touch
    bool playing;        // from the start
    // Makes the scene again, for "reload": loaded and initialized, or NULL. The one before is destroyed then.
    st_scene *(*open)(void *user);
    bool (*stop)(void *user); // asked between steps and at least ten times a second; NULL: never
    void *user;
} st_viewer_options;

// Copies the texts of the options. NULL, with a reason in `why`: the address cannot be listened at, a wrong option, or no memory.
st_viewer *st_viewer_create(const st_viewer_options *options, char *why, size_t size);
const char *st_viewer_url(const st_viewer *viewer); // with the token
// Simulates until `stop` says so; the scene may have been made again by then: the present one is returned. From `open`
// and the log of the scene on, messages may be passed to st_viewer_log.
st_scene *st_viewer_run(st_viewer *viewer, st_scene *scene);
void st_viewer_destroy(st_viewer *viewer);

// The same for so many seconds, and at the longest until st_viewer_nudge; 0: what pages have asked for is answered, and they
// see the present state. For a program that steps and changes the scene itself, between two calls.
st_scene *st_viewer_serve(st_viewer *viewer, st_scene *scene, double seconds);
// Ends st_viewer_serve, or the next one. From any thread.
void st_viewer_nudge(st_viewer *viewer);
// Releases the springs by which pages pull and hold: the scene is as it would be without pages. st_viewer_run ends with it.
void st_viewer_let_go(st_viewer *viewer);

// An st_log_function, with the viewer as its user: pages show the message.
void st_viewer_log(void *viewer, const st_diagnostic *diagnostic);

// ---------------------------------------------------------------------------------------------------
// A scene that is shown while the program goes on: in a notebook, or beside an interpreter
// ---------------------------------------------------------------------------------------------------

typedef struct st_viewer_background st_viewer_background;

// Serves in a thread of its own, which uses the scene from now on; NULL: there is none to be had. The viewer must have been
// made without `stop`.
st_viewer_background *st_viewer_background_start(st_viewer *viewer, st_scene *scene);
// The scene is the caller's: waits for the end of a step, and time stands still until the release. They are counted: each hold
// needs its release. In callbacks of the scene, which run in the thread of the viewer, they do nothing.
st_scene *st_viewer_background_hold(st_viewer_background *background);
void st_viewer_background_release(st_viewer_background *background); // pages see what was changed
// Ends the thread; the scene, which may have been loaded again, is given back. The viewer is the caller's to destroy. Not to
// be called in callbacks of the scene.
st_scene *st_viewer_background_end(st_viewer_background *background);

// ---------------------------------------------------------------------------------------------------
// Recordings: the page with frames inside, as one file
// ---------------------------------------------------------------------------------------------------

typedef struct st_viewer_recording st_viewer_recording;

// Writes the page and what follows into the writer; NULL: out of memory, or it cannot be written.
st_viewer_recording *st_viewer_recording_create(const char *title, const st_writer *writer);
st_status st_viewer_recording_add(st_viewer_recording *recording, st_scene *scene, size_t step);
// Ends it. False: something could not be written; `frames` and `bytes` (may be NULL) say what was.
bool st_viewer_recording_finish(st_viewer_recording *recording, size_t *frames, size_t *bytes);

#endif
