// Objects: their life, their attributes, and the data flow between their fields.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "scene/element.h"
#include "scene/field_text.h"

static const st_field object_fields[] = {
    ST_FIELD(st_object, name, "name", st_type_string, NULL, "name of the component", .flags = ST_FIELD_NO_SRC),
    ST_FIELD(st_object, print_log, "printLog", st_type_bool, "0", "send informations of this component to the log", .flags = ST_FIELD_NO_SRC),
    ST_FIELD(st_object, tags, "tags", st_type_tags, NULL, "groups to which it belongs", .flags = ST_FIELD_NO_SRC),
    ST_FIELD(st_object, listening, "listening", st_type_bool, "0", "receives the events of a step", .flags = ST_FIELD_NO_SRC),
    ST_FIELDS_END,
};

const st_class st_object_class = {
    .name = "BaseObject",
    .help = "what every component has",
    .fields = object_fields,
    .size = sizeof(st_object),
    .flags = ST_CLASS_ABSTRACT,
};

// ---------------------------------------------------------------------------------------------------
// Life
// ---------------------------------------------------------------------------------------------------

st_object *st_object_create(st_scene *scene, st_node *node, const st_class *type, const st_dof *dof, const char *template_) {
    st_object *object = st_alloc(1, type->size);
    if (!object) return NULL;
    object->type = type;
    object->scene = scene;
    object->node = node;
    object->dof = dof;
    object->template_ = st_string_copy(template_);
    object->data = st_alloc(type->field_count + 1, sizeof *object->data);
    bool ok = object->data && (object->template_ || !template_);
    for (uint32_t i = 0; ok && i < type->field_count; i++) ok = st_field_set_default(object, i) == ST_OK;
    object->listening = (type->flags & ST_CLASS_LISTENING) != 0;
    if (ok && type->construct) ok = type->construct(object) == ST_OK;
    if (ok) return object;
    st_object_destroy(object);
    return NULL;
}

void st_object_destroy(st_object *object) {
    if (!object) return;
    if (object->data) st_unlink_object(object);
    if (object->type->destroy) object->type->destroy(object);
    for (uint32_t i = 0; i < object->type->field_count; i++) {
        if (object->data) {
            st_free(object->data[i].pending);
            st_list_free(&object->data[i].children);
        }
        st_field_free(object, i);
    }
    st_free(object->data);
    st_free(object->template_);
    st_free(object);
}

// ---------------------------------------------------------------------------------------------------
// Attributes
// ---------------------------------------------------------------------------------------------------

bool st_has_word(const char *words, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = words; at && *at;) {
        const size_t n = strcspn(at, " ");
        if (n == length && memcmp(at, word, n) == 0) return true;
        at += n + strspn(at + n, " ");
    }
    return false;
}

// A file name becomes a full path when it is written, by the rule of the data repository.
static st_status resolve_file(st_object *object, const st_field *field) {
    char **member = st_member(object, field);
    if (!*member || !**member) return ST_OK;
    const st_elem *element = object->scene->creating;
    char *found = st_repository_find(object->scene, element ? element->directory : NULL, *member);
    if (found) {
        st_free(*member);
        *member = found;
    }
    return ST_OK;
}

static void bad_value(st_object *object, const st_field *field, const char *text, const char *why) {
    const bool strict = object->scene->config.strict;
    if (strict) object->scene->strict_failure = true;
    st_message(object, strict ? ST_ERROR : ST_WARNING, "could not read value for data field '%s': \"%.80s\"%s (%s expected; %s)", field->name,
               text, strlen(text) > 80 ? "..." : "", field->type->name, why);
}

static st_status apply_one(st_object *object, uint32_t index, const char *text) {
    const st_field *field = object->type->all_fields[index];
    if (field->flags & ST_FIELD_REMOVED) {
        st_message(object, ST_ERROR, "attribute '%s' was removed: %s", field->name, field->help);
        return ST_OK;
    }
    if (field->flags & ST_FIELD_DEPRECATED) st_message(object, ST_DEPRECATED, "attribute '%s' is deprecated: %s", field->name, field->help);
    if (field->type->syntax == ST_SYNTAX_LINK) return st_link_component(object, index, text);
    if (text[0] == '@') return st_link_data(object, index, text);
    char why[160] = "";
    const st_read_result read = st_field_read(field->type, st_field_width(object, field->type), field->options, st_member(object, field), text, why, sizeof why);
    if (read == ST_READ_MEMORY) return ST_OUT_OF_MEMORY;
    if (read == ST_READ_WARN) bad_value(object, field, text, why);
    if (field->type->syntax == ST_SYNTAX_FILE) resolve_file(object, field);
    st_touch_index(object, index);
    return ST_OK;
}

