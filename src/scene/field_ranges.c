// Lists of indices, where a-b stands for all numbers from a to b and a-b-s for those s apart.
//
// From a to b the step is +1 or -1; a step that leads away from b swaps both ends (10-1-3 is 1 4 7 10). The numbers go
// up to b at most. Down, a signed list ends with the last number >= b, while an unsigned list takes those > b and then
// always b itself (10-2--3 is 10 7 4 2). All of it is computed with 64 bits, so nothing wraps around and every range
// ends; its length is known before memory is taken for it.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "scene/field_reader.h"

// More entries than a scene can mean: 400 MB.
static const int64_t most_entries = 100 * 1000 * 1000;

enum { SHOWN_BYTES = 40 };

typedef struct range {
    int64_t first, last, step;
} range;

// A whole part of a token as a number; unsigned lists refuse the sign that a stream would accept.
static bool read_part(st_scalar scalar, const char *begin, const char *end, int64_t *value) {
    st_text_result result;
    const char *cursor = begin;
    if (scalar == ST_SCALAR_UINT) {
        uint32_t number = 0;
        if (begin < end && *begin == '-') return false;
        result = st_text_read_uint(&cursor, end, &number);
        *value = number;
    } else {
        int32_t number = 0;
        result = st_text_read_int(&cursor, end, &number);
        *value = number;
    }

    return result == ST_TEXT_OK && cursor == end;
}

static const char *find_hyphen(const char *begin, const char *end) {
    const char *hyphen = begin < end ? memchr(begin, '-', (size_t)(end - begin)) : NULL;
    return hyphen ? hyphen : end;
}

// n, a-b or a-b-s: a hyphen in front is a sign, and so is the one right behind a hyphen.
static bool read_range(st_scalar scalar, const char *begin, const char *end, range *out) {
    const char *first = find_hyphen(begin + 1, end);
    if (!read_part(scalar, begin, first, &out->first)) return false;
    out->last = out->first;
    out->step = 0;

    // a-b or a-b-step
    if (first != end) {
        const char *second = find_hyphen(first + 2, end);
        if (!read_part(scalar, first + 1, second, &out->last)) return false;
        if (second != end && !read_part(ST_SCALAR_INT, second + 1, end, &out->step)) return false;
    }

    // a range that runs the other way than its step is turned around
    const int64_t way = out->last - out->first;
    if (out->step == 0) out->step = way > 0 ? 1 : -1;
    if ((way < 0 && out->step > 0) || (way > 0 && out->step < 0)) {
        const int64_t swapped = out->first;
        out->first = out->last;
        out->last = swapped;
    }

    return true;
}

static int64_t range_length(const range *r, bool with_last) {
    if (r->step > 0) return (r->last - r->first) / r->step + 1;

    // downwards; an unsigned list ends with `last`, whether the step meets it or not
    const int64_t way = r->first - r->last;
    if (!with_last) return way / -r->step + 1;
    return (way > 0 ? (way - 1) / -r->step + 1 : 0) + 1;
}

static st_read_result push_range(st_field_reader *reader, const range *r, const char *token, const char *end) {
    st_uints *list = reader->member; // of int32_t for a signed list: the same bits
    const bool with_last = reader->scalar == ST_SCALAR_UINT && r->step < 0;
    const int64_t length = range_length(r, with_last);

    if (length > 1 && (int64_t)list->count + length > most_entries)
        return st_reader_warn(reader, "'%.*s' is refused: it would make a list of %lld entries, %lld are allowed",
                              (int)(end - token < SHOWN_BYTES ? end - token : SHOWN_BYTES), token,
                              (long long)list->count + (long long)length, (long long)most_entries);

    if (!st_list_reserve(list, list->count + (size_t)length, 1)) return ST_READ_MEMORY;
    uint32_t *values = list->data + list->count;
    for (int64_t i = 0; i < length; i++) values[i] = (uint32_t)(r->first + i * r->step);
    if (with_last) values[length - 1] = (uint32_t)r->last;

    list->count += (size_t)length;
    return ST_READ_OK;
}

// ---- sets: increasing, each number once

static int compare_signed(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static int compare_unsigned(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void make_set(st_uints *list, bool is_signed) {
    int (*compare)(const void *, const void *) = is_signed ? compare_signed : compare_unsigned;
    size_t i = 1;

    // most lists are increasing already
    while (i < list->count && compare(&list->data[i - 1], &list->data[i]) < 0) i++;
    if (i >= list->count) return;

    // sorted, each number once
    qsort(list->data, list->count, sizeof *list->data, compare);
    size_t kept = 1;
    for (i = 1; i < list->count; i++)
        if (list->data[i] != list->data[kept - 1]) list->data[kept++] = list->data[i];
    list->count = kept;
}

// ---- the list

// A token that is no number is an entry 0 of a list, and nothing in a set.
static st_read_result read_token(st_field_reader *reader, const char *begin, const char *end, bool set) {
    range r = {0, 0, 1};
    if (read_range(reader->scalar, begin, end, &r)) return push_range(reader, &r, begin, end);

    const bool is_signed = reader->scalar == ST_SCALAR_INT;
    st_reader_warn_token(reader, begin, is_signed ? "an integer or a range a-b" : "an index or a range a-b");
    return set ? ST_READ_WARN : push_range(reader, &(range){0, 0, 1}, begin, end);
}

st_read_result st_read_ranges(st_field_reader *reader, bool set) {
    const char *p = st_text_skip_blanks(reader->cursor, reader->end);
    while (p < reader->end) {
        const char *end = p;
        while (end < reader->end && !st_text_is_blank(*end)) end++;
        if (read_token(reader, p, end, set) == ST_READ_MEMORY) return ST_READ_MEMORY;
        p = st_text_skip_blanks(end, reader->end);
    }

    if (set) make_set(reader->member, reader->scalar == ST_SCALAR_INT);
    return reader->warned ? ST_READ_WARN : ST_READ_OK;
}
