// The bytes of a scene file. Only a regular file is read: a folder, a pipe or a device gets an answer instead of a
// wait without end.
//
// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scene/xml.h"

static bool explain_errno(char *why, size_t size, int error) {
    if (strerror_r(error, why, size) != 0) snprintf(why, size, "error %d", error);
    return false;
}

static bool source_check(int file, size_t limit, size_t *length, st_source_id *id, char *why, size_t size) {
    struct stat info;
    if (fstat(file, &info) != 0) return explain_errno(why, size, errno);

    // a folder, a device or a pipe is no scene
    const char *problem = NULL;
    if (S_ISDIR(info.st_mode)) problem = "it is a folder";
    else if (!S_ISREG(info.st_mode)) problem = "it is not a regular file";
    else if (info.st_size == 0) problem = "the file is empty";
    if (problem) snprintf(why, size, "%s", problem);
    else if ((unsigned long long)info.st_size > limit)
        snprintf(why, size, "its %lld bytes are more than the %zu that are left of a scene's %d MiB",
                 (long long)info.st_size, limit, ST_XML_BYTES >> 20);
    else {
        *length = (size_t)info.st_size;
        *id = (st_source_id){info.st_dev, info.st_ino};
        return true;
    }

    return false;
}

// A file that shrinks meanwhile gives what is there; one that grows is cut at the size that was checked.
static bool source_fill(int file, char *bytes, size_t *length, char *why, size_t size) {
    size_t done = 0;
    while (done < *length) {
        const ssize_t got = read(file, bytes + done, *length - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return explain_errno(why, size, errno);
        if (got == 0) break;
        done += (size_t)got;
    }

    *length = done;
    return true;
}

char *st_source_read(const char *path, size_t limit, size_t *length, st_source_id *id, char *why, size_t size) {
    // O_NONBLOCK: opening a pipe that nobody writes to does not wait
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        explain_errno(why, size, errno);
        return NULL;
    }

    // the whole file, with a zero at the end
    char *bytes = NULL;
    if (source_check(file, limit, length, id, why, size)) {
        bytes = st_alloc(*length + 1, 1);
        if (!bytes) snprintf(why, size, "out of memory");
        else if (!source_fill(file, bytes, length, why, size)) {
            st_free(bytes);
            bytes = NULL;
        }
    }

    close(file);
    return bytes;
}
