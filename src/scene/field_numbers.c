// Numbers one after the other: values of a fixed size, matrices, and lists of both.
//
// Numbers go straight to their place as a C++ stream would put them, because scenes rely on what is left after a
// failure: the number that fails becomes 0 (or the limit, when it is too large), those behind it keep their value. A
// list takes whole elements until the text ends. An element that is cut short by the end is dropped, and a word that is no
// number ends the list, both with a warning. Unsigned numbers take no sign: a stream would make a huge number of -1.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "scene/field_reader.h"

static const char *noun(st_scalar scalar) {
    switch (scalar) {
    case ST_SCALAR_BOOL: return "0 or 1";
    case ST_SCALAR_INT: return "an integer";
    case ST_SCALAR_UINT: return "a number of 0 or more";
    default: return "a number";
    }
}

// ---- one number

// A number that is there in full but too large is an error at the end of the text, too.
static st_text_result whole(st_text_result result, bool beyond) {
    return result == ST_TEXT_CUT && beyond ? ST_TEXT_BAD : result;
}

static st_text_result read_flag(st_field_reader *reader, bool *value) {
    int32_t number = 0;
    const st_text_result result = st_text_read_int(&reader->cursor, reader->end, &number);
    if (result == ST_TEXT_END) return result;

    *value = number != 0;
    return result == ST_TEXT_OK && (number < 0 || number > 1) ? ST_TEXT_BAD : whole(result, *value);
}

static st_text_result read_scalar(st_field_reader *reader, void *value) {
    st_text_result result;
    reader->token = reader->cursor;
    switch (reader->scalar) {
    case ST_SCALAR_REAL:
        result = st_text_read_real(&reader->cursor, reader->end, value);
        return result == ST_TEXT_OK ? result : whole(result, *(st_real *)value != 0);
    case ST_SCALAR_INT:
        result = st_text_read_int(&reader->cursor, reader->end, value);
        return result == ST_TEXT_OK ? result : whole(result, *(int32_t *)value != 0);
    case ST_SCALAR_UINT:
        if (*st_text_skip_blanks(reader->cursor, reader->end) == '-') return ST_TEXT_BAD; // a stream would wrap it
        result = st_text_read_uint(&reader->cursor, reader->end, value);
        return result == ST_TEXT_OK ? result : whole(result, *(uint32_t *)value != 0);
    default: return read_flag(reader, value);
    }
}

// ---- one element

static st_text_result read_row(st_field_reader *reader, char *element, size_t count) {
    const size_t size = st_scalar_size(reader->scalar);
    for (size_t i = 0; i < count; i++) {
        const st_text_result result = read_scalar(reader, element + size * i);
        if (result != ST_TEXT_OK) return result;
        reader->found++;
    }

    return ST_TEXT_OK;
}

static void skip_marks(st_field_reader *reader, const char *marks) {
    const char *p = reader->cursor;
    while (p < reader->end && (st_text_is_blank(*p) || strchr(marks, *p))) p++;
    reader->cursor = p;
}

static st_text_result read_matrix(st_field_reader *reader, char *element) {
    const st_matrix_shape shape = st_shape_of(reader->width);
    const size_t size = st_scalar_size(reader->scalar);
    st_text_result result = read_row(reader, element, shape.lead);

    // rows between brackets, separated by commas; both may be missing
    for (size_t row = 0; row < shape.side && result == ST_TEXT_OK; row++) {
        skip_marks(reader, "[],");
        result = read_row(reader, element + size * (shape.lead + row * shape.side), shape.side);
    }

    if (result == ST_TEXT_OK && shape.side) skip_marks(reader, "]");
    return result;
}

static st_text_result field_numbers_read_element(st_field_reader *reader, bool matrix, char *element) {
    reader->found = 0;
    return matrix ? read_matrix(reader, element) : read_row(reader, element, reader->width);
}

// ---- values and lists of numbers

static st_text_result push_element(st_field_reader *reader, bool matrix, bool *memory) {
    st_any_list *list = reader->member;
    const size_t size = st_scalar_size(reader->scalar) * reader->width;
    *memory = st_list_reserve_bytes(list, list->count + 1, size);

    if (!*memory) return ST_TEXT_BAD;
    char *element = (char *)list->data + size * list->count;
    memset(element, 0, size); // whatever an earlier, longer list left behind

    const st_text_result result = field_numbers_read_element(reader, matrix, element);
    if (result == ST_TEXT_OK) list->count++;
    return result;
}

st_text_result st_reader_push_element(st_field_reader *reader, bool *memory) {
    return push_element(reader, false, memory);
}

// Scenes write an empty list of vectors as "0", too.
static bool is_lone_zero(const st_field_reader *reader) {
    static const char zero[sizeof(st_real)] = {0};
    const st_any_list *list = reader->member;
    return list->count == 0 && reader->found == 1 && memcmp(list->data, zero, st_scalar_size(reader->scalar)) == 0;
}

st_read_result st_read_number_list(st_field_reader *reader, bool matrix) {
    st_text_result result;
    bool memory;
    do result = push_element(reader, matrix, &memory);
    while (result == ST_TEXT_OK);

    if (!memory) return ST_READ_MEMORY;
    if (result == ST_TEXT_BAD) return st_reader_warn_token(reader, reader->token, noun(reader->scalar));
    if (reader->found == 0 || is_lone_zero(reader)) return ST_READ_OK;
    return st_reader_warn(reader, "%zu of the %zu numbers of an element are left over at the end", reader->found,
                          reader->width);
}

st_read_result st_read_number_value(st_field_reader *reader, bool matrix) {
    const st_text_result result = field_numbers_read_element(reader, matrix, reader->member);
    if (result == ST_TEXT_OK) return ST_READ_OK;
    if (result != ST_TEXT_END) return st_reader_warn_token(reader, reader->token, noun(reader->scalar));
    if (reader->width == 1) return st_reader_warn(reader, "there is no number");
    return st_reader_warn(reader, "%zu numbers are needed, there are %zu", reader->width, reader->found);
}

// A single bool: the first character decides.
st_read_result st_read_bool(st_field_reader *reader) {
    const char *p = reader->cursor;
    bool *value = reader->member;
    if (*p == 'T' || *p == 't') return *value = true, ST_READ_OK;
    if (*p == 'F' || *p == 'f') return *value = false, ST_READ_OK;

    // a number: any digit but 0 makes it true
    if (p < reader->end && *p == '-') p++;
    if (p == reader->end || *p < '0' || *p > '9')
        return st_reader_warn_token(reader, reader->cursor, "true or false (true, false, 1, 0)");

    while (p < reader->end && *p == '0') p++;
    *value = p < reader->end && *p >= '1' && *p <= '9';
    return ST_READ_OK;
}

// The short-hands: the whole text is the number. What could only spread (inf, nan) is refused.
st_read_result st_read_float(st_field_reader *reader) {
    st_real value = 0;
    if (!st_text_read_float(reader->cursor, &value) || !isfinite(value))
        return st_reader_warn(reader, "'%.40s' is not exactly one number", reader->cursor);

    *(st_real *)reader->member = value;
    return ST_READ_OK;
}
