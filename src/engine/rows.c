// Lists of index lists: from text and to text.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/rows.h"

#include "base/array.h"
#include "base/text.h"

const st_type st_type_rows = {
    .name = "list of index lists",
    .scalar = ST_SCALAR_STRING,
    .width = 1,
    .list = true,
    .syntax = ST_SYNTAX_MAP,
};

void st_rows_free(st_rows *rows) {
    st_list_free(&rows->values);
    st_list_free(&rows->starts);
}

static bool open_row(st_rows *rows) { return rows->starts.count || st_list_push(&rows->starts, 0); }

static bool close_row(st_rows *rows) { return st_list_push(&rows->starts, (uint32_t)rows->values.count); }

bool st_rows_add(st_rows *rows, const uint32_t *values, size_t count) {
    const size_t at = rows->values.count;

    if (at + count > UINT32_MAX || !open_row(rows) || !st_list_set_count(&rows->values, at + count, 1)) return false;

    st_copy_bytes(rows->values.data + at, values, count * sizeof *values);
    return close_row(rows);
}

// A line without brackets is one list; with brackets each pair holds one.
static bool rows_read_line(st_rows *rows, const char *text) {
    const char *cursor = text, *const end = text + strlen(text);
    const bool brackets = strchr(text, '[') != NULL;

    while (cursor < end) {
        uint32_t value = 0;
        if (*cursor >= '0' && *cursor <= '9') {
            if (st_text_read_uint(&cursor, end, &value) == ST_TEXT_OK && !st_list_push(&rows->values, value))
                return false;
            continue;
        }

        // a closing bracket ends a list
        if (*cursor == ']' && !close_row(rows)) return false;
        cursor++;
    }

    return brackets || close_row(rows);
}

bool st_rows_read(st_rows *rows, const st_strings *texts) {
    rows->values.count = rows->starts.count = 0;

    if (!open_row(rows)) return false;
    for (size_t i = 0; i < texts->count; i++)
        if (texts->data[i] && !rows_read_line(rows, texts->data[i])) return false;
    return true;
}

static char *rows_write_row(const uint32_t *values, size_t count) {
    st_text text = {0};
    bool ok = st_text_append_char(&text, '[');

    for (size_t i = 0; i < count && ok; i++) ok = st_text_appendf(&text, i ? ",%lu" : "%lu", (unsigned long)values[i]);

    if (ok && st_text_append_char(&text, ']')) return st_text_take(&text);
    st_text_free(&text);
    return NULL;
}

bool st_rows_write(const st_rows *rows, st_strings *texts) {
    st_strings_free(texts);

    for (size_t r = 0; r < st_rows_count(rows); r++) {
        size_t count;
        const uint32_t *values = st_row(rows, r, &count);
        char *text = rows_write_row(values, count);

        if (!text || !st_list_push(texts, text)) {
            st_free(text);
            return false;
        }
    }
    return true;
}
