// Writing a value as text that the same type reads back: blanks between numbers, matrices and quoted strings in
// brackets.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "scene/field_reader.h"

static bool write_scalar(st_scalar scalar, const void *value, int digits, st_text *out) {
    switch (scalar) {
    case ST_SCALAR_REAL: return st_text_append_real(out, *(const st_real *)value, digits);
    case ST_SCALAR_INT: return st_text_appendf(out, "%ld", (long)*(const int32_t *)value);
    case ST_SCALAR_UINT: return st_text_appendf(out, "%lu", (unsigned long)*(const uint32_t *)value);
    case ST_SCALAR_BOOL: return st_text_append_char(out, *(const bool *)value ? '1' : '0');
    default: return true;
    }
}

static bool field_write_write_row(st_scalar scalar, const char *element, size_t count, int digits, st_text *out) {
    for (size_t i = 0; i < count; i++) {
        if (i && !st_text_append_char(out, ' ')) return false;
        if (!write_scalar(scalar, element + st_scalar_size(scalar) * i, digits, out)) return false;
    }
    return true;
}

// mass volume [a b c,d e f,g h i]
static bool write_matrix(st_scalar scalar, const char *element, size_t width, int digits, st_text *out) {
    const st_matrix_shape shape = st_shape_of(width);

    const size_t size = st_scalar_size(scalar);
    if (!field_write_write_row(scalar, element, shape.lead, digits, out)) return false;
    if (!shape.side) return true;
    if (!st_text_append(out, shape.lead ? " [" : "[")) return false;

    for (size_t row = 0; row < shape.side; row++) {
        const char *first = element + size * (shape.lead + row * shape.side);
        if (row && !st_text_append_char(out, ',')) return false;
        if (!field_write_write_row(scalar, first, shape.side, digits, out)) return false;
    }

    return st_text_append_char(out, ']');
}

static bool write_element(const st_type *type, const char *element, size_t width, int digits, st_text *out) {
    if (type->syntax == ST_SYNTAX_MATRIX) return write_matrix(type->scalar, element, width, digits, out);
    return field_write_write_row(type->scalar, element, width, digits, out);
}

static bool write_list(const st_type *type, const st_any_list *list, size_t width, int digits, st_text *out) {
    const size_t size = st_scalar_size(type->scalar) * width;
    const bool brackets = type->syntax == ST_SYNTAX_BRACKETS;

    if (brackets && !st_text_append_char(out, '[')) return false;
    for (size_t i = 0; i < list->count; i++) {
        if (i && !st_text_append(out, brackets ? ", " : " ")) return false;
        if (!write_element(type, (const char *)list->data + size * i, width, digits, out)) return false;
    }

    return !brackets || st_text_append_char(out, ']');
}

// Words cannot be quoted when one holds a quote; such a list was read as words between blanks.
static bool quotable(const st_strings *list) {
    for (size_t i = 0; i < list->count; i++)
        if (strchr(list->data[i], '"')) return false;
    return true;
}

static bool write_strings(st_syntax syntax, const st_strings *list, st_text *out) {
    switch (syntax) {
    case ST_SYNTAX_TAGS: return st_write_joined(list, ' ', out);
    case ST_SYNTAX_MAP: return st_write_joined(list, '\n', out);
    case ST_SYNTAX_BRACKETS: return st_write_quoted(list, out);
    default: return quotable(list) ? st_write_quoted(list, out) : st_write_joined(list, ' ', out);
    }
}

static bool write_option(const char *const *options, int32_t index, st_text *out) {
    for (int32_t i = 0; options && options[i]; i++)
        if (i == index) return st_text_append(out, options[i]);
    return st_text_appendf(out, "%ld", (long)index);
}

bool st_field_write(const st_type *type, size_t width, const char *const *options, const void *member, int digits,
                    st_text *out) {
    if (!st_text_append(out, "")) return false; // what was written is a string, even when it is empty

    if (type->scalar == ST_SCALAR_LINK || width < 1) return true;
    if (type->scalar == ST_SCALAR_STRING && !type->list) {
        const char *text = *(const char *const *)member;
        return st_text_append(out, text ? text : "");
    }

    if (type->scalar == ST_SCALAR_STRING) return write_strings(type->syntax, member, out);
    if (type->syntax == ST_SYNTAX_OPTION || type->syntax == ST_SYNTAX_SELECT)
        return write_option(options, *(const int32_t *)member, out);

    if (type->list) return write_list(type, member, width, digits, out);
    return write_element(type, member, width, digits, out);
}
