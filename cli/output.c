// Files that a run writes, whole or not at all (settee/file.h), or standard output.
//
// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session.h"

enum { BUFFER_SIZE = 1 << 16 };

bool st_cli_is_stdout(const char *path) { return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0; }

static bool fail(const char *path, int error) {
    st_cli_error("%s: cannot be written: %s", path, strerror(error));
    return false;
}

bool st_cli_same_file(const char *a, const char *b) {
    struct stat x, y;
    if (strcmp(a, b) == 0) return true;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool st_cli_output_open(st_cli_output *output, const char *path) {
    char why[512];
    *output = (st_cli_output){.path = path, .stream = st_cli_is_stdout(path) ? stdout : NULL};
    if (output->stream) return true;

    // a file that takes its place when it is closed
    if (!st_file_create(&output->file, path, why, sizeof why)) {
        st_cli_error("%s", why);
        return false;
    }

    output->stream = output->file.stream;
    setvbuf(output->stream, NULL, _IOFBF, BUFFER_SIZE);
    return true;
}

bool st_cli_output_write(void *user, const char *text, size_t length) {
    st_cli_output *output = user;
    if (output->failed) return false;

    if (fwrite(text, 1, length, output->stream) == length) return true;
    output->failed = true;
    return fail(output->path, errno);
}

bool st_cli_output_close(st_cli_output *output) {
    char why[512];
    if (!output->stream) return true;

    // standard output is flushed, a file is completed or removed
    if (output->stream == stdout) {
        if (fflush(stdout) != 0 && !output->failed) output->failed = !fail(output->path, errno);
    } else if (output->failed) {
        st_file_abandon(&output->file);
    } else if (!st_file_commit(&output->file, why, sizeof why)) {
        st_cli_error("%s", why);
        output->failed = true;
    }

    output->stream = NULL;
    return !output->failed;
}

void st_cli_output_discard(st_cli_output *output) {
    output->failed = true;
    st_cli_output_close(output);
}

bool st_cli_can_write(const char *path) {
    struct stat status;
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode)) return fail(path, EISDIR);
        return access(path, W_OK) == 0 || fail(path, errno);
    }

    // a new file needs a folder that can be written to
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, slash > path ? (size_t)(slash - path) : 1) : strdup(".");
    const bool ok = folder && access(folder, W_OK | X_OK) == 0;

    const int error = errno;
    free(folder);
    return ok || fail(path, error);
}

bool st_cli_make_folder(const char *path) {
    char *part = strdup(path);
    if (!part) return fail(path, ENOMEM);

    // each folder of the path from the top
    for (char *at = part + 1; *at; at++) {
        if (*at != '/') continue;
        *at = 0;
        mkdir(part, 0777); // the last one shows whether it worked
        *at = '/';
    }

    // it may have been there before
    struct stat status;
    const bool made = mkdir(part, 0777) == 0;
    int error = made ? 0 : errno;
    free(part);

    if (!made && error == EEXIST) error = stat(path, &status) == 0 && S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
    if (!error && access(path, W_OK | X_OK) != 0) error = errno;
    return error == 0 || fail(path, error);
}
