// Messages: every diagnostic of the library goes through here to the callback of the scene's configuration.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "scene/scene.h"

enum { MESSAGE_SIZE = 2048 };

void st_forget_error(st_scene *scene) {
    st_diagnostic *kept = &scene->last_error;
    st_free((char *)kept->path);
    st_free((char *)kept->component);
    st_free((char *)kept->text);
    *kept = (st_diagnostic){0};
}

static void keep_error(st_scene *scene, const st_diagnostic *diagnostic) {
    st_forget_error(scene);
    scene->last_error = *diagnostic; // file names live as long as the scene
    scene->last_error.path = st_string_copy(diagnostic->path);
    scene->last_error.component = st_string_copy(diagnostic->component);
    scene->last_error.text = st_string_copy(diagnostic->text);
}

static void send(st_scene *scene, const st_diagnostic *diagnostic) {
    scene->messages[diagnostic->severity]++;
    if (diagnostic->severity >= ST_ERROR) keep_error(scene, diagnostic);
    if (scene->config.log) scene->config.log(scene->config.log_user, diagnostic);
}

static void free_copy(st_diagnostic *copy) {
    st_free((char *)copy->path);
    st_free((char *)copy->component);
    st_free((char *)copy->text);
}

static bool log_hold(st_scene *scene, const st_diagnostic *diagnostic) {
    st_diagnostic copy = *diagnostic;
    copy.path = st_string_copy(diagnostic->path ? diagnostic->path : "");
    copy.component = st_string_copy(diagnostic->component);
    copy.text = st_string_copy(diagnostic->text);

    if (copy.path && (copy.component || !diagnostic->component) && copy.text && st_list_push(&scene->held.list, copy))
        return true;

    free_copy(&copy);
    return false;
}

// Without memory to hold it a message is sent out of turn, not lost.
static void emit(st_scene *scene, const st_diagnostic *diagnostic) {
    if (!scene->held.on || !log_hold(scene, diagnostic)) send(scene, diagnostic);
}

static void lock(st_scene *scene) {
    if (scene->held.on) pthread_mutex_lock(&scene->held.mutex);
}
static void unlock(st_scene *scene) {
    if (scene->held.on) pthread_mutex_unlock(&scene->held.mutex);
}

void st_hold_messages(st_scene *scene) {
    pthread_mutex_init(&scene->held.mutex, NULL);
    scene->held.on = true;
}

void st_release_messages(st_scene *scene) {
    st_diagnostic *list = scene->held.list.data;
    const size_t count = scene->held.list.count;
    scene->held.on = false;
    pthread_mutex_destroy(&scene->held.mutex);

    // Few messages, and those of one path stay in their order.
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && strcmp(list[k - 1].path, list[k].path) > 0; k--) {
            const st_diagnostic later = list[k - 1];
            list[k - 1] = list[k];
            list[k] = later;
        }

    for (size_t i = 0; i < count; i++) {
        send(scene, &list[i]);
        free_copy(&list[i]);
    }

    st_list_free(&scene->held.list);
}

void st_scene_message(st_scene *scene, st_severity severity, const char *part, const char *file, int line,
                      const char *format, ...) {
    char text[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    lock(scene);
    emit(scene, &(st_diagnostic){.severity = severity, .file = file, .line = line, .component = part, .text = text});
    unlock(scene);
}

static void object_message(const st_object *object, st_severity severity, const char *format, va_list arguments) {
    char component[256], text[MESSAGE_SIZE];
    vsnprintf(text, sizeof text, format, arguments);
    snprintf(component, sizeof component, "%s(%s)", object->type->name, object->name ? object->name : "");

    lock(object->scene);
    emit(object->scene, &(st_diagnostic){
                            .severity = severity,
                            .file = object->file,
                            .line = object->line,
                            .path = st_path(object),
                            .component = component,
                            .text = text,
                        });
    unlock(object->scene);
}

void st_message(const st_object *object, st_severity severity, const char *format, ...) {
    if (severity == ST_INFO && !object->print_log) return;
    va_list arguments;
    va_start(arguments, format);
    object_message(object, severity, format, arguments);
    va_end(arguments);
}

bool st_first_time(const st_object *object, const char *key) {
    struct st_object_record *record = object->record;
    lock(object->scene);

    bool first = true;
    for (size_t i = 0; i < record->sent.count && first; i++) first = strcmp(record->sent.data[i], key) != 0;

    // out of memory: better twice than not at all
    char *copy = first ? st_string_copy(key) : NULL;
    if (copy && !st_list_push(&record->sent, copy)) st_free(copy);

    unlock(object->scene);
    return first;
}

void st_forget_messages(st_object *object) {
    struct st_object_record *record = object->record;
    for (size_t i = 0; i < record->sent.count; i++) st_free(record->sent.data[i]);
    record->sent.count = 0;
}

void st_message_once(const st_object *object, const char *key, st_severity severity, const char *format, ...) {
    if ((severity == ST_INFO && !object->print_log) || !st_first_time(object, key)) return;

    va_list arguments;
    va_start(arguments, format);
    object_message(object, severity, format, arguments);
    va_end(arguments);
}

st_status st_invalid(st_object *object, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    object_message(object, ST_ERROR, format, arguments);
    va_end(arguments);
    object->validity = ST_BROKEN;
    return ST_INVALID;
}

bool st_refuse(st_object *object, const char *format, ...) {
    char text[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    st_free(object->scene->refusal);
    object->scene->refusal = st_string_copy(text);
    return false;
}

const char *st_severity_name(st_severity severity) {
    static const char *const names[] = {"info", "notice", "deprecated", "warning", "error", "fatal"};
    return severity >= ST_INFO && severity <= ST_FATAL ? names[severity] : "unknown";
}

void st_log_to_stderr(void *user, const st_diagnostic *diagnostic) {
    (void)user;
    if (!diagnostic || diagnostic->severity == ST_INFO) return;

    // file:line: path: severity: text, without what is unknown
    char line[24] = "";
    if (diagnostic->line > 0) snprintf(line, sizeof line, ":%d", diagnostic->line);
    const char *file = diagnostic->file, *who = diagnostic->path ? diagnostic->path : diagnostic->component;
    fprintf(stderr, "%s%s%s%s%s%s: %s\n", file ? file : "", file ? line : "", file ? ": " : "", who ? who : "",
            who ? ": " : "", st_severity_name(diagnostic->severity), diagnostic->text);
}

const char *st_status_text(st_status status) {
    switch (status) {
    case ST_OK: return "ok";
    case ST_FAILED: return "the simulation failed";
    case ST_INVALID: return "the input is invalid";
    case ST_NOT_FOUND: return "not found";
    case ST_OUT_OF_MEMORY: return "out of memory";
    case ST_WITH_ERRORS: return "errors were reported: results may not be what the scene means";
    case ST_BUSY: return "the scene is in use by another thread or by a running step";
    }
    return "unknown status";
}
