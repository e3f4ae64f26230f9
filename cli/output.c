// Files that a run writes. A file is written aside, in the folder where it belongs, and renamed when it is complete: a
// reader finds the old file or the whole new one, never half of it. What is not a plain file (a pipe, /dev/full) is
// written in place.
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

// Creates the file aside with the rights of the file that it replaces, or those of any new file.
static bool open_aside(st_cli_output *output, const struct stat *old) {
    const size_t size = strlen(output->target) + sizeof ".partXXXXXX";
    output->aside = malloc(size);
    if (!output->aside) return false;
    snprintf(output->aside, size, "%s.partXXXXXX", output->target);
    const int descriptor = mkstemp(output->aside);
    if (descriptor < 0) {
        const int error = errno;
        free(output->aside);
        output->aside = NULL;
        errno = error;
        return false;
    }
    const mode_t mask = umask(0);
    umask(mask);
    if (fchmod(descriptor, old ? old->st_mode & 0777 : 0666 & ~mask) != 0)
        errno = 0; // some file systems have no rights
    output->file = fdopen(descriptor, "w");
    return output->file != NULL;
}

static bool open_file(st_cli_output *output) {
    struct stat old;
    const bool exists = stat(output->path, &old) == 0;
    if (exists && !S_ISREG(old.st_mode)) {
        output->file = fopen(output->path, "w");
        return output->file != NULL;
    }
    if (exists && access(output->path, W_OK) != 0) return false;
    // A link stays one: the file that it points to is replaced.
    output->target = exists ? realpath(output->path, NULL) : strdup(output->path);
    return output->target && open_aside(output, exists ? &old : NULL);
}

bool st_cli_output_open(st_cli_output *output, const char *path) {
    *output = (st_cli_output){.path = path};
    if (st_cli_is_stdout(path)) output->file = stdout;
    else if (!open_file(output)) {
        fail(path, errno);
        free(output->target);
        *output = (st_cli_output){0};
        return false;
    }
    if (output->file != stdout) setvbuf(output->file, NULL, _IOFBF, BUFFER_SIZE);
    return true;
}

bool st_cli_output_write(void *user, const char *text, size_t length) {
    st_cli_output *output = user;
    if (output->failed) return false;
    if (fwrite(text, 1, length, output->file) == length) return true;
    output->failed = true;
    return fail(output->path, errno);
}

bool st_cli_output_close(st_cli_output *output) {
    if (!output->file) return true;
    const bool before = output->failed;
    const int status = output->file == stdout ? fflush(stdout) : fclose(output->file);
    if (status != 0) output->failed = true;
    if (!output->failed && output->aside && rename(output->aside, output->target) != 0) output->failed = true;
    if (output->failed && !before) fail(output->path, errno);
    if (output->failed && output->aside) unlink(output->aside);
    free(output->aside);
    free(output->target);
    output->file = NULL;
    output->aside = output->target = NULL;
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
    for (char *at = part + 1; *at; at++) {
        if (*at != '/') continue;
        *at = 0;
        mkdir(part, 0777); // the last one tells whether it worked
        *at = '/';
    }
    struct stat status;
    const bool made = mkdir(part, 0777) == 0;
    int error = made ? 0 : errno;
    free(part);
    if (!made && error == EEXIST) error = stat(path, &status) == 0 && S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
    if (!error && access(path, W_OK | X_OK) != 0) error = errno;
    return error == 0 || fail(path, error);
}
