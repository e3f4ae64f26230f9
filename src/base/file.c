// The new file gets its permissions from open(), which applies the user's mask: asking for the mask with umask() would
// change it for all threads of the program, and mkstemp() makes files that only their owner can read.
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

void st_error_text(int number, char *text, size_t size) {
    if (size && strerror_r(number, text, size) != 0) snprintf(text, size, "error %d", number);
}

static bool file_fail(char *why, size_t size, const char *path, int number) {
    char reason[128];
    st_error_text(number, reason, sizeof reason);
    snprintf(why, size, "%s: cannot be written: %s", path, reason);
    return false;
}

// The path as given, and without its symbolic links; errno says why when it fails.
static bool name_target(st_file *file, const char *path) {
    char *real = realpath(path, NULL);
    file->path = st_string_copy(path);
    file->target = st_string_copy(real ? real : path);
    free(real);
    if (file->path && file->target) return true;
    errno = ENOMEM;
    return false;
}

// A stream on a descriptor that is closed when there is none.
static FILE *stream_of(int descriptor) {
    FILE *stream = fdopen(descriptor, "wb");
    if (stream) return stream;

    const int number = errno;
    close(descriptor);
    errno = number;
    return NULL;
}

// A file that was not there before, with a number in its name that no other writer has taken. `old`, if any, is what it
// will replace.
static bool open_beside(st_file *file, const struct stat *old) {
    for (int attempt = 0; attempt < 1000; attempt++) {
        // errno of a failed open decides whether another number helps
        st_free(file->aside);
        file->aside = st_string_format("%s.%ld-%d.part", file->target, (long)getpid(), attempt);
        if (!file->aside) {
            errno = ENOMEM;
            return false;
        }

        // O_EXCL: somebody else's file is never written
        const int descriptor = open(file->aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0) {
            if (old && fchmod(descriptor, old->st_mode & 0777) != 0) errno = 0; // some file systems have no rights
            return (file->stream = stream_of(descriptor)) != NULL;
        }

        if (errno == EEXIST) continue;
        file->aside[0] = '\0'; // nothing to remove
        return false;
    }
    file->aside[0] = '\0';
    return false;
}

// Devices and pipes are written in place.
static bool open_device(st_file *file) {
    const int descriptor = open(file->path, O_WRONLY | O_CLOEXEC);
    return descriptor >= 0 && (file->stream = stream_of(descriptor)) != NULL;
}

static bool open_target(st_file *file, const char *path) {
    struct stat info;

    // devices are written in place, regular files replaced
    const bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return false;
    }

    if (!name_target(file, path)) return false;

    if (exists && !S_ISREG(info.st_mode)) return open_device(file);
    if (exists && access(path, W_OK) != 0) return false;
    return open_beside(file, exists ? &info : NULL);
}

bool st_file_create(st_file *file, const char *path, char *why, size_t size) {
    *file = (st_file){0};
    if (open_target(file, path)) return true;
    file_fail(why, size, path, errno);
    st_file_abandon(file);
    return false;
}

bool st_file_commit(st_file *file, char *why, size_t size) {
    // A full disk may show up as late as the last flush. A byte lost earlier leaves only its mark: call that EIO.
    int number = ferror(file->stream) ? EIO : 0;
    if (fflush(file->stream) != 0) number = errno;
    if (fclose(file->stream) != 0 && !number) number = errno;
    file->stream = NULL;

    // the finished file takes the place of the old one
    if (!number && file->aside) {
        if (rename(file->aside, file->target) != 0) number = errno;
        else file->aside[0] = '\0';
    }

    if (number) file_fail(why, size, file->path, number);
    st_file_abandon(file);
    return !number;
}

void st_file_abandon(st_file *file) {
    if (file->stream) fclose(file->stream);
    if (file->aside && file->aside[0]) unlink(file->aside);

    st_free(file->aside);
    st_free(file->target);
    st_free(file->path);
    *file = (st_file){0};
}
