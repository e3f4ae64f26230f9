// What the simulation answers to a page: the graph, the fields of a component, a change of one, the scene as a file.
//
// SPDX-License-Identifier: Apache-2.0
#include "answers.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VALUE = 4000 }; // characters of a value: a field may hold millions of numbers

st_object *st_viewer_find(st_scene *scene, const char *path) {
    st_object *object = st_scene_find(scene, path);
    return object ? object : st_node_as_object(st_scene_find_node(scene, path));
}

bool st_viewer_fail(st_viewer_text *answer, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    st_viewer_json_text(answer, "error", text);
    return false;
}

bool st_viewer_fail_with(st_viewer_text *answer, st_scene *scene, st_status status) {
    const st_diagnostic *error = st_scene_last_error(scene);
    return st_viewer_fail(answer, "%s", error ? error->text : st_status_text(status));
}

// ---------------------------------------------------------------------------------------------------
// The graph: nodes depth first, each with its components
// ---------------------------------------------------------------------------------------------------

static void put_object(st_viewer_text *answer, const st_object *object) {
    st_viewer_json_open(answer, NULL, '{');
    st_viewer_json_text(answer, "name", st_object_name(object));
    st_viewer_json_text(answer, "class", st_object_class_name(object));
    st_viewer_json_text(answer, "template", st_object_template(object));
    st_viewer_json_text(answer, "kind", st_object_kind(object));
    st_viewer_json_text(answer, "path", st_object_path(object));
    st_viewer_json_bool(answer, "valid", st_object_is_valid(object));
    st_viewer_json_close(answer, '}');
}

static void put_node(st_viewer_text *answer, const st_node *node, size_t depth) {
    st_viewer_json_open(answer, NULL, '{');
    st_viewer_json_text(answer, "name", st_node_name(node));
    st_viewer_json_text(answer, "path", st_node_path(node));
    st_viewer_json_count(answer, "depth", depth);

    st_viewer_json_open(answer, "objects", '[');
    for (size_t i = 0; i < st_node_object_count(node); i++) put_object(answer, st_node_object(node, i));
    st_viewer_json_close(answer, ']');
    st_viewer_json_close(answer, '}');

    for (size_t i = 0; i < st_node_child_count(node); i++) put_node(answer, st_node_child(node, i), depth + 1);
}

