// Fields by type: their memory, setters and getters of numbers, texts and links, links between fields.
//
// A setter checks everything before it writes: the field, its rule after init, scalars, width, number of elements,
// values.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "api/scene.h"
#include "scene/field_reader.h"

static const char *scalar_name(st_scalar scalar) {
    static const char *const names[] = {"bools", "integers", "unsigned integers", "reals", "texts", "links"};
    return names[scalar];
}

static bool is_number(const st_field *field) { return field->type->scalar <= ST_SCALAR_REAL; }

// ---------------------------------------------------------------------------------------------------
// Arrays
// ---------------------------------------------------------------------------------------------------

static const st_field *find_field(const st_object *object, const char *name, int *index) {
    *index = object && name ? st_field_by_name(object, name) : -1;
    return *index < 0 ? NULL : st_fields(object)[*index];
}

st_status st_object_array(st_object *object, const char *name, st_array *array) {
    int index;
    const st_field *field = array ? find_field(object, name, &index) : NULL;
    if (!field) return ST_NOT_FOUND;
    if (!is_number(field)) return ST_INVALID;

    // an engine may have to compute it first
    if (object->data[index].dirty) st_pull_index(object, (uint32_t)index);
    void *member = st_member(object, field);
    const st_any_list *list = member;

    *array = (st_array){
        .scalar = field->type->scalar,
        .data = field->type->list ? list->data : member,
        .count = field->type->list ? list->count : 1,
        .width = st_field_width(object, field->type),
        .list = field->type->list,
        .version = object->data[index].counter,
    };
    return ST_OK;
}

size_t st_object_element_count(st_object *object, const char *name) {
    int index;
    const st_field *field = find_field(object, name, &index);
    if (!field) return 0;
    st_pull_index(object, (uint32_t)index);
    return field->type->list ? ((const st_any_list *)st_member(object, field))->count : 1;
}

// ---------------------------------------------------------------------------------------------------
// Before and after a field is written
// ---------------------------------------------------------------------------------------------------

// The field that may be set now, with the scene entered; NULL and the status to return otherwise.
static const st_field *begin_set(st_object *object, const char *name, int *index, st_status *status) {
    *status = ST_NOT_FOUND;
    if (!object || !name) return NULL;

    *status = ST_BUSY;
    if (!st_scene_enter(object->scene)) return NULL;

    // it must be there, and may be fixed
    const st_field *field = find_field(object, name, index);
    if (!field) {
        st_message(object, ST_ERROR, "there is no field called '%.120s'", name);
        *status = ST_NOT_FOUND;
    } else if (!st_field_may_be_set(object, (uint32_t)*index)) {
        *status = ST_INVALID;
    } else {
        *status = ST_OK;
        return field;
    }

    st_scene_leave(object->scene);
    return NULL;
}

static st_status end_set(st_object *object, int index, st_status status) {
    if (status == ST_OK) status = st_refuse_bad_dt(object);

    // what follows it is out of date; a node that was switched on is initialized
    if (status == ST_OK) {
        st_field_stored(object, (uint32_t)index);
        const bool is_switch = st_is_node(object) && st_fields(object)[index]->offset == offsetof(st_node, activated);
        if (is_switch) status = st_init_activated(object->scene);
    } else if (status == ST_OUT_OF_MEMORY) {
        st_message(object, ST_ERROR, "out of memory: the value of '%s'", st_fields(object)[index]->name);
    }

    st_scene_leave(object->scene);
    return status;
}

static st_status refuse_kind(st_object *object, const st_field *field, const char *given) {
    st_message(object, ST_ERROR, "'%s' is made of %s (%s); %s were given", field->name,
               scalar_name(field->type->scalar), field->type->name, given);
    return ST_INVALID;
}

