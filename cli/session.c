// A scene, loaded and initialized as the options ask, with its messages.
//
// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session.h"

#define PLUGINS_FROM_BIN "../lib/settee/plugins"

// ---------------------------------------------------------------------------------------------------
// What is plainly no scene gets one line, before the XML reader is started
// ---------------------------------------------------------------------------------------------------

static bool refuse(st_cli_messages *messages, const char *path, const char *why) {
    st_cli_error("%s: %s", path, why);
    st_cli_messages_keep(messages, path, why);
    return false;
}

// An XML text starts with < after a byte order mark and blanks. UTF-16 has zero bytes; it is left to the XML reader.
static const char *why_no_scene(const unsigned char *text, size_t length) {
    if (length >= 2 && ((text[0] == 0xfe && text[1] == 0xff) || (text[0] == 0xff && text[1] == 0xfe))) return NULL;
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, length -= 3;

    if (memchr(text, 0, length)) return "is not a scene: it is a binary file";

    while (length > 0 && isspace(*text)) text++, length--;
    if (length == 0) return "is not a scene: it is empty";
    return *text == '<' ? NULL : "is not a scene: a .scn file is XML and starts with <";
}

static bool looks_like_scene(st_cli_messages *messages, const char *path, bool script) {
    struct stat status;
    if (stat(path, &status) != 0)
        return refuse(messages, path, errno == ENOENT ? "there is no such file" : strerror(errno));
    if (S_ISDIR(status.st_mode)) return refuse(messages, path, "is a folder, not a scene");
    if (!S_ISREG(status.st_mode) || script) return true; // a pipe can be read once

    // the first bytes decide
    FILE *file = fopen(path, "rb");
    if (!file) return refuse(messages, path, strerror(errno));
    unsigned char text[4096];
    const size_t length = fread(text, 1, sizeof text, file);
    const bool failed = ferror(file) != 0;
    fclose(file);
    if (failed) return refuse(messages, path, "cannot be read");

    const char *why = why_no_scene(text, length);
    return !why || refuse(messages, path, why);
}

// ---------------------------------------------------------------------------------------------------

static void warn_of_missing(const st_cli_options *options, const char *option, const st_cli_words *words) {
    struct stat status;
    for (size_t i = 0; i < words->count && !options->quiet; i++)
        if (stat(words->data[i], &status) != 0 || !S_ISDIR(status.st_mode))
            fprintf(stderr, "settee: warning: %s %s: there is no such folder\n", option, words->data[i]);
}

static int core_count(void) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > 1024 ? 1024 : (int)cores;
}

// What the options ask of a scene.
static st_config config_of(st_cli_session *session) {
    const st_cli_options *options = session->options;
    st_config config = st_default_config();
    config.log = st_cli_messages_log;
    config.log_user = &session->messages;
    config.threads = options->threads ? (int)options->threads : core_count();
    config.data_paths = (const char *const *)session->data_paths.data;
    config.plugin_paths = (const char *const *)session->plugin_paths.data;
    config.strict = options->strict;
    config.no_compat = options->no_compat;
    config.fast = options->fast;
    config.read_only = session->read_only;
    return config;
}

// An empty one; NULL: out of memory.
static st_scene *empty_scene(st_cli_session *session) {
    const st_config config = config_of(session);
    return st_scene_create(&config);
}

// Folders that files and plug-ins are looked for in.
static bool find_folders(st_cli_session *session) {
    const st_cli_options *options = session->options;
    warn_of_missing(options, "--data-path", &options->data_paths);
    warn_of_missing(options, "--plugin-path", &options->plugin_paths);
    return st_cli_paths_create(&session->data_paths, &options->data_paths, "SETTEE_DATA_PATH", options->program,
                               SETTEE_DATA_FROM_BIN) &&
           st_cli_paths_create(&session->plugin_paths, &options->plugin_paths, "SETTEE_PLUGIN_PATH", options->program,
                               PLUGINS_FROM_BIN);
}

// Makes sure that a failure has been explained.
static int failed(const st_cli_session *session, const char *what, st_status status) {
    if (status == ST_OUT_OF_MEMORY || st_cli_errors(&session->messages) == 0)
        st_cli_error("%s: cannot be %s: %s", session->options->operand, what, st_status_text(status));
    return status == ST_OUT_OF_MEMORY ? ST_CLI_FAILED : ST_CLI_INVALID;
}

