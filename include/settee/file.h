// Files that appear whole or not at all: written aside and renamed when everything is on the disk.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FILE_H
#define SETTEE_FILE_H

#include <stdio.h>

#include "settee/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct st_file {
    FILE *stream; // write here
    char *path;   // as the caller named it
    char *target; // the same with symbolic links followed: a link stays, its file is replaced
    char *aside;  // NULL for a device
} st_file;

// Opens a file beside `path`, with the rights of the file that it will replace; false and a reason in `why` when that
// fails. A device such as /dev/stdout is written directly; a directory, and a file that may not be written, are
// refused.
ST_API bool st_file_create(st_file *file, const char *path, char *why, size_t size);
// Puts it in place; false (and nothing changed at `path`) when a byte could not be written.
ST_API bool st_file_commit(st_file *file, char *why, size_t size);
// Drops it.
ST_API void st_file_abandon(st_file *file);

// What an errno means, in words.
ST_API void st_error_text(int number, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
