// Mesh files as text: opened once, read line by line, problems reported with file and line.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_FILE_MESH_FILE_H
#define SETTEE_TOPOLOGY_FILE_MESH_FILE_H

#include "settee/plugin/component.h"
#include "settee/settee.h"

typedef struct st_mesh_file {
    const st_object *object; // in whose name problems are reported; NULL: to the log, if there is one
    st_log_function *log;
    void *log_user;
    const char *path; // borrowed
    char *text;       // owned; NULL when the reader was set up on borrowed memory
    const char *cursor, *end;
    int line; // of the last line read
    size_t problems;
    const char *begin;  // of the text
    const char *marked; // up to here lines were counted,
    int marked_lines;   // so many
} st_mesh_file;

// Opens the file that a field names (resolved by the scene when it was written). False: an error was sent.
bool st_mesh_file_open(st_mesh_file *file, st_object *object, const char *name);
// The same for a file outside of a scene.
bool st_mesh_file_open_path(st_mesh_file *file, const char *path, st_log_function *log, void *user);
st_mesh_file st_mesh_file_of_text(const char *text, size_t length); // borrowed
// Says how many problems were not shown, and frees.
void st_mesh_file_close(st_mesh_file *file);

// The next line without its end; false when there is none.
bool st_mesh_file_line(st_mesh_file *file, const char **begin, const char **end);
// The next word of [*cursor, end), as a pair of pointers; false when only blanks are left.
bool st_mesh_file_word(const char **cursor, const char *end, const char **word, size_t *length);
// Reads `count` finite numbers; false when there are fewer: the missing ones are 0.
bool st_mesh_file_reals(const char **cursor, const char *end, st_real *values, int count);

// An error "file:line: ..." (or a warning); after the first few they are only counted.
void st_mesh_file_problem(st_mesh_file *file, int line, const char *format, ...) ST_PRINTF(3, 4);
void st_mesh_file_warn(st_mesh_file *file, int line, const char *format, ...) ST_PRINTF(3, 4);
// An error at a place in a binary file: "file: byte 84: ..."
void st_mesh_file_problem_at(st_mesh_file *file, const char *place, const char *format, ...) ST_PRINTF(3, 4);

#endif