// A scene that another program writes; files that it names are looked for in the present folder.
static st_status load_standard_input(st_scene *scene) {
    char *text = NULL;
    size_t length = 0, capacity = 0;

    // all of it, in a buffer that grows
    for (;;) {
        if (length == capacity) {
            char *larger = realloc(text, capacity = capacity ? 2 * capacity : 1 << 16);
            if (!larger) {
                free(text);
                return ST_OUT_OF_MEMORY;
            }
            text = larger;
        }
        const size_t got = fread(text + length, 1, capacity - length, stdin);
        if (got == 0) break;
        length += got;
    }

    const st_status status = st_scene_load_text(scene, text, length, ".");
    free(text);
    return status;
}

// A script: Python loads it.
static int start_script(st_cli_session *session) {
    const st_cli_options *options = session->options;
    const st_cli_host *host = options->host;
    const st_config config = config_of(session);

    const double start = st_cli_clock();
    session->scene = host->load(host->user, options, &config);
    const double loaded = st_cli_clock();
    session->load_seconds = loaded - start;
    if (!session->scene) return ST_CLI_INVALID;
    if (!st_cli_apply_sets(session->scene, &options->sets)) return ST_CLI_USAGE;

    const st_status status = host->init(host->user, session->scene);
    session->init_seconds = st_cli_clock() - loaded;
    return st_succeeded(status) ? ST_CLI_OK : ST_CLI_INVALID;
}

int st_cli_session_start(st_cli_session *session, const st_cli_options *options, bool read_only) {
    *session = (st_cli_session){.options = options, .read_only = read_only};
    st_cli_messages_start(&session->messages, options->quiet, &session->progress);

    const bool piped = strcmp(options->operand, "-") == 0, script = st_cli_is_script(options->operand);
    if (!piped && !looks_like_scene(&session->messages, options->operand, script)) return ST_CLI_INVALID;
    if (options->script_words.count && !script) {
        st_cli_error("--argv: %s is no Python script", options->operand);
        return ST_CLI_USAGE;
    }
    if (script && !options->host) return st_cli_start_python(options);
    if (!find_folders(session)) {
        st_cli_error("out of memory");
        return ST_CLI_FAILED;
    }
    if (script) return start_script(session);
    if (!(session->scene = empty_scene(session))) {
        st_cli_error("out of memory");
        return ST_CLI_FAILED;
    }

    // loading and initialization are timed apart
    const double start = st_cli_clock();
    st_status status = piped ? load_standard_input(session->scene) : st_scene_load(session->scene, options->operand);
    const double loaded = st_cli_clock();
    session->load_seconds = loaded - start;
    if (!st_succeeded(status)) return failed(session, "loaded", status);
    if (!st_cli_apply_sets(session->scene, &options->sets)) return ST_CLI_USAGE;

    status = st_scene_init(session->scene);
    session->init_seconds = st_cli_clock() - loaded;
    return st_succeeded(status) ? ST_CLI_OK : failed(session, "initialized", status);
}

st_scene *st_cli_session_reload(st_cli_session *session) {
    if (!looks_like_scene(&session->messages, session->options->operand, false)) return NULL;
    st_scene *scene = empty_scene(session);
    if (scene && st_succeeded(st_scene_load(scene, session->options->operand)) &&
        st_cli_apply_sets(scene, &session->options->sets) && st_succeeded(st_scene_init(scene)))
        return scene;
    if (scene) st_scene_destroy(scene);
    return NULL;
}

int st_cli_session_code(const st_cli_session *session, int code, bool quiet) {
    const size_t errors = st_cli_errors(&session->messages);
    if (code != ST_CLI_OK || errors == 0) return code;

    // after everything else, whichever way both streams go
    fflush(stdout);
    if (!quiet)
        fprintf(stderr, "settee: %zu error%s: results may not be what the scene means\n", errors,
                errors == 1 ? "" : "s");
    return ST_CLI_ERRORS;
}

void st_cli_session_end(st_cli_session *session) {
    const st_cli_host *host = session->options->host;
    if (session->scene && host) host->end(host->user, session->scene);
    else if (session->scene) st_scene_destroy(session->scene);
    st_cli_messages_free(&session->messages);
    st_cli_paths_free(&session->data_paths);
    st_cli_paths_free(&session->plugin_paths);
}
