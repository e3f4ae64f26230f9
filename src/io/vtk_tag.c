// Tags of an XML file.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/vtk_tag.h"

#include <string.h>

#include "base/text.h"
#include "topology/file/mesh_scan.h"

// The end of the next occurrence of `what`; NULL: there is none.
static const char *skip_past(const char *at, const char *end, const char *what) {
    const size_t length = strlen(what);
    for (; (size_t)(end - at) >= length; at++) {
        at = memchr(at, what[0], (size_t)(end - at));
        if (!at || (size_t)(end - at) < length) return NULL;
        if (memcmp(at, what, length) == 0) return at + length;
    }
    return NULL;
}

static bool begins(const char *at, const char *end, const char *what) {
    return (size_t)(end - at) >= strlen(what) && memcmp(at, what, strlen(what)) == 0;
}

// The end of the tag that begins at `at`: a > that is not between quotes.
static const char *tag_end(const char *at, const char *end) {
    for (char quote = 0; at < end; at++) {
        if (quote) quote = *at == quote ? 0 : quote;
        else if (*at == '"' || *at == '\'') quote = *at;
        else if (*at == '>') return at;
    }
    return NULL;
}

static void take_tag(st_vtk_tag *tag, const char *at, const char *end) {
    // </name>, <name/>
    tag->closing = at < end && *at == '/';
    if (tag->closing) at++;

    tag->empty = end > at && end[-1] == '/';
    if (tag->empty) end--;

    const char *name = at;
    while (at < end && !st_text_is_blank(*at)) at++;
    tag->name = (st_vtk_text){name, (size_t)(at - name)};
    tag->attributes = (st_vtk_text){at, (size_t)(end - at)};
}

bool st_vtk_tag_next(st_mesh_file *file, st_vtk_tag *tag) {
    for (;;) {
        const char *at = memchr(file->cursor, '<', st_mesh_scan_left(file));
        file->cursor = at ? at : file->end;

        if (!at) return false;

        // comments and instructions are skipped
        const bool comment = begins(at, file->end, "<!--"),
                   other = begins(at, file->end, "<?") || begins(at, file->end, "<!");
        const char *end = comment ? skip_past(at + 4, file->end, "-->") : tag_end(at, file->end);

        if (!end) return false;
        file->cursor = comment ? end : end + 1;
        if (comment || other) continue;

        tag->line = st_mesh_scan_line(file, at);
        take_tag(tag, at + 1, end);
        return true;
    }
}

bool st_vtk_tag_is(const st_vtk_tag *tag, const char *name) {
    return tag->name.length == strlen(name) && memcmp(tag->name.data, name, tag->name.length) == 0;
}

// One `name="value"` of [*at, end); false when there is none any more.
static bool next_attribute(const char **at, const char *end, st_vtk_text *name, st_vtk_text *value) {
    const char *begin = st_text_skip_blanks(*at, end), *equals = memchr(begin, '=', (size_t)(end - begin));
    if (!equals) return false;

    // the name, without blanks before the equals sign
    const char *last = equals;
    while (last > begin && st_text_is_blank(last[-1])) last--;
    *name = (st_vtk_text){begin, (size_t)(last - begin)};

    // the value between quotes of either kind
    const char *open = st_text_skip_blanks(equals + 1, end);
    if (open == end || (*open != '"' && *open != '\'')) return false;
    const char *close = memchr(open + 1, *open, (size_t)(end - open - 1));
    if (!close) return false;

    *value = (st_vtk_text){open + 1, (size_t)(close - open - 1)};
    *at = close + 1;
    return true;
}

st_vtk_text st_vtk_tag_attribute(const st_vtk_tag *tag, const char *name) {
    const char *at = tag->attributes.data, *end = at + tag->attributes.length;
    st_vtk_text key, value;
    while (next_attribute(&at, end, &key, &value))
        if (key.length == strlen(name) && memcmp(key.data, name, key.length) == 0) return value;
    return (st_vtk_text){"", 0};
}

bool st_vtk_tag_has(const st_vtk_tag *tag, const char *name, const char *value) {
    const st_vtk_text found = st_vtk_tag_attribute(tag, name);
    return found.length == strlen(value) && memcmp(found.data, value, found.length) == 0;
}

bool st_vtk_tag_number(const st_vtk_tag *tag, const char *name, size_t *value) {
    const st_vtk_text found = st_vtk_tag_attribute(tag, name);
    st_mesh_file text = st_mesh_file_of_text(found.data, found.length);
    return st_mesh_scan_count(&text, value) && st_text_skip_blanks(text.cursor, text.end) == text.end;
}
