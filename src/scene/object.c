// Objects: their life, their attributes, and the data flow between their fields.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "scene/element.h"
#include "scene/field_text.h"

static const st_field object_fields[] = {
    ST_FIELD(st_object, name, "name", st_type_string, NULL, "name of the component", .flags = ST_FIELD_NO_SRC),
    ST_FIELD(st_object, print_log, "printLog", st_type_bool, "0", "send information of this component to the log",
             .flags = ST_FIELD_NO_SRC),
    ST_FIELD(st_object, tags, "tags", st_type_tags, NULL, "groups to which it belongs", .flags = ST_FIELD_NO_SRC),
    ST_FIELD(st_object, listening, "listening", st_type_bool, "0", "receives the events of a step",
             .flags = ST_FIELD_NO_SRC),
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

st_object *st_object_create(st_scene *scene, st_node *node, const st_class *type, const st_dof *dof,
                            const char *template_) {
    st_object *object = st_alloc(1, type->size);
    if (!object) return NULL;
    object->record = st_alloc(1, sizeof *object->record);
    if (!object->record) {
        st_free(object);
        return NULL;
    }

    // set before `construct`, which may use them
    object->type = type;
    object->scene = scene;
    object->node = node;
    object->dof = dof;

    // what the scene keeps of it
    object->template_ = st_string_copy(template_);
    object->data = st_alloc(st_resolved(type)->field_count + 1, sizeof *object->data);
    object->record->fields = st_resolved(type)->fields;
    object->record->field_count = st_resolved(type)->field_count;
    object->record->order = ++scene->created;
    bool ok = object->data && (object->template_ || !template_);

    // defaults of the fields, then the class's own
    for (uint32_t i = 0; ok && i < st_field_count(object); i++) ok = st_field_set_default(object, i) == ST_OK;
    object->listening = (type->flags & ST_CLASS_LISTENING) != 0;
    if (ok && type->construct) ok = type->construct(object) == ST_OK;

    if (ok) return object;
    st_object_destroy(object);
    return NULL;
}

void st_object_destroy(st_object *object) {
    if (!object) return;
    st_profile_forget(object);
    if (object->data) st_unlink_object(object);
    if (object->type->destroy) object->type->destroy(object);

    // fields, and what is known of them
    for (uint32_t i = 0; i < st_field_count(object); i++) {
        if (object->data) {
            st_free(object->data[i].pending);
            st_list_free(&object->data[i].children);
        }
        st_field_free(object, i);
    }

    st_free_added_fields(object);
    st_forget_messages(object);
    for (size_t i = 0; i < object->record->made.count; i++) {
        st_free(object->record->made.data[i].name);
        st_free(object->record->made.data[i].value);
    }
    st_list_free(&object->record->made);
    st_list_free(&object->record->sent);
    st_free(object->record->missing);
    st_free(object->record);
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

    const st_xml_element *element = object->scene->creating;
    char *found = st_repository_find(object->scene, element ? element->directory : NULL, *member);

    // a name that is not found stays as it is written
    if (found) {
        st_free(*member);
        *member = found;
    }

    return ST_OK;
}

enum { MESSAGE_DIGITS = 6 };

// What the field holds now, for a message: a value, or how many of a list.
static void describe_value(const st_object *object, const st_field *field, char *out, size_t size) {
    const st_any_list *list = st_member(object, field);
    st_text text = {0};
    if (field->type->list)
        snprintf(out, size,
                 list->count == 0   ? "an empty list is"
                 : list->count == 1 ? "the element before it is"
                                    : "the %zu elements before it are",
                 list->count);
    else if (st_field_write(field->type, st_field_width(object, field->type), field->options, st_member(object, field),
                            MESSAGE_DIGITS, &text))
        snprintf(out, size, "%.60s is", text.data ? text.data : "\"\"");
    st_text_free(&text);
}

// Short-hands are SOFA's own reading of attributes, where garbage is an error.
static void bad_value(st_object *object, const st_field *field, const char *text, const char *why) {
    const bool strict = object->scene->config.strict;
    char used[96] = "nothing is";
    describe_value(object, field, used, sizeof used);

    if (strict) object->scene->strict_failure = true;
    st_message(object, strict || field->type->syntax == ST_SYNTAX_FLOAT ? ST_ERROR : ST_WARNING,
               "could not read value for data field '%s': \"%.80s\"%s (%s expected; %s); %s used", field->name, text,
               strlen(text) > 80 ? "..." : "", field->type->name, why, used);
}

static st_status removed_field(st_object *object, const st_field *field) {
    if (object->scene->config.strict) object->scene->strict_failure = true;
    st_message(object, ST_ERROR, "attribute '%s' was removed: %s", field->name, field->help);
    return ST_INVALID;
}

// What must hold after a field got another value.
static void value_written(st_object *object, uint32_t index, bool by_link) {
    const st_field *field = st_fields(object)[index];
    const bool is_node = st_is_node(object);

    // the index of the node knows it by its former name
    if (field->offset == offsetof(st_object, name)) {
        object->record->auto_named = false;
        st_node_forget(is_node ? ((st_node *)object)->parent : object->node);
    }

    // lists of steps depend on tags, and on what is left out
    const bool is_switch =
        field->offset == offsetof(st_node, activated) || field->offset == offsetof(st_node, sleeping);
    if (field->offset == offsetof(st_object, tags) || (is_node && is_switch)) object->scene->structure++;

    if (object->type->written) object->type->written(object, field, by_link);
}

// The name that a component was made with is given to it again by its attributes: nothing changes.
static bool is_same_name(const st_object *object, const st_field *field, const char *text) {
    return field->offset == offsetof(st_object, name) && object->name && strcmp(object->name, text) == 0;
}

static bool is_initialized(const st_object *object) {
    return object->scene->initialized && object->validity == ST_VALID && !object->record->waiting;
}

static st_status read_value(st_object *object, uint32_t index, const char *text) {
    const st_field *field = st_fields(object)[index];
    char why[160] = "";
    const st_read_result read = st_field_read(field->type, st_field_width(object, field->type), field->options,
                                              st_member(object, field), text, why, sizeof why);

    if (read == ST_READ_MEMORY) {
        st_message(object, ST_ERROR, "out of memory: the value of '%s'", field->name);
        return ST_OUT_OF_MEMORY;
    }

    // what could be read counts
    if (read == ST_READ_WARN) bad_value(object, field, text, why);
    if (field->type->syntax == ST_SYNTAX_FILE) resolve_file(object, field);
    value_written(object, index, false);
    st_touch_index(object, index);
    return read == ST_READ_WARN ? ST_INVALID : ST_OK;
}

static st_status apply_one(st_object *object, uint32_t index, const char *text) {
    const st_field *field = st_fields(object)[index];
    if (field->flags & ST_FIELD_REMOVED) return removed_field(object, field);
    if (field->flags & ST_FIELD_DEPRECATED)
        st_message(object, ST_DEPRECATED, "attribute '%s' is deprecated: %s", field->name, field->help);

    // a link to a component, to a field, or a value
    if (field->type->syntax == ST_SYNTAX_LINK) return st_link_component(object, index, text);
    if (text[0] == '@') return st_link_data(object, index, text);

    // the attribute `name` repeats what the component was made with
    if (is_same_name(object, field, text)) {
        st_touch_index(object, index);
        return ST_OK;
    }

    return read_value(object, index, text);
}

st_status st_object_apply(st_object *object, const char *name, const char *text) {
    st_status status = ST_NOT_FOUND;
    for (uint32_t i = 0; i < st_field_count(object); i++) {
        const st_field *field = st_fields(object)[i];
        if (strcmp(field->name, name) != 0 && !st_has_word(field->aliases, name)) continue;

        // an alias may name several fields: each of them gets the value
        const st_status one = apply_one(object, i, text);
        if (one == ST_OUT_OF_MEMORY) return one;
        if (status != ST_INVALID) status = one;
    }

    return status;
}

// ---------------------------------------------------------------------------------------------------
// Values from a program
// ---------------------------------------------------------------------------------------------------

bool st_field_may_be_set(st_object *object, uint32_t index) {
    const st_field *field = st_fields(object)[index];
    if (st_field_rule(field) != ST_FIXED || !is_initialized(object)) return true;

    st_message(object, ST_ERROR, "'%s' cannot be changed after the initialization: %s", field->name,
               field->flags & ST_FIELD_OUTPUT ? "it is computed by the component"
                                              : "it is fixed; change it before, or remove and add the component");
    return false;
}

// Plans depend on nodes, tags, the flags of mappings and links: they are made again when one of these is written.
static bool is_structure(const st_object *object, const st_field *field) {
    return st_is_node(object) || field->type->syntax == ST_SYNTAX_LINK || object->type->mapping ||
           field->offset == offsetof(st_object, tags);
}

void st_field_written(st_object *object, uint32_t index) {
    value_written(object, index, false);
    st_touch_index(object, index);
}

void st_field_stored(st_object *object, uint32_t index) {
    object->data[index].edited = true;
    if (is_structure(object, st_fields(object)[index])) object->scene->structure++;
}

// A text becomes the value as it is; @ has no meaning here.
static st_status store_text(st_object *object, const st_field *field, const char *text) {
    char *copy = st_string_copy(text);
    if (!copy) return ST_OUT_OF_MEMORY;

    char **member = st_member(object, field);
    st_free(*member);
    *member = copy;
    return field->type->syntax == ST_SYNTAX_FILE ? resolve_file(object, field) : ST_OK;
}

st_status st_field_store_strings(st_object *object, uint32_t index, const char *const *texts, size_t count) {
    const st_field *field = st_fields(object)[index];
    st_status status = ST_OK;

    // one text, or a list that replaces the former one when it is complete
    if (!field->type->list) status = store_text(object, field, texts[0]);
    else {
        st_strings list = {0};
        for (size_t i = 0; status == ST_OK && i < count; i++) {
            char *copy = st_string_copy(texts[i]);
            if (!copy || !st_list_push(&list, copy)) status = ST_OUT_OF_MEMORY;
        }

        st_strings *member = st_member(object, field), former = *member;
        if (status == ST_OK) *member = list;
        st_strings_free(status == ST_OK ? &former : &list);
    }

    if (status == ST_OK) st_field_written(object, index);
    return status;
}

const char *st_attribute(const st_object *object, const char *name) {
    const st_xml_element *element = object->scene->creating;
    return element ? st_xml_element_attr(element, name) : NULL;
}

// ---------------------------------------------------------------------------------------------------
// Data flow
// ---------------------------------------------------------------------------------------------------

// Walks along links use a stack of the scene's own, not that of the program: a chain may be as long as the scene. Walks
// nest (an engine's update writes its outputs within a pull), so that each knows where its part of the stack begins.

typedef struct st_data_child field_ref;

static st_data *data_of(field_ref ref) { return &ref.object->data[ref.field]; }

static bool has_flag(const st_object *object, uint32_t index, unsigned flag) {
    return object->type->update && (st_fields(object)[index]->flags & flag);
}

static bool object_push(st_object *object, uint32_t index) {
    const field_ref ref = {object, index};
    if (st_list_push(&object->scene->flow, ref)) return true;
    st_message(object, ST_ERROR, "out of memory: what is linked to '%s' is not brought up to date",
               st_fields(object)[index]->name);
    return false;
}

static field_ref pop(st_scene *scene) { return scene->flow.data[--scene->flow.count]; }

// What follows a field: the fields linked to it and, when it is an engine's input, the engine's outputs.
static void push_followers(st_object *object, uint32_t index) {
    // fields that are linked to it
    const st_data *data = &object->data[index];
    for (size_t i = 0; i < data->children.count; i++)
        object_push(data->children.data[i].object, data->children.data[i].field);

    // every output of the engine depends on every input
    if (!has_flag(object, index, ST_FIELD_INPUT)) return;
    for (uint32_t i = 0; i < st_field_count(object); i++)
        if (i != index && has_flag(object, i, ST_FIELD_OUTPUT)) object_push(object, i);
}

static void mark_followers(st_object *object, uint32_t index) {
    st_scene *scene = object->scene;
    const size_t base = scene->flow.count;
    push_followers(object, index);

    // what is out of date already has followers that are, too
    while (scene->flow.count > base) {
        const field_ref ref = pop(scene);
        if (data_of(ref)->dirty) continue; // so is what follows it
        data_of(ref)->dirty = true;
        push_followers(ref.object, ref.field);
    }
}

bool st_flow_reaches(st_object *object, uint32_t index, const st_object *target, uint32_t target_index) {
    st_scene *scene = object->scene;
    const size_t base = scene->flow.count;
    const uint32_t mark = ++scene->flow_mark;
    bool found = object == target && index == target_index;

    push_followers(object, index);

    while (scene->flow.count > base) {
        const field_ref ref = pop(scene);
        if (data_of(ref)->mark == mark) continue;
        data_of(ref)->mark = mark;
        found = found || (ref.object == target && ref.field == target_index);
        if (!found) push_followers(ref.object, ref.field);
    }

    return found;
}

void st_touch_index(st_object *object, uint32_t index) {
    st_data *data = &object->data[index];
    data->counter++;
    data->set = true;
    data->dirty = false;
    mark_followers(object, index);
}

// ---------------------------------------------------------------------------------------------------
// Pulling
// ---------------------------------------------------------------------------------------------------

// Something that must be brought up to date before the field can be: its source, or an input of its engine.
static bool find_stale(field_ref ref, field_ref *stale) {
    const st_data *data = data_of(ref);
    if (data->source) {
        *stale = (field_ref){data->source, data->source_field};
        return data_of(*stale)->dirty && !data_of(*stale)->pulling;
    }

    if (!has_flag(ref.object, ref.field, ST_FIELD_OUTPUT)) return false;

    for (uint32_t i = 0; i < st_field_count(ref.object); i++) {
        if (!has_flag(ref.object, i, ST_FIELD_INPUT)) continue;
        *stale = (field_ref){ref.object, i};
        if (data_of(*stale)->dirty && !data_of(*stale)->pulling) return true;
    }

    return false;
}

static void copy_source(field_ref ref) {
    st_data *data = data_of(ref);
    if (st_field_copy(ref.object, ref.field, data->source, data->source_field) != ST_OK) {
        st_message(ref.object, ST_ERROR, "out of memory: a copy of '%s'",
                   st_fields(data->source)[data->source_field]->name);
        return;
    }

    value_written(ref.object, ref.field, true);
    data->counter++;
    mark_followers(ref.object, ref.field);
}

static void run_engine(st_object *engine) {
    // before the update, which may read its own outputs
    for (uint32_t i = 0; i < st_field_count(engine); i++)
        if (has_flag(engine, i, ST_FIELD_OUTPUT)) engine->data[i].dirty = false;
    if (st_is_valid(engine)) engine->type->update(engine);
}

static void object_refresh(field_ref ref) {
    st_data *data = data_of(ref);
    data->pulling = data->dirty = false;
    if (data->source) copy_source(ref);
    else if (has_flag(ref.object, ref.field, ST_FIELD_OUTPUT)) run_engine(ref.object);
}

static bool push_pulling(field_ref ref) { return data_of(ref)->pulling = object_push(ref.object, ref.field); }

void st_pull_index(st_object *object, uint32_t index) {
    st_scene *scene = object->scene;
    const size_t base = scene->flow.count;
    field_ref stale = {object, index};
    if (!data_of(stale)->dirty || data_of(stale)->pulling) return;

    // sources before what follows them
    push_pulling(stale);
    while (scene->flow.count > base)
        if (!find_stale(scene->flow.data[scene->flow.count - 1], &stale) || !push_pulling(stale))
            object_refresh(pop(scene));
}

// What is linked from elsewhere. The outputs of an engine wait until somebody reads them.
void st_pull(st_object *object) {
    for (uint32_t i = 0; i < st_field_count(object); i++)
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
