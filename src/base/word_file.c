// Small text files, read word by word: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/word_file.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

enum { MAX_SIZE = 1 << 30, CHUNK = 1 << 16 };

// Grows as it reads, because the size of what is not a plain file is not known in advance.
static char *read_all(FILE *stream, size_t *length) {
    size_t capacity = CHUNK, used = 0;
    char *text = st_alloc(capacity, 1);
    while (text) {
        const size_t got = fread(text + used, 1, capacity - used, stream);
        used += got;
        if (got == 0) break;
        if (used < capacity) continue;

        // full: twice the room
        char *wider = capacity < MAX_SIZE ? st_resize(text, capacity, 2 * capacity, 1) : NULL;
        if (!wider) st_free(text);
        text = wider;
        capacity *= 2;
    }

    *length = used;
    if (text && !ferror(stream)) return text;
    st_free(text);
    return NULL;
}

bool st_word_file_open(st_word_file *file, const char *path) {
    *file = (st_word_file){0};
    FILE *stream = path ? fopen(path, "rb") : NULL;
    if (!stream) return false;

    size_t length = 0;
    file->text = read_all(stream, &length);
    fclose(stream);
    if (!file->text) return false;

    file->cursor = file->text;
    file->end = file->text + length;
    return true;
}

st_word_file st_word_file_of_text(const char *text, size_t length) {
    return (st_word_file){.cursor = text, .end = text + length};
}

void st_word_file_close(st_word_file *file) {
    st_free(file->text);
    *file = (st_word_file){0};
}

bool st_word_file_word(st_word_file *file, char word[ST_WORD_MAX]) {
    const char *begin = st_text_skip_blanks(file->cursor, file->end);
    const char *s = begin;
    while (s < file->end && !st_text_is_blank(*s)) s++;

    file->cursor = s;

    // a word that is too long is cut
    const size_t length = (size_t)(s - begin) < ST_WORD_MAX ? (size_t)(s - begin) : ST_WORD_MAX - 1;
    memcpy(word, begin, length);
    word[length] = '\0';
    return length > 0;
}

bool st_word_file_reals(st_word_file *file, st_real *values, int count) {
    for (int i = 0; i < count; i++)
        if (st_text_read_real(&file->cursor, file->end, &values[i]) != ST_TEXT_OK) return false;
    return true;
}

bool st_word_file_index(st_word_file *file, uint32_t *value) {
    return st_text_read_uint(&file->cursor, file->end, value) == ST_TEXT_OK;
}

void st_word_file_skip_line(st_word_file *file) {
    while (file->cursor < file->end && *file->cursor != '\n') file->cursor++;
    if (file->cursor < file->end) file->cursor++;
}
