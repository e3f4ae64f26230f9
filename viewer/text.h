// A growing text or message, and JSON written into it.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VIEWER_TEXT_H
#define SETTEE_VIEWER_TEXT_H

#include "settee/settee.h"

typedef struct st_viewer_text {
    char *data; // not ended by a zero
    size_t length, capacity;
    bool failed; // out of memory: what follows is dropped
    bool some;   // JSON: a member was written before, so that a comma is due
} st_viewer_text;

void st_viewer_text_free(st_viewer_text *text);
void st_viewer_text_clear(st_viewer_text *text); // keeps its memory
// Room at the end, or NULL; the length counts it already.
void *st_viewer_text_extend(st_viewer_text *text, size_t length);
void st_viewer_text_append(st_viewer_text *text, const void *data, size_t length);
bool st_viewer_text_write(void *text, const char *data, size_t length); // for st_writer

bool st_viewer_is_utf8(const char *text, size_t length);

// JSON, written as it comes; a name is NULL inside a list. Bytes that are no UTF-8 become U+FFFD.
void st_viewer_json_open(st_viewer_text *text, const char *name, char bracket);
void st_viewer_json_close(st_viewer_text *text, char bracket);
void st_viewer_json_text(st_viewer_text *text, const char *name, const char *value); // NULL: null
void st_viewer_json_part(st_viewer_text *text, const char *name, const char *value, size_t length);
void st_viewer_json_real(st_viewer_text *text, const char *name, double value); // not finite: null
void st_viewer_json_count(st_viewer_text *text, const char *name, size_t value);
void st_viewer_json_bool(st_viewer_text *text, const char *name, bool value);

#endif
