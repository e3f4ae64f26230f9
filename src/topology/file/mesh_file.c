// Opening and reading mesh files.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/file/mesh_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/text.h"
#include "math/real.h"
#include "scene/element.h"
#include "scene/xml.h"

enum { SHOWN_PROBLEMS = 10 };
static const size_t largest_file = (size_t)1 << 30;

// The folders in which the scene has looked, for the message.
static void report_missing(st_object *object, const char *name) {
    const st_scene *scene = object->scene;
    const char *folder = scene->creating ? scene->creating->directory : NULL;
    st_text tried = {0};

    // an absolute name was not looked for anywhere
    bool ok = name[0] == '/' || st_text_appendf(&tried, " in %s", folder && *folder ? folder : "the current folder");
    for (size_t i = 0; ok && name[0] != '/' && i < scene->data_paths.count; i++)
        ok = st_text_appendf(&tried, ", %s", scene->data_paths.data[i]);

    st_message(object, ST_ERROR, "file not found: \"%.200s\"%s%s%s", name, tried.length ? ", looked for" : "",
               ok && tried.data ? tried.data : "",
               name[0] == '/' ? "" : "; --data-path FOLDER or SETTEE_DATA_PATH adds a folder");
    st_text_free(&tried);
}

// To the component, or to the log.
static void mesh_file_message(const st_mesh_file *file, st_severity severity, int line, const char *format, ...)
    ST_PRINTF(4, 5);
static void mesh_file_message(const st_mesh_file *file, st_severity severity, int line, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    if (file->object) st_message(file->object, severity, "%s", text);
    else if (file->log)
        (file->log)(file->log_user,
                    &(st_diagnostic){
                        .severity = severity, .file = file->path, .line = line, .component = "mesh", .text = text});
}

static bool read_all(st_mesh_file *file, const struct stat *info) {
    char why[160];
    size_t length = 0;
    st_source_id id;

    // a file that is too large is refused before it is read
    if (info->st_size > (off_t)largest_file)
        snprintf(why, sizeof why, "it has %lld bytes, more than the %zu that are read", (long long)info->st_size,
                 largest_file);
    else file->text = st_source_read(file->path, largest_file, &length, &id, why, sizeof why);

    if (!file->text) {
        if (file->object) mesh_file_message(file, ST_ERROR, 0, "%s: the file cannot be read: %s", file->path, why);
        else mesh_file_message(file, ST_ERROR, 0, "the file cannot be read: %s", why);
        return false;
    }

    file->cursor = file->begin = file->marked = file->text;
    file->end = file->text + length;
    return true;
}

bool st_mesh_file_open_path(st_mesh_file *file, const char *path, st_log_function *log, void *user) {
    *file = (st_mesh_file){.path = path, .log = log, .log_user = user};

    struct stat info;
    if (stat(path, &info) == 0) return read_all(file, &info);
    mesh_file_message(file, ST_ERROR, 0, "the file is not there");
    return false;
}

bool st_mesh_file_open(st_mesh_file *file, st_object *object, const char *name) {
    *file = (st_mesh_file){.object = object, .path = name};
    if (!name || !*name) {
        st_message(object, ST_ERROR, "no file name is given: set filename");
        return false;
    }

    // a name that was found is absolute
    struct stat info;
    if (name[0] != '/' || stat(name, &info) != 0) {
        report_missing(object, name);
        return false;
    }

    return read_all(file, &info);
}

st_mesh_file st_mesh_file_of_text(const char *text, size_t length) {
    return (st_mesh_file){.path = "text", .cursor = text, .end = text + length, .begin = text, .marked = text};
}

void st_mesh_file_close(st_mesh_file *file) {
    // problems beyond the first few were only counted
    if (file->object && file->problems > SHOWN_PROBLEMS)
        mesh_file_message(file, ST_WARNING, 0, "%s: and %zu more problems", file->path,
                          file->problems - SHOWN_PROBLEMS);
    else if (file->problems > SHOWN_PROBLEMS)
        mesh_file_message(file, ST_WARNING, 0, "and %zu more problems", file->problems - SHOWN_PROBLEMS);

    st_free(file->text);
    file->text = NULL;
    file->cursor = file->end = NULL;
}

bool st_mesh_file_line(st_mesh_file *file, const char **begin, const char **end) {
    if (file->cursor == file->end) return false;

    const char *newline = memchr(file->cursor, '\n', (size_t)(file->end - file->cursor));
    *begin = file->cursor;
    *end = newline ? newline : file->end;
    file->cursor = newline ? newline + 1 : file->end;
    file->line++;
    return true;
}

bool st_mesh_file_word(const char **cursor, const char *end, const char **word, size_t *length) {
    const char *begin = st_text_skip_blanks(*cursor, end), *at = begin;

    while (at < end && !st_text_is_blank(*at)) at++;
    *word = begin;
    *length = (size_t)(at - begin);
    *cursor = at;
    return at > begin;
}

bool st_mesh_file_reals(const char **cursor, const char *end, st_real *values, int count) {
    bool ok = true;
    for (int i = 0; i < count; i++) {
        values[i] = 0;

        // after the first bad number the others are 0
        if (!ok) continue;
        ok = st_text_read_real(cursor, end, &values[i]) == ST_TEXT_OK && isfinite(values[i]);
        if (!ok) values[i] = 0;
    }

    return ok;
}

static void mesh_file_report(st_mesh_file *file, st_severity severity, int line, const char *place, const char *format,
                             va_list arguments) {
    if (file->problems++ >= SHOWN_PROBLEMS) return;

    char text[240];
    vsnprintf(text, sizeof text, format, arguments);

    // what a binary file holds must not reach a terminal
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c > '~') *c = '?';

    // the log has a field for the line; a component has none, so the text says it
    if (file->object) mesh_file_message(file, severity, line, "%s:%s: %s", file->path, place, text);
    else if (line) mesh_file_message(file, severity, line, "%s", text);
    else mesh_file_message(file, severity, 0, "%s: %s", place + strspn(place, " "), text);
}

static void report_line(st_mesh_file *file, st_severity severity, int line, const char *format, va_list arguments) {
    char place[24];
    snprintf(place, sizeof place, "%d", line);
    mesh_file_report(file, severity, line, place, format, arguments);
}

void st_mesh_file_problem(st_mesh_file *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report_line(file, ST_ERROR, line, format, arguments);
    va_end(arguments);
}

void st_mesh_file_warn(st_mesh_file *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report_line(file, ST_WARNING, line, format, arguments);
    va_end(arguments);
}

void st_mesh_file_problem_at(st_mesh_file *file, const char *place, const char *format, ...) {
    char text[48];
    snprintf(text, sizeof text, " byte %zu", (size_t)(place - file->begin));
    va_list arguments;
    va_start(arguments, format);
    mesh_file_report(file, ST_ERROR, 0, text, format, arguments);
    va_end(arguments);
}
