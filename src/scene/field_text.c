// Reading the text of a value: which syntax its type has, and what holds for all of them.
//
// An empty text empties a list or a string and leaves everything else as it is.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene/field_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scene/field_reader.h"

enum { SHOWN_BYTES = 40 };

// ---- reasons

st_read_result st_reader_warn(st_field_reader *reader, const char *format, ...) {
    // the first reason is the one that is shown
    if (!reader->warned && reader->why && reader->size) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(reader->why, reader->size, format, arguments);
        va_end(arguments);
    }

    reader->warned = true;
    return ST_READ_WARN;
}

st_read_result st_reader_warn_token(st_field_reader *reader, const char *token, const char *what) {
    token = st_text_skip_blanks(token, reader->end);
    const char *last = token;
    while (last < reader->end && !st_text_is_blank(*last) && last - token < SHOWN_BYTES) last++;

    // A character of several bytes in UTF-8 is shown whole or not at all.
    if (last < reader->end)
        while (last > token && ((unsigned char)*last & 0xc0) == 0x80) last--;

    const bool cut = last < reader->end && !st_text_is_blank(*last);
    return st_reader_warn(reader, "'%.*s%s' cannot be read as %s", (int)(last - token), token, cut ? "..." : "", what);
}

// ---- what types are made of

size_t st_scalar_size(st_scalar scalar) {
    switch (scalar) {
    case ST_SCALAR_BOOL: return sizeof(bool);
    case ST_SCALAR_INT: return sizeof(int32_t);
    case ST_SCALAR_UINT: return sizeof(uint32_t);
    case ST_SCALAR_REAL: return sizeof(st_real);
    default: return sizeof(void *);
    }
}

st_matrix_shape st_shape_of(size_t width) {
    switch (width) {
    case 4: return (st_matrix_shape){0, 2};
    case 9: return (st_matrix_shape){0, 3};
    case 11: return (st_matrix_shape){2, 3};
    case 16: return (st_matrix_shape){0, 4};
    default: return (st_matrix_shape){width, 0};
    }
}

// ---- which syntax

static st_read_result read_text(st_field_reader *reader, const char *text) {
    char *copy = st_string_copy(text);
    if (!copy) return ST_READ_MEMORY;

    st_free(*(char **)reader->member);
    *(char **)reader->member = copy;
    return ST_READ_OK;
}

static void clear_list(st_field_reader *reader) {
    st_any_list *list = reader->member;
    char **strings = list->data;
    if (reader->scalar == ST_SCALAR_STRING)
        for (size_t i = 0; i < list->count; i++) st_free(strings[i]);
    list->count = 0;
}

static st_read_result read_strings(st_field_reader *reader, st_syntax syntax) {
    switch (syntax) {
    case ST_SYNTAX_BRACKETS: return st_read_brackets(reader);
    case ST_SYNTAX_TAGS: return st_read_tags(reader);
    case ST_SYNTAX_MAP: return st_read_lines(reader);
    default: return st_read_words(reader);
    }
}

static st_read_result read_numbers(st_field_reader *reader, const st_type *type, const char *const *options) {
    const bool index = type->scalar == ST_SCALAR_INT || type->scalar == ST_SCALAR_UINT;
    const bool real = type->scalar == ST_SCALAR_REAL;
    const bool single = !type->list && reader->width == 1;

    // syntaxes of their own, where the type fits
    switch (type->syntax) {
    case ST_SYNTAX_RANGES:
    case ST_SYNTAX_SET:
        if (index && type->list && reader->width == 1) return st_read_ranges(reader, type->syntax == ST_SYNTAX_SET);
        break;
    case ST_SYNTAX_OPTION:
    case ST_SYNTAX_SELECT:
        if (index && single) return st_read_option(reader, options, type->syntax == ST_SYNTAX_SELECT);
        break;
    case ST_SYNTAX_FLOAT:
        if (real && single) return st_read_float(reader);
        break;
    case ST_SYNTAX_COLOR:
        if (real && !type->list && reader->width == 4) return st_read_color(reader);
        break;
    case ST_SYNTAX_BRACKETS:
        if (type->list) return st_read_brackets(reader);
        break;
    default: break;
    }

    // A single bool has rules of its own; one direction of a flag per direction (Vec1) has not.
    if (type->scalar == ST_SCALAR_BOOL && !type->list && type->width == 1) return st_read_bool(reader);

    const bool matrix = type->syntax == ST_SYNTAX_MATRIX;
    return type->list ? st_read_number_list(reader, matrix) : st_read_number_value(reader, matrix);
}

st_read_result st_field_read(const st_type *type, size_t width, const char *const *options, void *member,
                             const char *text, char *why, size_t size) {
    if (!text) text = "";
    st_field_reader reader = {.scalar = type->scalar,
                              .width = width,
                              .member = member,
                              .cursor = text,
                              .end = text + strlen(text),
                              .token = text,
                              .why = why,
                              .size = size};

    // what cannot be read at all
    if (why && size) why[0] = '\0';
    if (type->scalar == ST_SCALAR_LINK) return st_reader_warn(&reader, "a link is not a value");
    if (width < 1 || width > ST_WIDTH_MAX)
        return st_reader_warn(&reader, "this component has no template that gives the size of the value");

    // the value, by its syntax
    if (type->list) clear_list(&reader);
    if (type->scalar == ST_SCALAR_STRING && !type->list) return read_text(&reader, text);
    if (!*text) return ST_READ_OK;
    return type->scalar == ST_SCALAR_STRING ? read_strings(&reader, type->syntax)
                                            : read_numbers(&reader, type, options);
}