// Do so many elements of that width fit? A state's vector keeps its number of elements once the scene runs.
static bool fits(st_object *object, const st_field *field, const void *values, size_t count, size_t width) {
    const size_t own = st_field_width(object, field->type);
    const bool sized = (field->flags & ST_FIELD_SIZED) && object->scene->initialized && object->validity == ST_VALID;

    // the first of these that does not hold
    if (width != own)
        st_message(object, ST_ERROR, "'%s' has %zu scalars in an element; %zu were given", field->name, own, width);
    else if (!field->type->list && count != 1)
        st_message(object, ST_ERROR, "'%s' is one element; %zu were given", field->name, count);
    else if (sized && count != st_field_sized(object))
        st_message(object, ST_ERROR, "'%s' has %zu elements, as the state has; %zu were given", field->name,
                   st_field_sized(object), count);
    else if (!values && count) st_message(object, ST_ERROR, "'%s': the values are NULL", field->name);
    else return true;
    return false;
}

// Room for the elements; where they go, or NULL. What is there already stays.
static void *make_room(st_object *object, const st_field *field, size_t count) {
    void *member = st_member(object, field);
    if (!field->type->list) return member;

    // at least one element, so that an empty list has an address, too
    st_any_list *list = member;
    const size_t bytes = st_scalar_size(field->type->scalar) * st_field_width(object, field->type);
    if (!st_list_set_count_bytes(list, count, bytes)) return NULL;
    if (!list->data) st_list_reserve_bytes(list, 1, bytes);
    return list->data;
}

// ---------------------------------------------------------------------------------------------------
// Numbers
// ---------------------------------------------------------------------------------------------------

st_status st_object_set_reals(st_object *object, const char *name, const st_real *values, size_t count, size_t width) {
    int index;
    st_status status;
    const st_field *field = begin_set(object, name, &index, &status);
    if (!field) return status;

    // the right kind, and so many as fit
    if (field->type->scalar != ST_SCALAR_REAL) status = refuse_kind(object, field, "reals");
    else if (!fits(object, field, values, count, width)) status = ST_INVALID;
    if (status != ST_OK) return end_set(object, index, status);

    // the field's own memory may be given: then only the number of elements changes
    const st_any_list *list = st_member(object, field);
    const bool own = field->type->list && values == list->data;
    if (own && count > list->count) count = list->count;

    // the elements, which may overlap with where they go
    void *to = make_room(object, field, count);
    if (!to) return end_set(object, index, ST_OUT_OF_MEMORY);
    if (count && to != values) memmove(to, values, count * width * sizeof *values);

    st_field_written(object, (uint32_t)index);
    return end_set(object, index, ST_OK);
}

static int option_count(const st_field *field) {
    int count = 0;
    while (field->options && field->options[count]) count++;
    return count;
}

static bool holds(const st_field *field, int64_t value) {
    if (field->options) return value >= 0 && value < option_count(field);

    // what the type can hold
    switch (field->type->scalar) {
    case ST_SCALAR_BOOL: return value == 0 || value == 1;
    case ST_SCALAR_INT: return value >= INT32_MIN && value <= INT32_MAX;
    case ST_SCALAR_UINT: return value >= 0 && value <= UINT32_MAX;
    default: return true;
    }
}

static void put_integers(const st_field *field, void *to, const int64_t *values, size_t scalars) {
    switch (field->type->scalar) {
    case ST_SCALAR_BOOL:
        for (size_t i = 0; i < scalars; i++) ((bool *)to)[i] = values[i] != 0;
        break;
    case ST_SCALAR_INT:
        for (size_t i = 0; i < scalars; i++) ((int32_t *)to)[i] = (int32_t)values[i];
        break;
    case ST_SCALAR_UINT:
        for (size_t i = 0; i < scalars; i++) ((uint32_t *)to)[i] = (uint32_t)values[i];
        break;
    default:
        for (size_t i = 0; i < scalars; i++) ((st_real *)to)[i] = (st_real)values[i];
        break;
    }
}

