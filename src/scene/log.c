// Messages: every diagnostic of the library goes through here to the callback of the scene's configuration.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stdio.h>

#include "scene/scene.h"

enum { MESSAGE_SIZE = 2048 };

static void emit(st_scene *scene, const st_diagnostic *diagnostic) {
    scene->messages[diagnostic->severity]++;
    if (scene->config.log) scene->config.log(scene->config.log_user, diagnostic);
}

void st_scene_message(st_scene *scene, st_severity severity, const char *part, const char *file, int line,
                      const char *format, ...) {
    char text[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    emit(scene, &(st_diagnostic){.severity = severity, .file = file, .line = line, .component = part, .text = text});
}

static void object_message(const st_object *object, st_severity severity, const char *text) {
    char component[256];
    snprintf(component, sizeof component, "%s(%s)", object->type->name, object->name ? object->name : "");
    emit(object->scene, &(st_diagnostic){
                            .severity = severity,
                            .file = object->file,
                            .line = object->line,
                            .path = st_path(object),
                            .component = component,
                            .text = text,
                        });
}

void st_message(const st_object *object, st_severity severity, const char *format, ...) {
    if (severity == ST_INFO && !object->print_log) return;
    char text[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    object_message(object, severity, text);
}

st_status st_invalid(st_object *object, const char *format, ...) {
    char text[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    object_message(object, ST_ERROR, text);
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
    return names[severity];
}

const char *st_status_text(st_status status) {
    switch (status) {
    case ST_OK: return "ok";
    case ST_FAILED: return "the simulation failed";
    case ST_INVALID: return "the input is invalid";
    case ST_NOT_FOUND: return "not found";
    case ST_OUT_OF_MEMORY: return "out of memory";
    }
    return "unknown status";
}
