// Links: the path syntax, component links, data links, and src.
//
// A path is followed from the component's node. Only its first name may be found in an ancestor (climbing), and only when
// the path does not begin with /, . or .. ; there is no backtracking after that.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "scene/element.h"
#include "settee/solver.h"

static bool is_node(const st_object *object) { return object->type->origin == &st_node_class; }

static bool fits(const st_object *object, size_t role) {
    if (role == ST_ROLE_NODE) return is_node(object);
    return role == 0 || st_has_role(object, role);
}

static bool same_name(const char *name, const char *begin, size_t length) {
    return name && strlen(name) == length && memcmp(name, begin, length) == 0;
}

static st_object *named_child(const st_node *node, const char *begin, size_t length) {
    for (size_t i = 0; i < node->children.count; i++)
        if (same_name(node->children.data[i]->object.name, begin, length)) return &node->children.data[i]->object;
    for (size_t i = 0; i < node->objects.count; i++)
        if (same_name(node->objects.data[i]->name, begin, length)) return node->objects.data[i];
    return NULL;
}

// Roles whose look-up on a node without one goes on upwards.
static bool climbs(size_t role) {
    return role == ST_ROLE(state) || role == ST_ROLE(topology) || role == ST_ROLE(loop) || role == ST_ROLE(integrator);
}

// What a path that ends on a node means for the wanted role.
static st_object *in_node(st_node *node, size_t role) {
    if (role == 0 || role == ST_ROLE_NODE) return &node->object;
    st_object *found = NULL;
    for (size_t i = 0; i < node->objects.count; i++) {
        if (!fits(node->objects.data[i], role)) continue;
        if (found) return NULL; // several: ambiguous
        found = node->objects.data[i];
    }
    if (found || !climbs(role)) return found;
    return st_find_slot(node, role);
}

// [-k]: the k-th object before the end of the node's list.
static st_object *by_offset(const st_node *node, const char *path) {
    char *end;
    const long k = strtol(path + 1, &end, 10);
    if (strcmp(end, "]") != 0 || k >= 0 || (size_t)-k >= node->objects.count) return NULL;
    return node->objects.data[node->objects.count - 1 - (size_t)-k];
}

static st_object *walk(st_node *node, const char *path) {
    bool climb = path[0] != '/' && path[0] != '.';
    if (path[0] == '/') node = node->object.scene->root;
    st_object *at = &node->object;
    for (const char *s = path; *s;) {
        s += strspn(s, "/");
        const size_t n = strcspn(s, "/");
        if (n == 0) break;
        if (!is_node(at)) return NULL; // nothing lies below a component
        st_node *here = (st_node *)at;
        if (same_name(".", s, n)) {
        } else if (same_name("..", s, n)) {
            if (!here->parent) return NULL;
            at = &here->parent->object;
        } else {
            at = named_child(here, s, n);
            for (st_node *up = here->parent; !at && climb && up; up = up->parent) at = named_child(up, s, n);
            if (!at) return NULL;
            climb = false;
        }
        s += n;
    }
    return at;
}

st_object *st_resolve(st_object *from, const char *path, size_t role) {
    st_node *node = is_node(from) ? (st_node *)from : from->node;
    if (!node) return NULL;
    st_object *found;
    if (path[0] == '[' && strcmp(path, "[]") != 0)
        found = by_offset(node, path);
    else
        found = strcmp(path, "[]") == 0 ? &node->object : walk(node, path);
    if (!found) return NULL;
    if (is_node(found)) return in_node((st_node *)found, role);
    return fits(found, role) ? found : NULL;
}

st_object *st_find_path(const st_node *node, const char *path, size_t role) {
    return st_resolve((st_object *)&node->object, path[0] == '@' ? path + 1 : path, role);
}

// ---------------------------------------------------------------------------------------------------
// Component links
// ---------------------------------------------------------------------------------------------------

static st_status put_target(st_object *object, const st_field *field, st_object *target, size_t *count) {
    if (!field->type->list) {
        if (*count == 0) *(st_object **)st_member(object, field) = target;
        else if (*count == 1) st_message(object, ST_WARNING, "link '%s' takes one component; the first is kept", field->name);
    } else {
        ST_LIST(st_object *) *list = st_member(object, field);
        if (!st_list_push(list, target)) return ST_OUT_OF_MEMORY;
    }
    ++*count;
    return ST_OK;
}