static int by_value(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// A set is kept increasing and without duplicates, as its text is read.
static void make_set(st_uints *list) {
    if (list->count < 2) return;
    qsort(list->data, list->count, sizeof *list->data, by_value);

    // equal ones are neighbors now
    size_t kept = 1;
    for (size_t i = 1; i < list->count; i++)
        if (list->data[i] != list->data[kept - 1]) list->data[kept++] = list->data[i];
    list->count = kept;
}

st_status st_object_set_integers(st_object *object, const char *name, const int64_t *values, size_t count,
                                 size_t width) {
    int index;
    st_status status;
    const st_field *field = begin_set(object, name, &index, &status);
    if (!field) return status;

    // the right kind, and so many as fit
    if (!is_number(field)) status = refuse_kind(object, field, "integers");
    else if (!fits(object, field, values, count, width)) status = ST_INVALID;

    // every value, before the first is written
    for (size_t i = 0; status == ST_OK && i < count * width; i++) {
        if (holds(field, values[i])) continue;
        st_message(object, ST_ERROR, "'%s' cannot hold %lld, number %zu of what was given (%s expected)", field->name,
                   (long long)values[i], i, field->type->name);
        status = ST_INVALID;
    }
    if (status != ST_OK) return end_set(object, index, status);

    // converted one by one
    void *to = make_room(object, field, count);
    if (!to) return end_set(object, index, ST_OUT_OF_MEMORY);
    put_integers(field, to, values, count * width);
    if (field->type->syntax == ST_SYNTAX_SET) make_set(st_member(object, field));

    st_field_written(object, (uint32_t)index);
    return end_set(object, index, ST_OK);
}

size_t st_object_get_integers(st_object *object, const char *name, int64_t *values, size_t most) {
    st_array array;
    if (st_object_array(object, name, &array) != ST_OK || array.scalar == ST_SCALAR_REAL) return 0;

    const size_t scalars = array.count * array.width;
    for (size_t i = 0; values && i < scalars && i < most; i++) {
        if (array.scalar == ST_SCALAR_BOOL) values[i] = ((const bool *)array.data)[i];
        else if (array.scalar == ST_SCALAR_INT) values[i] = ((const int32_t *)array.data)[i];
        else values[i] = ((const uint32_t *)array.data)[i];
    }

    return scalars;
}

st_status st_object_touch(st_object *object, const char *name) {
    int index;
    st_status status;
    if (!begin_set(object, name, &index, &status)) return status;

    st_field_written(object, (uint32_t)index);
    return end_set(object, index, ST_OK);
}

// ---------------------------------------------------------------------------------------------------
// Texts and links
// ---------------------------------------------------------------------------------------------------

static bool has_null(const char *const *texts, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!texts || !texts[i]) return true;
    return false;
}

st_status st_object_set_strings(st_object *object, const char *name, const char *const *texts, size_t count) {
    int index;
    st_status status;
    const st_field *field = begin_set(object, name, &index, &status);
    if (!field) return status;

    // an option is set by its label
    const bool option = field->options && field->type->scalar == ST_SCALAR_INT;
    if (field->type->scalar != ST_SCALAR_STRING && !option) {
        status = refuse_kind(object, field, "texts");
    } else if (!field->type->list && count != 1) {
        st_message(object, ST_ERROR, "'%s' is one text; %zu were given", field->name, count);
        status = ST_INVALID;
    } else if (has_null(texts, count)) {
        st_message(object, ST_ERROR, "'%s': a text is NULL", field->name);
        status = ST_INVALID;
    } else if (option) {
        status = texts[0][0] == '@' ? ST_INVALID : st_object_apply(object, field->name, texts[0]);
    } else {
        status = st_field_store_strings(object, (uint32_t)index, texts, count);
    }

    return end_set(object, index, status);
}

st_status st_object_set_links(st_object *object, const char *name, st_object *const *targets, size_t count) {
    int index;
    st_status status;
    const st_field *field = begin_set(object, name, &index, &status);
    if (!field) return status;

    // objects that exist; the link checks that they fit
    if (field->type->scalar != ST_SCALAR_LINK) {
        status = refuse_kind(object, field, "links");
    } else if (count && !targets) {
        st_message(object, ST_ERROR, "'%s': the targets are NULL", field->name);
        status = ST_INVALID;
    } else {
        status = st_link_targets(object, (uint32_t)index, targets, count);
    }

    return end_set(object, index, status);
}