bool st_viewer_answer_graph(st_scene *scene, st_viewer_text *answer) {
    st_viewer_json_count(answer, "structure", st_scene_structure(scene));
    st_viewer_json_open(answer, "nodes", '[');
    put_node(answer, st_scene_root(scene), 0);
    st_viewer_json_close(answer, ']');
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Fields
// ---------------------------------------------------------------------------------------------------

static void put_value(st_viewer_text *answer, st_object *object, const char *field) {
    char *value = st_object_get(object, field, 6);
    const size_t length = value ? strlen(value) : 0;
    st_viewer_json_part(answer, "value", value ? value : "", length < MOST_VALUE ? length : MOST_VALUE);
    st_viewer_json_bool(answer, "cut", length > MOST_VALUE);
    st_string_free(value);
}

static void put_field(st_viewer_text *answer, st_object *object, const st_field_description *d) {
    st_viewer_json_open(answer, NULL, '{');
    st_viewer_json_text(answer, "name", d->name);
    st_viewer_json_text(answer, "type", d->type);
    st_viewer_json_text(answer, "help", d->help);
    st_viewer_json_text(answer, "default", d->value);
    st_viewer_json_text(answer, "live", st_live_rule_name(d->live));
    st_viewer_json_text(answer, "from", d->inherited_from);
    st_viewer_json_bool(answer, "output", d->output);
    st_viewer_json_bool(answer, "number", d->scalar <= ST_SCALAR_REAL);
    st_viewer_json_count(answer, "count", st_object_element_count(object, d->name));
    put_value(answer, object, d->name);

    // given in the file or since; followed by a link
    st_field_state state = {0};
    st_object_field_state(object, d->name, &state);
    st_viewer_json_bool(answer, "set", state.set);
    const char *source_field = NULL;
    const st_object *source = st_object_source(object, d->name, &source_field);
    if (source) {
        st_viewer_json_text(answer, "source", st_object_path(source));
        st_viewer_json_text(answer, "sourceField", source_field);
    }
    const st_object *target = d->scalar == ST_SCALAR_LINK ? st_object_link(object, d->name, 0) : NULL;
    if (target) st_viewer_json_text(answer, "target", st_object_path(target));

    if (d->options) {
        st_viewer_json_open(answer, "options", '[');
        for (const char *const *option = d->options; *option; option++) st_viewer_json_text(answer, NULL, *option);
        st_viewer_json_close(answer, ']');
    }
    st_viewer_json_close(answer, '}');
}

bool st_viewer_answer_fields(st_scene *scene, const st_viewer_command *command, st_viewer_text *answer) {
    const char *path = st_viewer_command_text(command, "path");
    st_object *object = st_viewer_find(scene, path);
    if (!object) return st_viewer_fail(answer, "there is no component or node at %s", path);

    // where it comes from
    int line = 0;
    const char *file = st_object_file(object, &line);
    st_viewer_json_text(answer, "path", path);
    st_viewer_json_text(answer, "name", st_object_name(object));
    st_viewer_json_text(answer, "class", st_object_as_node(object) ? "Node" : st_object_class_name(object));
    st_viewer_json_text(answer, "template", st_object_template(object));
    st_viewer_json_text(answer, "file", file);
    st_viewer_json_count(answer, "line", line > 0 ? (size_t)line : 0);

    st_viewer_json_open(answer, "fields", '[');
    st_field_description d;
    for (size_t i = 0; st_object_describe_field(object, i, &d); i++)
        if (!d.shorthand && !d.deprecated) put_field(answer, object, &d);
    st_viewer_json_close(answer, ']');
    return true;
}

// Sets the field with the same checks as in a file; a value that is refused leaves the old one.
static bool set_field(st_scene *scene, st_object *object, const st_field_description *d, const char *value,
                      st_viewer_text *answer) {
    char *old = st_object_get(object, d->name, 17);
    st_scene_clear_error(scene);
    st_status status = st_object_set(object, d->name, value);

    // the library reads as much of a bad value as it can
    if (status != ST_OK && old) st_object_set(object, d->name, old);
    st_string_free(old);
    put_value(answer, object, d->name);
    if (status == ST_OK && d->live == ST_AT_REINIT) status = st_object_reinit(object);
    if (status == ST_OK) return true;
    if (st_scene_last_error(scene)) return st_viewer_fail_with(answer, scene, status);
    return st_viewer_fail(answer, "'%.200s' is no value for %s (%s): the old one stays", value, d->name, d->type);
}

bool st_viewer_answer_set(st_scene *scene, const st_viewer_command *command, st_viewer_text *answer) {
    const char *path = st_viewer_command_text(command, "path"), *field = st_viewer_command_text(command, "field");
    st_object *object = st_viewer_find(scene, path);
    if (!object) return st_viewer_fail(answer, "there is no component or node at %s", path);
    const int index = st_object_field_index(object, field);
    st_field_description d = {0};
    if (index < 0 || !st_object_describe_field(object, (size_t)index, &d))
        return st_viewer_fail(answer, "%s has no field %s", path, field);
    if (d.output) return st_viewer_fail(answer, "%s is a result: it cannot be set", field);

    if (d.live == ST_FIXED && st_object_is_initialized(object))
        return st_viewer_fail(answer, "%s cannot be changed after the initialization", field);
    return set_field(scene, object, &d, st_viewer_command_text(command, "value"), answer);
}

bool st_viewer_answer_xml(st_scene *scene, st_viewer_text *answer) {
    st_viewer_text xml = {0};
    const st_writer writer = {st_viewer_text_write, &xml};
    st_scene_clear_error(scene);
    const st_status status = st_scene_write_xml(scene, &writer);
    if (status == ST_OK) st_viewer_json_part(answer, "xml", xml.data, xml.length);
    st_viewer_text_free(&xml);
    return status == ST_OK || st_viewer_fail_with(answer, scene, status);
}
