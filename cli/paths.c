// Where scenes look for files and plug-ins: the folders of options, then those of an environment variable, then the one
// next to the program, so that a build tree and an installed tree both find their own.
//
// SPDX-License-Identifier: Apache-2.0
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session.h"

static bool add(st_cli_paths *paths, const char *text, size_t length) {
    if (length == 0) return true;

    // NULL at the end
    char **data = realloc(paths->data, (paths->count + 2) * sizeof *data);
    if (!data) return false;
    paths->data = data;

    data[paths->count] = strndup(text, length);
    if (!data[paths->count]) return false;
    data[++paths->count] = NULL;
    return true;
}

static bool add_variable(st_cli_paths *paths, const char *variable) {
    const char *at = getenv(variable);
    bool ok = true;
    while (ok && at && *at) {
        const size_t length = strcspn(at, ":");
        ok = add(paths, at, length);
        at += length + (at[length] == ':');
    }
    return ok;
}

// The name by which it was called, if it holds a folder: inside of Python /proc names another program.
bool st_cli_program_file(const char *program, char file[PATH_MAX]) {
    if (strchr(program, '/') && realpath(program, file)) return true;
    const ssize_t length = readlink("/proc/self/exe", file, PATH_MAX - 1);
    if (length > 0) file[length] = 0;
    return length > 0;
}

static bool add_beside_program(st_cli_paths *paths, const char *program, const char *from_program) {
    char file[PATH_MAX], folder[PATH_MAX + 64];
    if (!st_cli_program_file(program, file)) return true;

    *strrchr(file, '/') = 0;
    const int length = snprintf(folder, sizeof folder, "%s/%s", file, from_program);
    return length >= (int)sizeof folder || add(paths, folder, (size_t)length);
}

bool st_cli_paths_create(st_cli_paths *paths, const st_cli_words *words, const char *variable, const char *program,
                         const char *from_program) {
    *paths = (st_cli_paths){0};
    bool ok = true;

    // options first, then the environment, then the program's own folder
    for (size_t i = 0; ok && i < words->count; i++) ok = add(paths, words->data[i], strlen(words->data[i]));
    return ok && add_variable(paths, variable) && add_beside_program(paths, program, from_program);
}

void st_cli_paths_free(st_cli_paths *paths) {
    for (size_t i = 0; i < paths->count; i++) free(paths->data[i]);
    free(paths->data);
    *paths = (st_cli_paths){0};
}
