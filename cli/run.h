// A run: what it writes on the way, and what is printed of it at the end.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CLI_RUN_H
#define SETTEE_CLI_RUN_H

#include <sys/types.h>

#include "session.h"
#include "settee/drawing.h"

// Frames that are handed to ffmpeg.
typedef struct st_cli_video {
    const char *path;
    pid_t process; // 0: not running
    int pipe;
    uint8_t *pixels;
    size_t size; // of a frame in bytes
    bool written;
} st_cli_video;

bool st_cli_video_can(void); // is ffmpeg installed? False after a message
bool st_cli_video_open(st_cli_video *video, const char *path, int width, int height, double rate);
bool st_cli_video_frame(st_cli_video *video); // hands `pixels` over
bool st_cli_video_close(st_cli_video *video);

// Pictures of the last state or of many, and videos.
typedef struct st_cli_pictures {
    st_cli_session *session;
    st_drawing *drawing; // keeps trails from step to step; NULL: there are none
    st_cli_video video;  //
    size_t count;        // pictures written
    size_t step;         // the last one drawn, when something was
    bool some, failed;   //
} st_cli_pictures;

// False, with a message: usage error.
bool st_cli_pictures_check(const st_cli_options *options);
bool st_cli_pictures_open(st_cli_pictures *pictures, st_cli_session *session);
bool st_cli_pictures_step(st_cli_pictures *pictures, size_t step, bool last);
bool st_cli_pictures_close(st_cli_pictures *pictures);
// The present state in a file of this size, with what the options say of pictures.
bool st_cli_pictures_write(const st_cli_pictures *pictures, const char *path, int width, int height);

typedef struct st_cli_html st_cli_html; // a page with the run in it
enum { ST_CLI_PATH = 4096 };            // room for a name of a file

typedef struct st_cli_outputs {
    st_cli_session *session;
    st_cli_output states, topology, contacts;
    size_t next_dump; // in the list of --dump-at
    size_t vtk_files;
    size_t vtk_step; // last step written, when vtk_files > 0
    size_t *clouds;  // steps whose contacts were written as FILE_STEP.vtk
    size_t cloud_count;
    bool written_states, written_topology, written_contacts;
    st_cli_html *html;
    size_t html_frames, html_bytes;
    bool written_html;
    st_cli_pictures pictures;
    bool contacts_named; // the line of names of the contacts is written
} st_cli_outputs;

// Whether the files that were asked for make sense; false, with a message: usage error.
bool st_cli_outputs_check(const st_cli_options *options);
// All print a message and return false when something could not be written.
bool st_cli_outputs_open(st_cli_outputs *outputs, st_cli_session *session);
bool st_cli_outputs_step(st_cli_outputs *outputs, size_t step);
bool st_cli_outputs_finish(st_cli_outputs *outputs, size_t step); // `step` is the last one; all files are closed
void st_cli_outputs_free(st_cli_outputs *outputs);
// The name of the cloud of contacts of a step: FILE.vtk, or FILE_99.vtk where steps were asked for. False: it is too long.
bool st_cli_cloud_path(const st_cli_options *options, size_t step, char *path, size_t room);

// The page of --html. All print a message and fail when something could not be written; `step` may repeat.
st_cli_html *st_cli_html_open(const char *path, const char *title);
bool st_cli_html_step(st_cli_html *html, st_scene *scene, size_t step);
bool st_cli_html_close(st_cli_html *html, size_t *frames, size_t *bytes);
void st_cli_html_discard(st_cli_html *html);

// --real-time: when steps begin, and how long they take.
typedef struct st_cli_pace st_cli_pace;
st_cli_pace *st_cli_pace_create(void); // NULL, with a message: out of memory
void st_cli_pace_free(st_cli_pace *pace);
void st_cli_pace_wait(st_cli_pace *pace); // until the next step may begin, or a signal comes
void st_cli_pace_step(st_cli_pace *pace, double begin, double seconds, double simulated);
void st_cli_pace_text(FILE *file, const st_cli_pace *pace);
void st_cli_pace_json(st_cli_json *json, const st_cli_pace *pace);

typedef struct st_cli_result {
    const char *status; // "ok", "errors", "failed", "interrupted", "invalid", "unwritten"
    int code;           // exit code
    bool ran;           // the steps were begun: the numbers mean something
    size_t steps;
    double start_time;   // of the scene when it was initialized
    double time, dt;     // of the scene at the end
    double step_seconds; // spent in steps
    double wall_seconds; // from the first step to the last file
    st_energy energy;
    st_cli_pace *pace; // NULL: not in real time
} st_cli_result;

// --report: what is collected during a run for the page on it.
typedef struct st_cli_report st_cli_report;
st_cli_report *st_cli_report_create(size_t steps); // NULL: out of memory
void st_cli_report_free(st_cli_report *report);
// After each step, and with step 0 before the first; false: out of memory.
bool st_cli_report_step(st_cli_report *report, const st_cli_pictures *pictures, size_t step, double milliseconds);
bool st_cli_report_write(const st_cli_report *report, const st_cli_session *session, const st_cli_result *result);

int st_cli_run_once(const st_cli_options *options, st_cli_result *result); // exit code

// Several values for an attribute: one run for each.
bool st_cli_is_sweep(const st_cli_options *options);
int st_cli_sweep(const st_cli_options *options);

void st_cli_summary_text(FILE *file, const st_cli_session *session, const st_cli_outputs *outputs,
                         const st_cli_result *result);
void st_cli_summary_json(FILE *file, const st_cli_session *session, const st_cli_outputs *outputs,
                         const st_cli_result *result);

// --profile: components are timed from here on, each call is in the trace, if there is one.
typedef struct st_cli_trace st_cli_trace;
st_cli_trace *st_cli_trace_open(const char *path);                         // NULL, with a message: it cannot be written
void st_cli_trace_step(st_cli_trace *trace, double begin, double seconds); // NULL: nothing
bool st_cli_trace_close(st_cli_trace *trace);
bool st_cli_profile_start(st_scene *scene, st_cli_trace *trace);
void st_cli_profile_text(FILE *file, const st_cli_session *session, const st_cli_result *result);
void st_cli_profile_json(st_cli_json *json, const st_cli_session *session, const st_cli_result *result);

#endif
