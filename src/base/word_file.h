// Small text files of keywords and numbers (.rigid, .xsp), read word by word.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BASE_WORD_FILE_H
#define SETTEE_BASE_WORD_FILE_H

#include "settee/types.h"

typedef struct st_word_file {
    char *text; // owned, NULL when the reader was set up on borrowed memory
    const char *cursor, *end;
} st_word_file;

enum { ST_WORD_MAX = 64 };

// Reads a whole file into memory; false when it cannot be opened, is too large (1 GB) or memory does not suffice.
bool st_word_file_open(st_word_file *file, const char *path);
st_word_file st_word_file_of_text(const char *text, size_t length); // borrowed
void st_word_file_close(st_word_file *file);

// The next word without its blanks, cut at ST_WORD_MAX - 1 letters; false at the end.
bool st_word_file_word(st_word_file *file, char word[ST_WORD_MAX]);
bool st_word_file_reals(st_word_file *file, st_real *values, int count);
bool st_word_file_index(st_word_file *file, uint32_t *value);
void st_word_file_skip_line(st_word_file *file);

#endif
