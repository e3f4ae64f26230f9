// What the readers of the several syntaxes share: where they are in the text, where the value goes, and the one reason
// that is reported when something could not be read.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SCENE_FIELD_READER_H
#define SETTEE_SCENE_FIELD_READER_H

#include "base/array.h"
#include "scene/field_text.h"

typedef struct st_field_reader {
    st_scalar scalar;
    size_t width; // scalars per element
    void *member;
    const char *cursor;
    const char *end;
    const char *token; // the number that is read now, for messages
    size_t found;      // numbers read of the present element
    char *why;
    size_t size;
    bool warned;
} st_field_reader;

// Notes the reason, unless an earlier one is there; always ST_READ_WARN, to be returned.
st_read_result st_reader_warn(st_field_reader *reader, const char *format, ...) ST_PRINTF(2, 3);
// "'token' cannot be read as <what>", with the word that starts at `token`, cut where it is long.
st_read_result st_reader_warn_token(st_field_reader *reader, const char *token, const char *what);

size_t st_scalar_size(st_scalar scalar);

// How the scalars of a matrix stand: `lead` plain numbers (mass and volume of a rigid mass), then rows of `side`.
typedef struct st_matrix_shape {
    size_t lead, side;
} st_matrix_shape;
st_matrix_shape st_shape_of(size_t width);

// field_numbers.c: the next element of a list of numbers, appended. END and CUT append nothing.
st_text_result st_reader_push_element(st_field_reader *reader, bool *memory);

// The syntaxes that have files of their own. The text is not empty, and a list arrives empty.
st_read_result st_read_number_list(st_field_reader *reader, bool matrix); // field_numbers.c
st_read_result st_read_number_value(st_field_reader *reader, bool matrix);
st_read_result st_read_bool(st_field_reader *reader);             // a single one
st_read_result st_read_float(st_field_reader *reader);            // the whole text
st_read_result st_read_ranges(st_field_reader *reader, bool set); // field_ranges.c
st_read_result st_read_words(st_field_reader *reader);            // field_words.c: words, or ["a", "b c"]
st_read_result st_read_brackets(st_field_reader *reader);         //   [ t, t ]
st_read_result st_read_tags(st_field_reader *reader);             //   words only
st_read_result st_read_lines(st_field_reader *reader);            //   one string per line
st_read_result st_read_color(st_field_reader *reader);            // field_color.c
// field_option.c: a label of the options, or (unless `select`) its index; select falls back to the first.
st_read_result st_read_option(st_field_reader *reader, const char *const *options, bool select);

// field_words.c: ["a", "b"], or with ' where a string holds ".
bool st_write_quoted(const st_strings *list, st_text *out);
bool st_write_joined(const st_strings *list, char between, st_text *out);

#endif
