// What `run` and `check` share: messages, progress, files, search paths, and a scene that is loaded and initialized.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CLI_SESSION_H
#define SETTEE_CLI_SESSION_H

#include <limits.h>

#include "cli.h"
#include "settee/file.h"

// ---------------------------------------------------------------------------------------------------
// Progress on stderr: a bar on a terminal, a line per 10 % elsewhere
// ---------------------------------------------------------------------------------------------------

typedef struct st_cli_progress {
    bool shown, terminal;
    bool drawn; // a bar is on the current line
    size_t total;
    size_t tenths;        // lines written so far
    double start, latest; // clock at the first step, at the last drawing
} st_cli_progress;

double st_cli_clock(void); // seconds, monotonic
void st_cli_progress_start(st_cli_progress *progress, size_t total, bool shown);
void st_cli_progress_step(st_cli_progress *progress, size_t done, double simulated);
void st_cli_progress_clear(st_cli_progress *progress); // before something else is printed on stderr
// "0:05", "2:03:00"
void st_cli_duration(double seconds, char *text, size_t size);

// ---------------------------------------------------------------------------------------------------
// Messages of the library on stderr; one that comes again is counted
// ---------------------------------------------------------------------------------------------------

typedef struct st_cli_message {
    st_severity severity;
    int line;
    char *file, *path, *component, *text; // text: never NULL
    size_t count;
} st_cli_message;

typedef struct st_cli_messages {
    bool quiet, color;
    st_cli_progress *progress;
    size_t counts[ST_FATAL + 1];
    st_cli_message *list;
    size_t count, capacity;
    size_t *slots; // hash table of list indices + 1
    size_t slot_count;
    st_log_function *also; // gets every message, too; NULL: nobody
    void *also_user;
} st_cli_messages;

void st_cli_messages_start(st_cli_messages *messages, bool quiet, st_cli_progress *progress);
void st_cli_messages_log(void *user, const st_diagnostic *diagnostic); // the st_log_function
// Keeps an error that was printed already.
void st_cli_messages_keep(st_cli_messages *messages, const char *file, const char *text);
// Says how often messages came again.
void st_cli_messages_finish(st_cli_messages *messages);
void st_cli_messages_json(const st_cli_messages *messages, st_cli_json *json);
void st_cli_messages_free(st_cli_messages *messages);
size_t st_cli_warnings(const st_cli_messages *messages);
size_t st_cli_errors(const st_cli_messages *messages);

// ---------------------------------------------------------------------------------------------------
// Files written aside and renamed when they are complete
// ---------------------------------------------------------------------------------------------------

typedef struct st_cli_output {
    const char *path; // as the user gave it
    FILE *stream;     // NULL: not open
    st_file file;     // unless it is standard output
    bool failed;
} st_cli_output;

bool st_cli_is_stdout(const char *path);
// All print a message and return false when they fail.
bool st_cli_output_open(st_cli_output *output, const char *path);
bool st_cli_output_close(st_cli_output *output); // false: nothing was left behind
void st_cli_output_discard(st_cli_output *output);
bool st_cli_output_write(void *output, const char *text, size_t length); // for st_writer; says once what went wrong
// Makes the folder and those above it.
bool st_cli_make_folder(const char *path);
// Whether a file could be made at the path, before the work is done.
bool st_cli_can_write(const char *path);
bool st_cli_same_file(const char *a, const char *b);

// ---------------------------------------------------------------------------------------------------
// Search paths, from options, the environment and the place of the program
// ---------------------------------------------------------------------------------------------------

#ifndef SETTEE_DATA_FROM_BIN
#define SETTEE_DATA_FROM_BIN "../share/settee"
#endif

typedef struct st_cli_paths {
    char **data; // NULL at the end
    size_t count;
} st_cli_paths;

bool st_cli_paths_create(st_cli_paths *paths, const st_cli_words *words, const char *variable, const char *program,
                         const char *from_program);
bool st_cli_program_file(const char *program, char file[PATH_MAX]); // false: not known
void st_cli_paths_free(st_cli_paths *paths);

// ---------------------------------------------------------------------------------------------------
// --set
// ---------------------------------------------------------------------------------------------------

typedef struct st_cli_set { // PATH.FIELD=VALUE
    char path[1024], field[128];
    const char *value; // in the text that was split
} st_cli_set;

// Both print a message and return false when something is wrong.
bool st_cli_split_set(const char *text, st_cli_set *set);
bool st_cli_apply_sets(st_scene *scene, const st_cli_words *words);

// ---------------------------------------------------------------------------------------------------
// Scripts as scenes
// ---------------------------------------------------------------------------------------------------

bool st_cli_is_script(const char *path);
// Starts Python, which runs the program again, with a host. It only returns when that fails, with a message.
int st_cli_start_python(const st_cli_options *options);

// ---------------------------------------------------------------------------------------------------
// A scene
// ---------------------------------------------------------------------------------------------------

typedef struct st_cli_session {
    const st_cli_options *options;
    st_cli_progress progress;
    st_cli_messages messages;
    st_cli_paths data_paths, plugin_paths;
    bool read_only;
    st_scene *scene;
    double load_seconds, init_seconds;
} st_cli_session;

// Loads and initializes; the exit code. Ended by st_cli_session_end in any case. Read-only: whatever the scene says,
// its components write no files.
int st_cli_session_start(st_cli_session *session, const st_cli_options *options, bool read_only);
// The scene from its file again: loaded and initialized, or NULL. The session keeps the old one.
st_scene *st_cli_session_reload(st_cli_session *session);
void st_cli_session_end(st_cli_session *session);
// The exit code of what is done: ST_CLI_ERRORS instead of ST_CLI_OK when errors were reported. A last line says so.
int st_cli_session_code(const st_cli_session *session, int code, bool quiet);

// SIGINT and SIGTERM from now on: the number of the first one, 0 when none came. A second one ends the program.
void st_cli_catch_signals(void);
int st_cli_signal(void);

#endif
