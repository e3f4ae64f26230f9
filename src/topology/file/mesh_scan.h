// Numbers and words of a mesh file, wherever its lines end. The cursor of the file moves behind what was read, and
// stays before what could not be read. The number of a line is counted only when a message needs it.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_FILE_MESH_SCAN_H
#define SETTEE_TOPOLOGY_FILE_MESH_SCAN_H

#include "topology/file/mesh_file.h"

// The line of a place in the text, from 1.
int st_mesh_scan_line(st_mesh_file *file, const char *place);

// A number and nothing glued to it. Reals are finite.
bool st_mesh_scan_int(st_mesh_file *file, int32_t *value);
bool st_mesh_scan_reals(st_mesh_file *file, st_real *values, int count);
bool st_mesh_scan_singles(st_mesh_file *file, st_real *values, int count); // rounded to float, once
bool st_mesh_scan_count(st_mesh_file *file, size_t *value);                // without a sign; SIZE_MAX when it is larger

bool st_mesh_scan_word(st_mesh_file *file, const char **word, size_t *length);
bool st_mesh_scan_is(st_mesh_file *file, const char *word); // is it the next word? Then it was read
void st_mesh_scan_skip_line(st_mesh_file *file);
// Goes on to the line that begins with the word and reads the word; false when there is none.
bool st_mesh_scan_find(st_mesh_file *file, const char *word);

static inline size_t st_mesh_scan_left(const st_mesh_file *file) { return (size_t)(file->end - file->cursor); }

// The error "... is expected, but "word" is there" at the cursor. Always false.
bool st_mesh_scan_expected(st_mesh_file *file, const char *format, ...) ST_PRINTF(2, 3);
bool st_mesh_scan_no_memory(st_mesh_file *file); // an error. Always false

#endif
