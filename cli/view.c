// `settee view`: a scene in the browser; and the page of `settee run --html`. Both need the viewer, an optional part of the
// build; without it they say what adds it.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "run.h"

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

#ifdef SETTEE_VIEWER

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

#include "viewer.h"

extern char **environ;

// ---------------------------------------------------------------------------------------------------
// settee view
// ---------------------------------------------------------------------------------------------------

static st_scene *view_open(void *session) { return st_cli_session_reload(session); }
static bool view_stop(void *session) { return (void)session, st_cli_signal() != 0; }

// Where there is a desktop; its opener finds the user's browser. It may fail: the address is printed anyway.
static void open_browser(const char *url) {
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return;
    posix_spawn_file_actions_t quiet;
    if (posix_spawn_file_actions_init(&quiet) != 0) return;
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);

    pid_t child;
    char *words[] = {(char *)"xdg-open", (char *)url, NULL};
    posix_spawnp(&child, words[0], &quiet, NULL, words, environ);
    posix_spawn_file_actions_destroy(&quiet);
}

// Messages of the loading came before the viewer.
static void pass_messages(st_cli_session *session, st_viewer *viewer) {
    for (size_t i = 0; i < session->messages.count; i++) {
        const st_cli_message *m = &session->messages.list[i];
        const st_diagnostic d = {m->severity, m->file, m->line, m->path, m->component, m->text};
        st_viewer_log(viewer, &d);
    }
    session->messages.also = st_viewer_log;
    session->messages.also_user = viewer;
}

static int view(st_cli_session *session) {
    const st_cli_options *o = session->options;
    const st_viewer_options options = {.title = file_name(o->operand),
                                       .address = o->bind_address,
                                       .port = (int)o->port,
                                       .token = o->token,
                                       .read_only = o->read_only,
                                       .playing = !o->paused,
                                       .open = o->host ? NULL : view_open,
                                       .stop = view_stop,
                                       .user = session};
    char why[256];
    st_viewer *viewer = st_viewer_create(&options, why, sizeof why);
    if (!viewer) {
        st_cli_error("%s", why);
        return ST_CLI_FAILED;
    }

    // the address is all of standard output
    pass_messages(session, viewer);
    if (o->bind_address && !o->quiet)
        fprintf(stderr,
                "settee: warning: whoever can reach %s and knows the token can use this scene; nothing is encrypted\n",
                o->bind_address);
    printf("%s\n", st_viewer_url(viewer));
    const bool written = st_cli_flush_stdout();
    if (!o->quiet) fputs("settee: open the address in a browser; Ctrl-C ends\n", stderr);
    if (!o->no_browser) open_browser(st_viewer_url(viewer));

    st_cli_catch_signals();
    session->scene = st_viewer_run(viewer, session->scene);
    session->messages.also = NULL;
    st_viewer_destroy(viewer);
    return written ? ST_CLI_OK : ST_CLI_FAILED;
}

int st_cli_view(const st_cli_options *options) {
    st_cli_session session;
    int code = st_cli_session_start(&session, options, true);
    if (code == ST_CLI_OK) code = st_cli_session_code(&session, view(&session), options->quiet);
    st_cli_messages_finish(&session.messages);
    st_cli_session_end(&session);
    return code;
}

// ---------------------------------------------------------------------------------------------------
// settee run --html
// ---------------------------------------------------------------------------------------------------

struct st_cli_html {
    st_cli_output file;
    st_viewer_recording *recording;
    size_t step; // last one written, when `some`
    bool some;
};

st_cli_html *st_cli_html_open(const char *path, const char *title) {
    st_cli_html *html = calloc(1, sizeof *html);
    if (html && st_cli_output_open(&html->file, path)) {
        const st_writer writer = {st_cli_output_write, &html->file};
        html->recording = st_viewer_recording_create(file_name(title), &writer);
        if (html->recording) return html;
        if (!html->file.failed) st_cli_error("out of memory");
        st_cli_output_discard(&html->file);
    }
    free(html);
    return NULL;
}

bool st_cli_html_step(st_cli_html *html, st_scene *scene, size_t step) {
    if (html->some && html->step == step) return true;
    html->some = true;
    html->step = step;
    if (st_viewer_recording_add(html->recording, scene, step) == ST_OK) return true;
    html->file.failed = true;
    return false;
}

bool st_cli_html_close(st_cli_html *html, size_t *frames, size_t *bytes) {
    const bool ok = st_viewer_recording_finish(html->recording, frames, bytes);
    if (!ok) html->file.failed = true;
    const bool closed = st_cli_output_close(&html->file);
    free(html);
    return ok && closed;
}

void st_cli_html_discard(st_cli_html *html) {
    if (!html) return;
    st_viewer_recording_finish(html->recording, NULL, NULL);
    st_cli_output_discard(&html->file);
    free(html);
}

#else

// One place says what is missing.
static int left_out(const char *what) {
    st_cli_error("%s: this program was built without the viewer; 'make viewer' in settee's sources adds it", what);
    return ST_CLI_FAILED;
}

int st_cli_view(const st_cli_options *options) { return left_out(file_name(options->operand)); }

st_cli_html *st_cli_html_open(const char *path, const char *title) {
    (void)title;
    left_out(path);
    return NULL;
}

bool st_cli_html_step(st_cli_html *html, st_scene *scene, size_t step) {
    return (void)html, (void)scene, (void)step, false;
}
bool st_cli_html_close(st_cli_html *html, size_t *frames, size_t *bytes) {
    return (void)html, (void)frames, (void)bytes, false;
}
void st_cli_html_discard(st_cli_html *html) { (void)html; }

#endif