const char *st_object_string(st_object *object, const char *name, size_t element) {
    int index;
    const st_field *field = find_field(object, name, &index);
    if (!field || field->type->scalar != ST_SCALAR_STRING) return NULL;
    st_pull_index(object, (uint32_t)index);

    // one text, or a list of them
    if (!field->type->list) {
        const char *text = *(char *const *)st_member(object, field);
        return element ? NULL : text ? text : "";
    }

    const st_strings *list = st_member(object, field);
    return element < list->count ? list->data[element] : NULL;
}

st_object *st_object_link(st_object *object, const char *name, size_t element) {
    int index;
    const st_field *field = find_field(object, name, &index);
    if (!field || field->type->scalar != ST_SCALAR_LINK) return NULL;

    if (!field->type->list) return element ? NULL : *(st_object *const *)st_member(object, field);
    const ST_LIST(st_object *) *list = st_member(object, field);
    return element < list->count ? list->data[element] : NULL;
}

// ---------------------------------------------------------------------------------------------------
// Links between fields
// ---------------------------------------------------------------------------------------------------

st_status st_object_link_field(st_object *object, const char *name, st_object *source, const char *source_name) {
    int index, from;
    st_status status;
    if (!begin_set(object, name, &index, &status)) return status;

    if (!find_field(source, source_name, &from)) {
        st_message(object, ST_ERROR, "'%.120s' cannot follow '%.120s': there is no such field", name,
                   source_name ? source_name : "");
        status = ST_NOT_FOUND;
    } else if (source->scene != object->scene) {
        st_message(object, ST_ERROR, "'%.120s' cannot follow a field of another scene", name);
        status = ST_INVALID;
    } else {
        status = st_link_index(object, (uint32_t)index, source, (uint32_t)from);
    }

    return end_set(object, index, status);
}

st_status st_object_unlink_field(st_object *object, const char *name) {
    int index;
    st_status status;
    const st_field *field = begin_set(object, name, &index, &status);
    if (!field) return status;

    st_pull_index(object, (uint32_t)index); // it keeps the last value
    st_unlink_field(object, st_member(object, field));
    object->scene->live_structure = UINT32_MAX;
    return end_set(object, index, ST_OK);
}

st_object *st_object_source(const st_object *object, const char *name, const char **source_field) {
    int index;
    if (source_field) *source_field = NULL;
    if (!find_field(object, name, &index)) return NULL;

    const st_data *data = &object->data[index];
    if (data->source && source_field) *source_field = st_fields(data->source)[data->source_field]->name;
    return data->source;
}

st_status st_object_field_state(const st_object *object, const char *name, st_field_state *state) {
    int index;
    if (!state || !find_field(object, name, &index)) return ST_NOT_FOUND;

    const st_data *data = &object->data[index];
    *state = (st_field_state){
        .set = data->set, .linked = data->source != NULL, .dirty = data->dirty, .version = data->counter};
    return ST_OK;
}

int st_object_field_index(const st_object *object, const char *name) {
    int index;
    find_field(object, name, &index);
    return index;
}

// ---------------------------------------------------------------------------------------------------
// Fields of one component
// ---------------------------------------------------------------------------------------------------

st_status st_object_add_field(st_object *object, const char *name, const char *type, const char *value,
                              const char *help) {
    if (!object || !name || !type) return ST_INVALID;
    st_scene *scene = object->scene;
    if (!st_scene_enter(scene)) return ST_BUSY;

    // what links follow is in use while they are brought up to date
    st_status status = ST_BUSY;
    if (scene->flow.count > 0)
        st_message(object, ST_ERROR, "the field '%.120s' cannot be added while links are followed", name);
    else if (st_graph_may_change(scene, "a field cannot be added"))
        status = st_add_field(object, name, type, value, help);

    st_scene_leave(scene);
    return status;
}