st_status st_object_apply(st_object *object, const char *name, const char *text) {
    st_status status = ST_NOT_FOUND;
    for (uint32_t i = 0; i < object->type->field_count; i++) {
        const st_field *field = object->type->all_fields[i];
        if (strcmp(field->name, name) != 0 && !st_has_word(field->aliases, name)) continue;
        const st_status one = apply_one(object, i, text);
        if (one == ST_OUT_OF_MEMORY) return one;
        status = ST_OK;
    }
    return status;
}

const char *st_attribute(const st_object *object, const char *name) {
    const st_elem *element = object->scene->creating;
    return element ? st_elem_attr(element, name) : NULL;
}

// ---------------------------------------------------------------------------------------------------
// Data flow
// ---------------------------------------------------------------------------------------------------

static void mark_dirty(st_object *object, uint32_t index);

// What follows a field: the fields linked to it and, when it is an engine's input, the engine's outputs.
static void mark_followers(st_object *object, uint32_t index) {
    const st_data *data = &object->data[index];
    for (size_t i = 0; i < data->children.count; i++) mark_dirty(data->children.data[i].object, data->children.data[i].field);
    if (!object->type->update || !(object->type->all_fields[index]->flags & ST_FIELD_INPUT)) return;
    for (uint32_t i = 0; i < object->type->field_count; i++)
        if (object->type->all_fields[i]->flags & ST_FIELD_OUTPUT) mark_dirty(object, i);
}

static void mark_dirty(st_object *object, uint32_t index) {
    st_data *data = &object->data[index];
    if (data->dirty) return; // also ends cycles
    data->dirty = true;
    mark_followers(object, index);
}

void st_touch_index(st_object *object, uint32_t index) {
    st_data *data = &object->data[index];
    data->counter++;
    data->set = true;
    data->dirty = false;
    mark_followers(object, index);
}

static void run_engine(st_object *engine) {
    for (uint32_t i = 0; i < engine->type->field_count; i++)
        if (engine->type->all_fields[i]->flags & ST_FIELD_INPUT) st_pull_index(engine, i);
    for (uint32_t i = 0; i < engine->type->field_count; i++)
        if (engine->type->all_fields[i]->flags & ST_FIELD_OUTPUT) engine->data[i].dirty = false;
    if (st_is_valid(engine)) engine->type->update(engine);
}

void st_pull_index(st_object *object, uint32_t index) {
    st_data *data = &object->data[index];
    if (!data->dirty) return;
    if (data->pulling) {
        st_message(object, ST_ERROR, "data field '%s' depends on itself through its links; the cycle is cut here", object->type->all_fields[index]->name);
        return;
    }
    data->pulling = true;
    data->dirty = false;
    if (data->source) {
        st_pull_index(data->source, data->source_field);
        if (st_field_copy(object, index, data->source, data->source_field) == ST_OK) {
            data->counter++;
            mark_followers(object, index);
        }
    } else if (object->type->update && (object->type->all_fields[index]->flags & ST_FIELD_OUTPUT)) {
        run_engine(object);
    }
    data->pulling = false;
}

// What is linked from elsewhere. The outputs of an engine wait until somebody reads them.
void st_pull(st_object *object) {
    for (uint32_t i = 0; i < object->type->field_count; i++)
        if (object->data[i].dirty && object->data[i].source) st_pull_index(object, i);
}

bool st_is_set(const st_object *object, const void *member) {
    const int index = st_field_of_member(object, member);
    return index >= 0 && object->data[index].set;
}

void st_touch(st_object *object, const void *member) {
    const int index = st_field_of_member(object, member);
    if (index >= 0) st_touch_index(object, (uint32_t)index);
}

void st_unset(st_object *object, const void *member) {
    const int index = st_field_of_member(object, member);
    if (index >= 0) object->data[index].set = false;
}

uint32_t st_change_count(const st_object *object, const void *member) {
    const int index = st_field_of_member(object, member);
    return index < 0 ? 0 : object->data[index].counter;
}
