// Numbers and words of a mesh file.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/file/mesh_scan.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "math/real.h"

int st_mesh_scan_line(st_mesh_file *file, const char *place) {
    // counting goes on from the last place asked for, unless the new one is before it
    if (place < file->marked) {
        file->marked = file->begin;
        file->marked_lines = 0;
    }

    for (const char *next; (next = memchr(file->marked, '\n', (size_t)(place - file->marked)));) {
        file->marked = next + 1;
        file->marked_lines++;
    }

    file->marked = place;
    return file->marked_lines + 1;
}

// ---------------------------------------------------------------------------------------------------
// Numbers
// ---------------------------------------------------------------------------------------------------

static bool ends(const char *at, const char *end) {
    return at == end || *at == ' ' || *at == '\n' || st_text_is_blank(*at);
}

// Moves behind a number, or to its beginning when it is none.
static bool mesh_scan_settle(st_mesh_file *file, const char *at, bool ok) {
    ok = ok && ends(at, file->end);
    file->cursor = ok ? at : st_text_skip_blanks(file->cursor, file->end);
    return ok;
}

// A short number without a sign: nearly all that meshes hold. False: it is not one, and nothing was read.
static bool scan_short(st_mesh_file *file, int32_t *value) {
    enum { DIGITS = 9 };

    const char *at = file->cursor, *end = file->end;
    while (at < end && (*at == ' ' || *at == '\n')) at++;

    // at most nine digits fit into 32 bits whatever they are
    const char *last = end - at > DIGITS ? at + DIGITS : end, *first = at;
    int32_t number = 0;
    for (; at < last && *at >= '0' && *at <= '9'; at++) number = 10 * number + (*at - '0');

    if (at == first || !ends(at, end)) return false;
    *value = number;
    file->cursor = at;
    return true;
}

bool st_mesh_scan_int(st_mesh_file *file, int32_t *value) {
    if (scan_short(file, value)) return true;

    const char *at = file->cursor;
    const bool ok = st_text_read_int(&at, file->end, value) == ST_TEXT_OK;
    return mesh_scan_settle(file, at, ok);
}

bool st_mesh_scan_reals(st_mesh_file *file, st_real *values, int count) {
    for (int i = 0; i < count; i++) {
        const char *at = file->cursor;
        const bool ok = st_text_read_real(&at, file->end, &values[i]) == ST_TEXT_OK && isfinite(values[i]);
        if (!mesh_scan_settle(file, at, ok)) return false;
    }
    return true;
}

// The decimal number [token, end), whose double is `value`, rounded to float. Two roundings differ from one only where
// the double lies in the middle of two floats, or where floats have fewer bits: there the text is read again.
static bool round_to_single(const char *token, const char *end, st_real *value) {
#ifndef SETTEE_REAL_FLOAT

    uint64_t bits;
    memcpy(&bits, value, sizeof bits);

    if (!(fabs(*value) <= FLT_MAX)) return false;

    // exactly between two floats (the 29 lost bits are 100...0), or a float without all its bits
    if ((bits & 0x1fffffff) == 0x10000000 || fabs(*value) < FLT_MIN) {
        char *copy = st_string_copy_n(token, (size_t)(end - token));
        const bool ok = copy && st_text_read_float(copy, value);
        st_free(copy);
        return ok;
    }

    *value = (float)*value;
#else
    (void)token, (void)end, (void)value;
#endif
    return true;
}

bool st_mesh_scan_singles(st_mesh_file *file, st_real *values, int count) {
    for (int i = 0; i < count; i++) {
        const char *begin = st_text_skip_blanks(file->cursor, file->end), *at = begin;
        const bool ok = st_text_read_real(&at, file->end, &values[i]) == ST_TEXT_OK &&
                        (values[i] == 0 || round_to_single(begin, at, &values[i]));
        if (!mesh_scan_settle(file, at, ok)) return false;
    }
    return true;
}

bool st_mesh_scan_count(st_mesh_file *file, size_t *value) {
    const char *at = st_text_skip_blanks(file->cursor, file->end), *first = at;
    size_t n = 0;

    // a number that does not fit is SIZE_MAX, which no file can hold
    for (; at < file->end && *at >= '0' && *at <= '9'; at++)
        n = n > (SIZE_MAX - 9) / 10 ? SIZE_MAX : 10 * n + (size_t)(*at - '0');

    *value = n;
    return mesh_scan_settle(file, at, at > first);
}

// ---------------------------------------------------------------------------------------------------
// Words
// ---------------------------------------------------------------------------------------------------

bool st_mesh_scan_word(st_mesh_file *file, const char **word, size_t *length) {
    return st_mesh_file_word(&file->cursor, file->end, word, length);
}

bool st_mesh_scan_is(st_mesh_file *file, const char *word) {
    const char *at = file->cursor, *found;
    size_t length;

    if (!st_mesh_file_word(&at, file->end, &found, &length)) return false;
    if (length != strlen(word) || memcmp(found, word, length) != 0) return false;
    file->cursor = at;
    return true;
}

void st_mesh_scan_skip_line(st_mesh_file *file) {
    const char *newline = memchr(file->cursor, '\n', st_mesh_scan_left(file));
    file->cursor = newline ? newline + 1 : file->end;
}

bool st_mesh_scan_find(st_mesh_file *file, const char *word) {
    while (file->cursor < file->end) {
        if (st_mesh_scan_is(file, word)) return true;
        st_mesh_scan_skip_line(file);
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------
// Messages
// ---------------------------------------------------------------------------------------------------

bool st_mesh_scan_expected(st_mesh_file *file, const char *format, ...) {
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    // what is there instead, or the end of the file
    const char *word, *at = file->cursor;
    size_t length;
    const bool more = st_mesh_file_word(&at, file->end, &word, &length);
    const int line = st_mesh_scan_line(file, word);

    if (more) {
        const int shown = (int)(length > 40 ? 40 : length);
        st_mesh_file_problem(file, line, "%s is expected, but \"%.*s\" is there", text, shown, word);
    } else st_mesh_file_problem(file, line, "%s is expected, but nothing follows", text);
    return false;
}

bool st_mesh_scan_no_memory(st_mesh_file *file) {
    st_mesh_file_problem(file, st_mesh_scan_line(file, file->cursor), "out of memory for the mesh");
    return false;
}
