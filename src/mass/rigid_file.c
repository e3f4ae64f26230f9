// The .rigid file. Its first line is a title; then come keywords with numbers:
//
//     inrt + 9 reals        inertia per unit mass, row by row
//     vertexMass + 1        mass
//     volm + 1              volume
//     cntr, center, grav + 3; frme + 4; visc, stck, step, prec + 1     read and ignored
//     # ...                 comment up to the end of the line
//
// SPDX-License-Identifier: Apache-2.0
#include "mass/rigid_file.h"

#include <string.h>

#include "base/word_file.h"

static const struct ignored {
    const char *word;
    int count;
} ignored[] = {{"cntr", 3}, {"center", 3}, {"frme", 4}, {"grav", 3},
               {"visc", 1}, {"stck", 1},   {"step", 1}, {"prec", 1}};

static bool skip_ignored(st_word_file *file, const char *word) {
    st_real unused[4];
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        if (strcmp(word, ignored[i].word) == 0) {
            st_word_file_reals(file, unused, ignored[i].count);
            return true;
        }
    return false;
}

// Reads numbers into place only when all of them are there.
static bool read_values(const st_object *object, st_word_file *file, const char *word, st_real *values, int count) {
    st_real read[9];
    if (!st_word_file_reals(file, read, count)) {
        st_message(object, ST_ERROR, "'%s' must be followed by %d number%s; the record is ignored", word, count,
                   count > 1 ? "s" : "");
        return false;
    }

    memcpy(values, read, (size_t)count * sizeof *values);
    return true;
}

static void rigid_file_parse(const st_object *object, st_word_file *file, st_rigid_file *content) {
    char word[ST_WORD_MAX];
    st_word_file_skip_line(file);

    // the first line is a title
    while (st_word_file_word(file, word)) {
        if (word[0] == '#') {
            st_word_file_skip_line(file);
        } else if (strcmp(word, "inrt") == 0) {
            if (read_values(object, file, word, content->inertia, 9)) content->has_inertia = true;
        } else if (strcmp(word, "vertexMass") == 0) {
            if (read_values(object, file, word, &content->mass, 1)) content->has_mass = true;
        } else if (strcmp(word, "volm") == 0) {
            if (read_values(object, file, word, &content->volume, 1)) content->has_volume = true;
        } else if (!skip_ignored(file, word)) {
            st_message(object, ST_ERROR, "unknown keyword '%s' in the rigid file; its line is ignored", word);
            st_word_file_skip_line(file);
        }
    }
}

bool st_rigid_file_read(const st_object *object, const char *path, st_rigid_file *content) {
    st_word_file file;
    if (!st_word_file_open(&file, path)) return false;
    rigid_file_parse(object, &file, content);
    st_word_file_close(&file);
    return true;
}
