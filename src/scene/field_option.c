// One of several labels, by its exact text or by its index.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "scene/field_reader.h"

enum { SHOWN_LABELS = 400 };

static int32_t find_label(const char *const *options, const char *text) {
    for (int32_t i = 0; options && options[i]; i++)
        if (strcmp(options[i], text) == 0) return i;
    return -1;
}

static int32_t find_index(const char *const *options, st_field_reader *reader) {
    int32_t index = -1, count = 0;
    const char *p = reader->cursor;
    while (options && options[count]) count++;
    if (st_text_read_int(&p, reader->end, &index) != ST_TEXT_OK) return -1;
    return st_text_skip_blanks(p, reader->end) == reader->end && index < count ? index : -1;
}

static st_read_result warn_labels(st_field_reader *reader, const char *const *options) {
    char labels[SHOWN_LABELS] = "";
    size_t used = 0;
    for (size_t i = 0; options && options[i] && used < sizeof labels; i++)
        used += (size_t)snprintf(labels + used, sizeof labels - used, "%s%s", i ? ", " : "", options[i]);
    return st_reader_warn(reader, "'%.40s' is none of: %s", reader->cursor, labels);
}

st_read_result st_read_option(st_field_reader *reader, const char *const *options, bool select) {
    int32_t index = find_label(options, reader->cursor);
    if (index < 0 && !select) index = find_index(options, reader);
    const bool found = index >= 0;
    if (found || select) *(int32_t *)reader->member = found ? index : 0;
    return found ? ST_READ_OK : warn_labels(reader, options);
}
