// A scene as a file that loads again.
//
// Nodes and components are written in the order in which they were made, since links look back, with the attributes that
// they were made with. A field that a program has set since is written with its present value. What components have made
// for themselves is left out: it is made again. So are fields that a program has added, which a scene file cannot have; what
// follows one of them is written with its value.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "api/scene.h"
#include "base/text.h"
#include "scene/field_text.h"
#include "settee/file.h"

enum { EXACT_DIGITS = 17 };

typedef struct saving {
    const st_writer *writer;
    st_text line;
    bool ok;
} saving;

static void append(saving *s, const char *text) { s->ok = s->ok && st_text_append(&s->line, text); }

static void flush(saving *s) {
    append(s, "\n");
    s->ok = s->ok && s->writer->write(s->writer->user, s->line.data, s->line.length);
    st_text_free(&s->line);
    s->line = (st_text){0};
}

static void append_escaped(saving *s, const char *text) {
    for (; s->ok && *text; text++) {
        switch (*text) {
        case '&': append(s, "&amp;"); break;
        case '<': append(s, "&lt;"); break;
        case '>': append(s, "&gt;"); break;
        case '"': append(s, "&quot;"); break;
        case '\n': append(s, "&#10;"); break;
        case '\t': append(s, "&#9;"); break;
        default: s->ok = st_text_append_char(&s->line, *text);
        }
    }
}

static void append_attribute(saving *s, const char *name, const char *value) {
    append(s, " ");
    append(s, name);
    append(s, "=\"");
    append_escaped(s, value);
    append(s, "\"");
}

// ---------------------------------------------------------------------------------------------------
// Attributes
// ---------------------------------------------------------------------------------------------------

static bool names_field(const st_field *field, const char *name) {
    return strcmp(field->name, name) == 0 || st_has_word(field->aliases, name);
}

// Was a field that the attribute means set since?
static bool is_outdated(const st_object *object, const char *attribute) {
    for (size_t i = 0; i < st_field_count(object); i++)
        if (object->data[i].edited && names_field(st_fields(object)[i], attribute)) return true;
    return false;
}

// Is it the only field of an attribute that is left out because another field of it was set?
static bool is_needed(const st_object *object, size_t index) {
    if (st_is_added(st_fields(object)[index])) return false;
    if (object->data[index].edited) return true;
    for (size_t i = 0; i < object->record->made.count; i++) {
        const char *name = object->record->made.data[i].name;
        if (names_field(st_fields(object)[index], name) && is_outdated(object, name)) return true;
    }
    return false;
}

// @path.field of what it follows, else its value.
static void append_field(saving *s, st_object *object, size_t index) {
    const st_field *field = st_fields(object)[index];
    if (st_field_rule(field) == ST_FIXED && (field->flags & (ST_FIELD_OUTPUT | ST_FIELD_REMOVED))) return;

    const st_data *data = &object->data[index];
    if (data->source && !st_is_added(st_fields(data->source)[data->source_field])) {
        st_text link = {0};
        s->ok = s->ok && st_text_appendf(&link, "@%s.%s", st_path(data->source),
                                         st_fields(data->source)[data->source_field]->name);
        if (s->ok) append_attribute(s, field->name, link.data);
        st_text_free(&link);
        return;
    }

    char *value = st_object_get(object, field->name, EXACT_DIGITS);
    if (value) append_attribute(s, field->name, value);
    else s->ok = false;
    st_string_free(value);
}

static void append_attributes(saving *s, st_object *object) {
    for (size_t i = 0; s->ok && i < object->record->made.count; i++) {
        const st_attr *attr = &object->record->made.data[i];
        const int index = st_field_by_name(object, attr->name);
        const bool file = index >= 0 && st_fields(object)[index]->type->syntax == ST_SYNTAX_FILE;
        if (is_outdated(object, attr->name)) continue;

        // the file that was found, whatever folder the copy of the scene is in
        const char *path = file ? *(char *const *)st_member(object, st_fields(object)[index]) : NULL;
        append_attribute(s, attr->name, path && *path ? path : attr->value);
    }

    for (size_t i = 0; s->ok && i < st_field_count(object); i++)
        if (is_needed(object, i)) append_field(s, object, i);
}

// ---------------------------------------------------------------------------------------------------
// The tree
// ---------------------------------------------------------------------------------------------------

static void indent(saving *s, size_t depth) {
    for (size_t i = 0; i < depth; i++) append(s, "  ");
}

static void save_object(saving *s, st_object *object, size_t depth) {
    indent(s, depth);
    append(s, "<");
    append(s, object->record->missing ? object->record->missing : object->type->name);
    append_attributes(s, object);
    append(s, "/>");
    flush(s);
}

static void save_node(saving *s, st_node *node, size_t depth) {
    if (!node->object.record->given) return;
    indent(s, depth);
    append(s, "<Node");
    append_attributes(s, &node->object);
    append(s, ">");
    flush(s);

    // components and child nodes, merged by the order in which they were made; what the engine has added is left out, such
    // as a default loop, which is in front and younger than the nodes
    size_t object = 0, child = 0;
    while (s->ok && (object < node->objects.count || child < node->children.count)) {
        const size_t none = SIZE_MAX;
        if (object < node->objects.count && !node->objects.data[object]->record->given) {
            object++;
            continue;
        }
        const size_t a = object < node->objects.count ? node->objects.data[object]->record->order : none;
        const size_t b = child < node->children.count ? node->children.data[child]->object.record->order : none;
        if (a <= b) save_object(s, node->objects.data[object++], depth + 1);
        else save_node(s, node->children.data[child++], depth + 1);
    }

    indent(s, depth);
    append(s, "</Node>");
    flush(s);
}

st_status st_scene_write_xml(st_scene *scene, const st_writer *writer) {
    if (!scene || !writer || !writer->write) return ST_INVALID;
    if (!st_scene_enter(scene)) return ST_BUSY;

    saving s = {.writer = writer, .ok = true};
    if (scene->root) {
        append(&s, "<?xml version=\"1.0\"?>");
        flush(&s);
        save_node(&s, scene->root, 0);
    } else {
        st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "there is no scene to save");
    }

    st_text_free(&s.line);
    const st_status status = !scene->root ? ST_INVALID : s.ok ? ST_OK : ST_FAILED;
    st_scene_leave(scene);
    return status;
}

static bool write_stream(void *stream, const char *text, size_t length) {
    return fwrite(text, 1, length, stream) == length;
}

st_status st_scene_save_xml(st_scene *scene, const char *path) {
    if (!scene || !path) return ST_INVALID;
    if (!scene->root) return st_scene_write_xml(scene, &(st_writer){write_stream, NULL});

    char why[256];
    st_file file;
    bool ok = st_file_create(&file, path, why, sizeof why);
    if (ok) {
        const st_status status = st_scene_write_xml(scene, &(st_writer){write_stream, file.stream});
        if (status != ST_OK) st_file_abandon(&file);
        if (status == ST_BUSY) return status;
        if (status != ST_OK) snprintf(why, sizeof why, "%s", st_status_text(status));
        ok = status == ST_OK && st_file_commit(&file, why, sizeof why);
    }

    if (ok) return ST_OK;
    st_scene_message(scene, ST_ERROR, "scene", path, 0, "the scene could not be saved: %s", why);
    return ST_FAILED;
}