// Follows every blank-separated path of the text. Missing targets are kept as NULL, to be tried again.
static st_status follow(st_object *object, uint32_t index, const char *text, size_t *missing) {
    const st_field *field = object->type->all_fields[index];
    if (field->type->list) ((st_any_list *)st_member(object, field))->count = 0;
    else *(st_object **)st_member(object, field) = NULL;
    size_t count = 0;
    *missing = 0;
    for (const char *s = text + strspn(text, " \t\r\n"); *s; s += strspn(s, " \t\r\n")) {
        const size_t n = strcspn(s, " \t\r\n");
        char *path = st_string_copy_n(s, n);
        if (!path) return ST_OUT_OF_MEMORY;
        s += n;
        st_status status = ST_OK;
        if (path[0] != '@') {
            st_message(object, ST_ERROR, "link '%s': \"%s\" does not begin with @; it is left out", field->name, path);
        } else {
            st_object *target = st_resolve(object, path + 1, field->role);
            if (!target) ++*missing;
            status = put_target(object, field, target, &count);
        }
        st_free(path);
        if (status != ST_OK) return status;
    }
    return ST_OK;
}

st_status st_link_component(st_object *object, uint32_t index, const char *text) {
    st_data *data = &object->data[index];
    size_t missing;
    const st_status status = follow(object, index, text, &missing);
    if (status != ST_OK) return status;
    st_free(data->pending);
    data->pending = missing ? st_string_copy(text) : NULL;
    data->set = text[strspn(text, " \t\r\n")] != '\0';
    data->counter++;
    return missing && !data->pending ? ST_OUT_OF_MEMORY : ST_OK;
}

size_t st_update_links(st_object *object, bool warn) {
    size_t broken = 0;
    for (uint32_t i = 0; i < object->type->field_count; i++) {
        const st_field *field = object->type->all_fields[i];
        st_data *data = &object->data[i];
        if (field->type->syntax != ST_SYNTAX_LINK || !data->pending) continue;
        char *text = data->pending;
        data->pending = NULL;
        st_link_component(object, i, text);
        if (data->pending) {
            broken++;
            if (warn) st_message(object, ST_WARNING, "link update failed for '%s': no suitable component at \"%s\"", field->name, text);
        }
        st_free(text);
    }
    return broken;
}

// ---------------------------------------------------------------------------------------------------
// Data links
// ---------------------------------------------------------------------------------------------------

// Splits @path.field at the last dot after the last slash; a final . or .. belongs to the path.
static const char *field_part(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *tail = slash ? slash + 1 : path;
    if (strcmp(tail, ".") == 0 || strcmp(tail, "..") == 0) return NULL;
    return strrchr(tail, '.');
}

static int find_field(const st_object *object, const char *name) {
    const int own = st_field_index(object, name);
    if (own >= 0) return own;
    for (size_t i = 0; i < object->type->field_count; i++)
        if (st_has_word(object->type->all_fields[i]->aliases, name)) return (int)i;
    return -1;
}

static bool compatible(const st_type *a, const st_type *b) { return a->scalar != ST_SCALAR_LINK && b->scalar != ST_SCALAR_LINK; }

static void detach(st_object *object, uint32_t index) {
    st_data *data = &object->data[index];
    if (!data->source) return;
    st_data *parent = &data->source->data[data->source_field];
    for (size_t i = 0; i < parent->children.count; i++)
        if (parent->children.data[i].object == object && parent->children.data[i].field == index) {
            parent->children.data[i] = parent->children.data[--parent->children.count];
            break;
        }
    data->source = NULL;
}

static void mark_linked(st_object *object, uint32_t index) {
    st_touch_index(object, index); // what follows this field must look again
    object->data[index].dirty = true;
    object->scene->live_structure = UINT32_MAX;
}

static st_status attach(st_object *object, uint32_t index, st_object *source, uint32_t source_field) {
    detach(object, index);
    struct st_data_child child = {object, index};
    if (!st_list_push(&source->data[source_field].children, child)) return ST_OUT_OF_MEMORY;
    object->data[index].source = source;
    object->data[index].source_field = source_field;
    mark_linked(object, index);
    return ST_OK;
}

