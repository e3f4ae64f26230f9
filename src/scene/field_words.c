// Lists of strings: words between blanks, quoted strings in brackets, lines.
//
//   a b c               three words
//   ["a", "b c"]        two strings; there is no escape, so a string cannot hold the quote that is around it
//   ['a', "it's"]       file names may choose between both quotes, and must be in brackets
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "scene/field_reader.h"

static bool push_string(st_strings *list, const char *begin, const char *end) {
    char *copy = st_string_copy_n(begin, (size_t)(end - begin));
    if (copy && st_list_push(list, copy)) return true;
    st_free(copy);
    return false;
}

st_read_result st_read_tags(st_field_reader *reader) {
    const char *p = st_text_skip_blanks(reader->cursor, reader->end);
    while (p < reader->end) {
        const char *end = p;
        while (end < reader->end && !st_text_is_blank(*end)) end++;
        if (!push_string(reader->member, p, end)) return ST_READ_MEMORY;
        p = st_text_skip_blanks(end, reader->end);
    }

    return ST_READ_OK;
}

st_read_result st_read_lines(st_field_reader *reader) {
    const char *p = reader->cursor;
    while (p < reader->end) {
        const char *line = memchr(p, '\n', (size_t)(reader->end - p));
        const char *next = line ? line + 1 : reader->end;
        const char *end = line ? line : reader->end;

        // without the blanks around it; empty lines do not count
        p = st_text_skip_blanks(p, end);
        while (end > p && st_text_is_blank(end[-1])) end--;
        if (end > p && !push_string(reader->member, p, end)) return ST_READ_MEMORY;
        p = next;
    }

    return ST_READ_OK;
}

// ---- brackets

static st_read_result read_quoted(st_field_reader *reader, const char *quotes) {
    const char *open = reader->cursor;
    if (open == reader->end || !strchr(quotes, *open)) return st_reader_warn_token(reader, open, "a string in quotes");

    const char *close = memchr(open + 1, *open, (size_t)(reader->end - open - 1));
    if (!close) return st_reader_warn(reader, "the quote %c is not closed", *open);

    if (!push_string(reader->member, open + 1, close)) return ST_READ_MEMORY;
    reader->cursor = close + 1;
    return ST_READ_OK;
}

static st_read_result read_item(st_field_reader *reader, const char *quotes) {
    bool memory;
    reader->cursor = st_text_skip_blanks(reader->cursor, reader->end);
    if (reader->scalar == ST_SCALAR_STRING) return read_quoted(reader, quotes);
    if (st_reader_push_element(reader, &memory) == ST_TEXT_OK) return ST_READ_OK;
    return memory ? st_reader_warn_token(reader, reader->token, "a number") : ST_READ_MEMORY;
}

// [ item, item ] and nothing behind it.
static st_read_result read_items(st_field_reader *reader, const char *quotes) {
    const char *const end = reader->end;
    const char *p = st_text_skip_blanks(reader->cursor, end);
    if (p == end || *p != '[') return st_reader_warn(reader, "the list must be written in brackets: [ ..., ... ]");

    // items, each followed by a comma or the end
    p = reader->cursor = st_text_skip_blanks(p + 1, end);
    char mark = p < end && *p == ']' ? ']' : ',';

    while (mark == ',') {
        const st_read_result result = read_item(reader, quotes);
        if (result != ST_READ_OK) return result;
        p = st_text_skip_blanks(reader->cursor, end);
        mark = p < end ? *p : '\0';
        reader->cursor = p + (mark == ',');
    }

    // nothing may follow the bracket
    if (mark != ']') return st_reader_warn(reader, "a comma or the bracket ] that ends the list is missing");
    if (st_text_skip_blanks(p + 1, end) != end)
        return st_reader_warn_token(reader, p + 1, "part of a list that has ended");
    return ST_READ_OK;
}

st_read_result st_read_brackets(st_field_reader *reader) { return read_items(reader, "'\""); }

st_read_result st_read_words(st_field_reader *reader) {
    const char *p = st_text_skip_blanks(reader->cursor, reader->end);
    return p < reader->end && *p == '[' ? read_items(reader, "\"") : st_read_tags(reader);
}

// ---- writing

bool st_write_quoted(const st_strings *list, st_text *out) {
    if (!st_text_append_char(out, '[')) return false;

    for (size_t i = 0; i < list->count; i++) {
        // the quote that the string does not hold
        const char quote = strchr(list->data[i], '"') ? '\'' : '"';
        if (!st_text_append(out, i ? ", " : "") || !st_text_append_char(out, quote) ||
            !st_text_append(out, list->data[i]) || !st_text_append_char(out, quote))
            return false;
    }

    return st_text_append_char(out, ']');
}

bool st_write_joined(const st_strings *list, char between, st_text *out) {
    for (size_t i = 0; i < list->count; i++)
        if ((i && !st_text_append_char(out, between)) || !st_text_append(out, list->data[i])) return false;
    return true;
}
