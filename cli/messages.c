// Messages of the library, printed as compilers do:
//
//     scene.scn:12: warning: ClassName(name) at /path: text
//
// The first of several equal messages is printed when it comes, the others are counted: a warning in every step does
// not bury the rest. All are kept for the summary in JSON, too.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "session.h"

// Beyond that many different messages (some hold numbers that change at every step) further ones are only printed.
enum { MOST_KEPT = 10000, FIRST_SLOTS = 64 };

void st_cli_messages_start(st_cli_messages *messages, bool quiet, st_cli_progress *progress) {
    *messages = (st_cli_messages){.quiet = quiet, .color = st_cli_has_color(stderr), .progress = progress};
}

size_t st_cli_warnings(const st_cli_messages *messages) {
    return messages->counts[ST_WARNING] + messages->counts[ST_DEPRECATED];
}

size_t st_cli_errors(const st_cli_messages *messages) {
    return messages->counts[ST_ERROR] + messages->counts[ST_FATAL];
}

// ---------------------------------------------------------------------------------------------------
// Printing
// ---------------------------------------------------------------------------------------------------

static const char *color_of(st_severity severity) {
    switch (severity) {
    case ST_FATAL:
    case ST_ERROR: return "\033[1;31m";
    case ST_WARNING:
    case ST_DEPRECATED: return "\033[1;35m";
    default: return "\033[1;36m";
    }
}

static void print(const st_cli_messages *messages, const st_cli_message *m, size_t again) {
    const bool color = messages->color;

    // file:line: severity:
    st_cli_progress_clear(messages->progress);
    if (color) fputs("\033[1m", stderr);
    st_cli_print_clean(stderr, m->file ? m->file : "settee");
    if (m->file && m->line > 0) fprintf(stderr, ":%d", m->line);
    fprintf(stderr, ":%s %s%s:%s ", color ? "\033[0m" : "", color ? color_of(m->severity) : "",
            st_severity_name(m->severity), color ? "\033[0m" : "");

    // the component and its path
    if (m->component) {
        st_cli_print_clean(stderr, m->component);
        if (m->path) {
            fputs(" at ", stderr);
            st_cli_print_clean(stderr, m->path);
        }
        fputs(": ", stderr);
    }

    st_cli_print_clean(stderr, m->text);
    if (again) fprintf(stderr, " [%zu more time%s]", again, again == 1 ? "" : "s");
    fputc('\n', stderr);
}

static bool is_shown(const st_cli_messages *messages, st_severity severity) {
    return !messages->quiet || severity >= ST_ERROR;
}

// ---------------------------------------------------------------------------------------------------
// Finding equal ones
// ---------------------------------------------------------------------------------------------------

static uint64_t hash_text(uint64_t hash, const char *text) { // FNV-1a
    for (; text && *text; text++) hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash * 1099511628211u;
}

static uint64_t hash_message(const st_cli_message *m) {
    uint64_t hash = 14695981039346656037u ^ ((uint64_t)m->line << 3) ^ m->severity;

    hash = hash_text(hash_text(hash, m->text), m->path);
    return hash_text(hash_text(hash, m->component), m->file);
}

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static bool same(const st_cli_message *a, const st_cli_message *b) {
    return a->severity == b->severity && a->line == b->line && same_text(a->text, b->text) &&
           same_text(a->path, b->path) && same_text(a->component, b->component) && same_text(a->file, b->file);
}

// The slot of an equal message, or the free one where it belongs.
static size_t *slot_of(const st_cli_messages *messages, const st_cli_message *m) {
    for (uint64_t at = hash_message(m);; at++) {
        size_t *slot = &messages->slots[at & (messages->slot_count - 1)];
        if (!*slot || same(&messages->list[*slot - 1], m)) return slot;
    }
}

