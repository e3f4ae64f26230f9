// A growing text or message, and JSON written into it.
//
// SPDX-License-Identifier: Apache-2.0
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void st_viewer_text_free(st_viewer_text *text) {
    free(text->data);
    *text = (st_viewer_text){0};
}

void st_viewer_text_clear(st_viewer_text *text) {
    text->length = 0;
    text->failed = text->some = false;
}

void *st_viewer_text_extend(st_viewer_text *text, size_t length) {
    // twice the room when it is too small
    if (text->failed || length > SIZE_MAX / 4 - text->length) text->failed = true;
    else if (text->length + length > text->capacity) {
        const size_t capacity = 2 * (text->length + length) + 64;
        char *data = realloc(text->data, capacity);
        if (data) text->data = data, text->capacity = capacity;
        else text->failed = true;
    }

    if (text->failed) return NULL;
    text->length += length;
    return text->data + text->length - length;
}

void st_viewer_text_append(st_viewer_text *text, const void *data, size_t length) {
    void *room = length ? st_viewer_text_extend(text, length) : NULL;
    if (room) memcpy(room, data, length);
}

bool st_viewer_text_write(void *text, const char *data, size_t length) {
    st_viewer_text_append(text, data, length);
    return !((st_viewer_text *)text)->failed;
}

// ---------------------------------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------------------------------

static void put(st_viewer_text *text, const char *word) { st_viewer_text_append(text, word, strlen(word)); }

// Length of the UTF-8 character at the start of the bytes, 0 when it is not one: by its code point, which must not have
// a shorter form, be a surrogate or lie beyond Unicode.
static size_t character(const unsigned char *s, size_t left) {
    if (s[0] < 0x80) return 1;
    const size_t length = s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    if (length == 0 || length > left) return 0;

    uint32_t code = s[0] & (0x7fU >> length);
    for (size_t i = 1; i < length; i++) {
        if (s[i] >> 6 != 2) return 0;
        code = code << 6 | (s[i] & 0x3fU);
    }

    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : length;
}

bool st_viewer_is_utf8(const char *text, size_t length) {
    for (size_t i = 0; i < length;) {
        const size_t bytes = character((const unsigned char *)text + i, length - i);
        if (bytes == 0) return false;
        i += bytes;
    }
    return true;
}

static void put_string(st_viewer_text *text, const char *value, size_t length) {
    put(text, "\"");
    for (size_t i = 0; i < length;) {
        const unsigned char *s = (const unsigned char *)value + i;
        const size_t bytes = character(s, length - i);
        char escape[8] = {'\\', (char)*s};

        // what JSON must escape, and what is no UTF-8
        if (bytes == 0) put(text, "\\ufffd");
        else if (*s == '"' || *s == '\\') put(text, escape);
        else if (*s < 0x20) {
            snprintf(escape, sizeof escape, "\\u%04x", *s);
            put(text, escape);
        } else st_viewer_text_append(text, s, bytes);

        i += bytes ? bytes : 1;
    }
    put(text, "\"");
}

static void begin(st_viewer_text *text, const char *name) {
    if (text->some) put(text, ",");
    text->some = true;
    if (!name) return;
    put_string(text, name, strlen(name));
    put(text, ":");
}

void st_viewer_json_open(st_viewer_text *text, const char *name, char bracket) {
    begin(text, name);
    st_viewer_text_append(text, &bracket, 1);
    text->some = false;
}

void st_viewer_json_close(st_viewer_text *text, char bracket) {
    st_viewer_text_append(text, &bracket, 1);
    text->some = true;
}

void st_viewer_json_part(st_viewer_text *text, const char *name, const char *value, size_t length) {
    begin(text, name);
    put_string(text, value, length);
}

void st_viewer_json_text(st_viewer_text *text, const char *name, const char *value) {
    if (value) {
        st_viewer_json_part(text, name, value, strlen(value));
        return;
    }
    begin(text, name);
    put(text, "null");
}

void st_viewer_json_real(st_viewer_text *text, const char *name, double value) {
    char number[40] = "null";
    // as few digits as give the number back, or all of them
    if (isfinite(value)) snprintf(number, sizeof number, "%.9g", value);
    if (isfinite(value) && strtod(number, NULL) != value) snprintf(number, sizeof number, "%.17g", value);
    begin(text, name);
    put(text, number);
}

void st_viewer_json_count(st_viewer_text *text, const char *name, size_t value) {
    char number[40];
    snprintf(number, sizeof number, "%zu", value);
    begin(text, name);
    put(text, number);
}

void st_viewer_json_bool(st_viewer_text *text, const char *name, bool value) {
    begin(text, name);
    put(text, value ? "true" : "false");
}
