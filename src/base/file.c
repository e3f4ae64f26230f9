// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

static bool fail(char *why, size_t size, const char *path) {
    snprintf(why, size, "%s: %s", path, strerror(errno));
    return false;
}

static bool is_device(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

// The permissions of an ordinary new file; mkstemp makes private ones.
static void open_to_others(int descriptor) {
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
}

bool st_file_create(st_file *file, const char *path, char *why, size_t size) {
    *file = (st_file){.path = st_string_copy(path)};
    if (is_device(path)) {
        file->stream = fopen(path, "w");
        return file->stream ? true : fail(why, size, path);
    }
    file->aside = st_string_format("%s.XXXXXX", path);
    const int descriptor = file->aside ? mkstemp(file->aside) : -1;
    if (descriptor >= 0) open_to_others(descriptor);
    file->stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file->stream) return true;
    fail(why, size, path);
    if (descriptor >= 0) close(descriptor);
    st_file_abandon(file);
    return false;
}

bool st_file_commit(st_file *file, char *why, size_t size) {
    bool ok = fflush(file->stream) == 0 && !ferror(file->stream);
    ok = fclose(file->stream) == 0 && ok;
    file->stream = NULL;
    if (ok && file->aside) ok = rename(file->aside, file->path) == 0;
    if (!ok) fail(why, size, file->path);
    else if (file->aside) file->aside[0] = '\0';
    st_file_abandon(file);
    return ok;
}

void st_file_abandon(st_file *file) {
    if (file->stream) fclose(file->stream);
    if (file->aside && file->aside[0]) unlink(file->aside);
    st_free(file->aside);
    st_free(file->path);
    *file = (st_file){0};
}