static bool grow(st_cli_messages *messages) {
    const size_t capacity = messages->capacity ? 2 * messages->capacity : FIRST_SLOTS / 2;
    st_cli_message *list = realloc(messages->list, capacity * sizeof *list);
    if (!list) return false;
    messages->list = list;

    // twice as many slots as messages, filled from scratch
    size_t *slots = calloc(2 * capacity, sizeof *slots);
    if (!slots) return false;
    free(messages->slots);
    messages->slots = slots;
    messages->slot_count = 2 * capacity;
    messages->capacity = capacity;

    for (size_t i = 0; i < messages->count; i++) *slot_of(messages, &list[i]) = i + 1;
    return true;
}

static char *copy(const char *text) { return text ? strdup(text) : NULL; }

// True when it is a new one; when it cannot be kept, it counts as new.
static bool remember(st_cli_messages *messages, const st_cli_message *m) {
    if (messages->count == messages->capacity && !grow(messages)) return true;

    if (!messages->slots) return true;

    size_t *slot = slot_of(messages, m);
    if (*slot) {
        messages->list[*slot - 1].count++;
        return false;
    }

    // a copy: the library's texts are only borrowed
    if (messages->count >= MOST_KEPT) return true;
    st_cli_message kept = *m;
    kept.count = 1;
    kept.text = copy(m->text);
    kept.file = copy(m->file);
    kept.path = copy(m->path);
    kept.component = copy(m->component);
    if (!kept.text) kept.text = calloc(1, 1);

    messages->list[messages->count++] = kept;
    *slot = messages->count;
    return true;
}

void st_cli_messages_log(void *user, const st_diagnostic *d) {
    st_cli_messages *messages = user;

    // borrowed: remember() copies what it keeps
    const st_cli_message m = {
        .severity = d->severity,
        .line = d->line,
        .file = (char *)d->file,
        .path = (char *)d->path,
        .component = (char *)d->component,
        .text = (char *)(d->text ? d->text : ""),
    };

    messages->counts[d->severity]++;
    if (remember(messages, &m) && is_shown(messages, m.severity)) print(messages, &m, 0);
    if (messages->also) messages->also(messages->also_user, d);
}

void st_cli_messages_keep(st_cli_messages *messages, const char *file, const char *text) {
    const st_cli_message m = {.severity = ST_ERROR, .file = (char *)file, .text = (char *)text};
    messages->counts[ST_ERROR]++;
    remember(messages, &m);
}

// ---------------------------------------------------------------------------------------------------
// The end
// ---------------------------------------------------------------------------------------------------

void st_cli_messages_finish(st_cli_messages *messages) {
    for (size_t i = 0; i < messages->count; i++) {
        const st_cli_message *m = &messages->list[i];
        if (m->count > 1 && is_shown(messages, m->severity)) print(messages, m, m->count - 1);
    }
}

void st_cli_messages_json(const st_cli_messages *messages, st_cli_json *json) {
    st_cli_json_open(json, "messages", '[');
    for (size_t i = 0; i < messages->count; i++) {
        const st_cli_message *m = &messages->list[i];

        st_cli_json_open(json, NULL, '{');
        st_cli_json_text(json, "severity", st_severity_name(m->severity));
        st_cli_json_text(json, "file", m->file);
        st_cli_json_count(json, "line", m->line > 0 ? (size_t)m->line : 0);
        st_cli_json_text(json, "component", m->component);
        st_cli_json_text(json, "path", m->path);
        st_cli_json_text(json, "text", m->text);
        st_cli_json_count(json, "count", m->count);
        st_cli_json_close(json, '}');
    }
    st_cli_json_close(json, ']');
}

void st_cli_messages_free(st_cli_messages *messages) {
    for (size_t i = 0; i < messages->count; i++) {
        st_cli_message *m = &messages->list[i];

        // each text was copied
        free(m->file);
        free(m->path);
        free(m->component);
        free(m->text);
    }
    free(messages->list);
    free(messages->slots);
}