st_status st_link_data(st_object *object, uint32_t index, const char *text) {
    const st_field *field = object->type->all_fields[index];
    const char *dot = field_part(text + 1);
    if (!dot || !dot[1]) {
        st_message(object, ST_WARNING, "could not set up the data link %s=\"%.120s\": it names no field (@path.field is expected)", field->name, text);
        return ST_OK;
    }
    char *path = st_string_copy_n(text + 1, (size_t)(dot - text - 1));
    if (!path) return ST_OUT_OF_MEMORY;
    const bool self = path[0] == '\0' || strcmp(path, "[]") == 0;
    st_object *source = self ? object : st_resolve(object, path, 0);
    st_free(path);
    const int source_field = source ? find_field(source, dot + 1) : -1;
    if (source_field < 0) {
        st_message(object, ST_WARNING, "data link %s=\"%.120s\": %s; the default stays", field->name, text,
                   source ? "the component there has no such field" : "there is no such component before this one in the scene");
        object->data[index].set = true;
        return ST_OK;
    }
    if (!compatible(field->type, source->type->all_fields[source_field]->type)) {
        st_message(object, ST_ERROR, "could not set up the data link %s=\"%.120s\": %s cannot be made from %s", field->name, text, field->type->name,
                   source->type->all_fields[source_field]->type->name);
        return ST_OK;
    }
    if (source == object && (uint32_t)source_field == index) {
        st_message(object, ST_ERROR, "data field '%s' is linked to itself; the link is left out", field->name);
        return ST_OK;
    }
    return attach(object, index, source, (uint32_t)source_field);
}

st_status st_link_field(st_object *object, const void *member, st_object *source, const char *source_field) {
    const int index = st_field_of_member(object, member), from = find_field(source, source_field);
    if (index < 0 || from < 0) return ST_NOT_FOUND;
    return attach(object, (uint32_t)index, source, (uint32_t)from);
}

void st_unlink_object(st_object *object) {
    for (uint32_t i = 0; i < object->type->field_count; i++) {
        detach(object, i);
        st_data *data = &object->data[i];
        for (size_t k = 0; k < data->children.count; k++) data->children.data[k].object->data[data->children.data[k].field].source = NULL;
        data->children.count = 0;
    }
}

// ---------------------------------------------------------------------------------------------------
// src="@path": links every field of the same name
// ---------------------------------------------------------------------------------------------------

// The context path rule: child nodes, then a last component; no climbing.
static st_object *context_path(st_node *node, const char *path) {
    if (path[0] == '/') node = node->object.scene->root;
    for (const char *s = path + strspn(path, "/"); node && *s;) {
        const size_t n = strcspn(s, "/");
        const char *next = s + n + strspn(s + n, "/");
        if (same_name("..", s, n)) {
            node = node->parent;
        } else if (!same_name(".", s, n)) {
            st_object *found = named_child(node, s, n);
            if (!found) return NULL;
            if (!is_node(found)) return *next ? NULL : found;
            node = (st_node *)found;
        }
        s = next;
    }
    return node && node->objects.count ? node->objects.data[0] : NULL;
}

static st_status link_name(st_object *object, const char *name, size_t length, st_object *source, uint32_t source_field) {
    char buffer[128];
    if (length >= sizeof buffer) return ST_OK;
    memcpy(buffer, name, length);
    buffer[length] = '\0';
    if (strcmp(buffer, "type") == 0 || strcmp(buffer, "filename") == 0 || st_attribute(object, buffer)) return ST_OK;
    const int own = find_field(object, buffer);
    if (own < 0 || !compatible(object->type->all_fields[own]->type, source->type->all_fields[source_field]->type)) return ST_OK;
    return attach(object, (uint32_t)own, source, source_field);
}

st_status st_link_source(st_object *object, const char *text) {
    if (text[0] != '@') {
        st_message(object, ST_ERROR, "src=\"%.120s\" is not a link: @path is expected", text);
        return ST_OK;
    }
    if (!text[1]) {
        st_message(object, ST_WARNING, "src=\"@\" names no component");
        return ST_OK;
    }
    st_object *source = text[1] == '[' ? st_resolve(object, text + 1, 0) : context_path(object->node, text + 1);
    if (!source || source == object) {
        st_message(object, ST_ERROR, "src=\"%.120s\": there is no such component (src does not look in parent nodes: write @../name)", text);
        return ST_OK;
    }
    for (uint32_t i = 0; i < source->type->field_count; i++) {
        const st_field *field = source->type->all_fields[i];
        if (field->flags & (ST_FIELD_NO_SRC | ST_FIELD_SHORTHAND | ST_FIELD_REMOVED)) continue;
        st_status status = link_name(object, field->name, strlen(field->name), source, i);
        for (const char *s = field->aliases; status == ST_OK && s && *s;) {
            const size_t n = strcspn(s, " ");
            status = link_name(object, s, n, source, i);
            s += n + strspn(s + n, " ");
        }
        if (status != ST_OK) return status;
    }
    return ST_OK;
}
