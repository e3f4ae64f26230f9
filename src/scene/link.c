// Links: the path syntax, component links, data links, and src.
//
// A path is followed from the component's node. Only its first name may be found in an ancestor (climbing), and only
// when the path does not begin with /, . or .. ; there is no backtracking after that.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "scene/element.h"

static bool link_fits(const st_object *object, size_t role) {
    if (role == ST_ROLE_NODE) return st_is_node(object);
    return role == 0 || st_has_role(object, role);
}

static bool same_name(const char *name, const char *begin, size_t length) {
    return name && strlen(name) == length && memcmp(name, begin, length) == 0;
}

// Roles whose look-up on a node without one goes on upwards.
static bool climbs(size_t role) {
    return role == ST_ROLE(state) || role == ST_ROLE(topology) || role == ST_ROLE(loop) || role == ST_ROLE(integrator);
}

// What a path that ends on a node means for the wanted role: its one component of that kind. Of several states a single
// mechanical one is meant.
static st_object *in_node(st_node *node, size_t role) {
    if (role == 0 || role == ST_ROLE_NODE) return &node->object;

    st_members members = st_node_members(node, role);
    if (members.count > 1 && role == ST_ROLE(state)) members = st_node_mechanical(node);

    if (members.count == 1) return members.first;
    return members.count == 0 && climbs(role) ? st_find_slot(node, role) : NULL;
}

// [-k]: the k-th object before the end of the node's list.
static st_object *by_offset(const st_node *node, const char *path) {
    char *end;
    const long long k = strtoll(path + 1, &end, 10);
    if (strcmp(end, "]") != 0 || k >= 0 || k <= -(long long)node->objects.count) return NULL;
    return node->objects.data[node->objects.count - 1 - (size_t)-k];
}

static st_object *link_walk(st_node *node, const char *path) {
    bool climb = path[0] != '/' && path[0] != '.';
    if (path[0] == '/') node = node->object.scene->root;
    st_object *at = &node->object;

    for (const char *s = path; *s;) {
        s += strspn(s, "/");
        const size_t n = strcspn(s, "/");
        if (n == 0) break;
        if (!st_is_node(at)) return NULL; // nothing lies below a component

        // up, here, or the name; only the first name may be that of an ancestor's member
        st_node *here = (st_node *)at;
        if (same_name("..", s, n)) {
            if (!here->parent) return NULL;
            at = &here->parent->object;
        } else if (!same_name(".", s, n)) {
            at = st_node_named(here, s, n);
            for (st_node *up = here->parent; !at && climb && up; up = up->parent) at = st_node_named(up, s, n);
            if (!at) return NULL;
            climb = false;
        }
        s += n;
    }

    return at;
}

st_object *st_resolve(st_object *from, const char *path, size_t role) {
    st_node *node = st_is_node(from) ? (st_node *)from : from->node;
    if (!node) return NULL;

    // [-k], [] or a path
    st_object *found;
    if (path[0] == '[' && strcmp(path, "[]") != 0) found = by_offset(node, path);
    else found = strcmp(path, "[]") == 0 ? &node->object : link_walk(node, path);

    if (!found) return NULL;
    if (st_is_node(found)) return in_node((st_node *)found, role);
    return link_fits(found, role) ? found : NULL;
}

st_object *st_find_path(const st_node *node, const char *path, size_t role) {
    return st_resolve((st_object *)&node->object, path[0] == '@' ? path + 1 : path, role);
}

// ---------------------------------------------------------------------------------------------------
// Component links
// ---------------------------------------------------------------------------------------------------

// Splits @path.field at the last dot after the last slash; a final . or .. belongs to the path.
static const char *field_part(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *tail = slash ? slash + 1 : path;
    if (strcmp(tail, ".") == 0 || strcmp(tail, "..") == 0) return NULL;
    return strrchr(tail, '.');
}

static const char blanks[] = " \t\r\n";

// One attempt at the links of one field.
typedef struct attempt {
    st_object *object;
    const st_field *field;
    bool again; // what is wrong with the text was said the first time
    size_t count, missing;
} attempt;

static st_status put_target(attempt *a, st_object *target) {
    if (a->field->type->list) {
        ST_LIST(st_object *) *list = st_member(a->object, a->field);
        if (!st_list_push(list, target)) return ST_OUT_OF_MEMORY;
    } else if (a->count == 0) {
        *(st_object **)st_member(a->object, a->field) = target;
    } else if (a->count == 1 && !a->again) {
        st_message(a->object, ST_WARNING, "link '%s' takes one component; the first is kept", a->field->name);
    }

    a->count++;
    return ST_OK;
}

static st_status follow_one(attempt *a, const char *path) {
    const bool bare = path[0] != '@', taken = !bare || (a->field->flags & ST_FIELD_BARE_LINK);
    if (bare && !a->again)
        st_message(a->object, taken ? ST_WARNING : ST_ERROR, "link '%s': \"%.120s\" does not begin with @; %s",
                   a->field->name, path, taken ? "it is taken as one" : "it is left out");
    if (!taken) return ST_OK;
    const char *from = bare ? path : path + 1;

    // a component; what reads like @path.field was meant for a data link
    st_object *target = st_resolve(a->object, from, a->field->role);
    if (!target && field_part(from) && !a->again)
        st_message(a->object, ST_ERROR, "link '%s': \"%.120s\" looks like a data field; a component is expected",
                   a->field->name, path);

    if (!target && (a->field->type->list || a->count == 0)) a->missing++;
    return put_target(a, target);
}

// Follows every blank-separated path of the text. Missing targets are kept as NULL, to be tried again.
static st_status link_follow(attempt *a, const char *text) {
    if (a->field->type->list) ((st_any_list *)st_member(a->object, a->field))->count = 0;
    else *(st_object **)st_member(a->object, a->field) = NULL;

    // one path after the other
    st_status status = ST_OK;
    for (const char *s = text + strspn(text, blanks); status == ST_OK && *s; s += strspn(s, blanks)) {
        const size_t n = strcspn(s, blanks);
        char *path = st_string_copy_n(s, n);
        status = path ? follow_one(a, path) : ST_OUT_OF_MEMORY;
        st_free(path);
        s += n;
    }

    return status;
}

static st_status link_all(st_object *object, uint32_t index, const char *text, bool again) {
    st_data *data = &object->data[index];
    attempt a = {.object = object, .field = st_fields(object)[index], .again = again};
    const st_status status = link_follow(&a, text);

    // what was not found is tried again later
    char *pending = a.missing ? st_string_copy(text) : NULL;
    if (status != ST_OK || (a.missing && !pending)) {
        st_message(object, ST_ERROR, "out of memory: the link '%s'", a.field->name);
        return ST_OUT_OF_MEMORY;
    }

    st_free(data->pending);
    data->pending = pending;
    data->set = text[strspn(text, blanks)] != '\0';
    data->counter++;
    return ST_OK;
}

// An empty attribute leaves what the component found for itself.
st_status st_link_component(st_object *object, uint32_t index, const char *text) {
    if (object->scene->creating && !text[strspn(text, blanks)]) return ST_OK;
    return link_all(object, index, text, false);
}

st_status st_link_targets(st_object *object, uint32_t index, st_object *const *targets, size_t count) {
    const st_field *field = st_fields(object)[index];

    // all of them are checked before the first is written
    if (!field->type->list && count > 1) {
        st_message(object, ST_ERROR, "link '%s' takes one component, not %zu", field->name, count);
        return ST_INVALID;
    }

    for (size_t i = 0; i < count; i++) {
        const char *problem = NULL;
        if (!targets[i]) problem = field->type->list ? "is NULL" : NULL;
        else if (targets[i]->scene != object->scene) problem = "belongs to another scene";
        else if (!link_fits(targets[i], field->role)) problem = "is not of the kind that is expected";
        if (!problem) continue;

        st_message(object, ST_ERROR, "link '%s': target %zu %s", field->name, i, problem);
        return ST_INVALID;
    }

    // a list, or one target
    ST_LIST(st_object *) *list = st_member(object, field);
    if (!field->type->list) *(st_object **)st_member(object, field) = count ? targets[0] : NULL;
    else if (!st_list_set_count(list, count, 1)) return ST_OUT_OF_MEMORY;
    else
        for (size_t i = 0; i < count; i++) list->data[i] = targets[i];

    st_data *data = &object->data[index];
    st_free(data->pending);
    data->pending = NULL;
    data->set = count > 0;
    data->counter++;
    return ST_OK;
}

size_t st_update_links(st_object *object, bool warn) {
    size_t broken = 0;
    for (uint32_t i = 0; i < st_field_count(object); i++) {
        st_data *data = &object->data[i];
        if (!data->pending) continue;

        // link_all keeps it again when a target is still missing
        char *text = data->pending;
        data->pending = NULL;
        if (link_all(object, i, text, true) == ST_OK && data->pending) {
            broken++;
            if (warn)
                st_message(object, ST_WARNING, "link update failed for '%s': no suitable component at \"%.120s\"",
                           st_fields(object)[i]->name, text);
        }
        st_free(text);
    }

    return broken;
}

// ---------------------------------------------------------------------------------------------------
// Data links
// ---------------------------------------------------------------------------------------------------

static bool compatible(const st_field *a, const st_field *b) {
    return a->type->scalar != ST_SCALAR_LINK && b->type->scalar != ST_SCALAR_LINK;
}

// From the end, since whoever came last goes first when a scene is taken down.
static void detach(st_object *object, uint32_t index) {
    st_data *data = &object->data[index];
    if (!data->source) return;

    st_data *parent = &data->source->data[data->source_field];
    for (size_t i = parent->children.count; i-- > 0;)
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

static st_status link_attach(st_object *object, uint32_t index, st_object *source, uint32_t source_field) {
    const struct st_data_child child = {object, index};

    // a circle of links has no value
    if (st_flow_reaches(object, index, source, source_field)) {
        st_message(object, ST_ERROR, "data field '%s' would depend on itself through '%s' of %s; the link is left out",
                   st_fields(object)[index]->name, st_fields(source)[source_field]->name,
                   source == object ? "the same component"
                   : source->name   ? source->name
                                    : "a component without name");
        return ST_INVALID;
    }

    // from the former source to the new one
    detach(object, index);
    if (!st_list_push(&source->data[source_field].children, child)) {
        st_message(object, ST_ERROR, "out of memory: the link of '%s'", st_fields(object)[index]->name);
        return ST_OUT_OF_MEMORY;
    }

    object->data[index].source = source;
    object->data[index].source_field = source_field;
    mark_linked(object, index);
    return ST_OK;
}

// The component that the part of @path.field before the dot leads to; NULL: none.
static st_object *source_of(st_object *object, const char *text, const char *dot) {
    char *path = st_string_copy_n(text + 1, (size_t)(dot - text - 1));
    if (!path) return NULL;

    const bool self = path[0] == '\0' || strcmp(path, "[]") == 0;
    st_object *source = self ? object : st_resolve(object, path, 0);

    st_free(path);
    return source;
}

// SOFA keeps a link to what comes later in silence, and never delivers its value; here a warning says so.
static st_status broken_link(st_object *object, uint32_t index, const char *text, const st_object *source) {
    object->data[index].set = true;
    st_message(
        object, ST_WARNING, "data link %s=\"%.120s\": %s; the default stays", st_fields(object)[index]->name, text,
        source ? "the component there has no such field" : "there is no such component before this one in the scene");
    return ST_INVALID;
}

st_status st_link_data(st_object *object, uint32_t index, const char *text) {
    const st_field *field = st_fields(object)[index];
    const char *dot = field_part(text + 1);
    if (!dot || !dot[1]) {
        st_message(object, ST_WARNING,
                   "could not set up the data link %s=\"%.120s\": it names no field (@path.field is expected)",
                   field->name, text);
        return ST_INVALID;
    }

    // where it comes from
    st_object *source = source_of(object, text, dot);
    const int found = source ? st_field_by_name(source, dot + 1) : -1;
    if (found < 0) return broken_link(object, index, text, source);

    // and whether it can be read from there
    const st_field *source_field = st_fields(source)[found];
    if (!compatible(field, source_field)) {
        st_message(object, ST_ERROR, "could not set up the data link %s=\"%.120s\": %s cannot be made from %s",
                   field->name, text, field->type->name, source_field->type->name);
        return ST_INVALID;
    }

    return link_attach(object, index, source, (uint32_t)found);
}

st_status st_link_index(st_object *object, uint32_t index, st_object *source, uint32_t source_field) {
    const st_field *field = st_fields(object)[index], *from = st_fields(source)[source_field];
    if (compatible(field, from)) return link_attach(object, index, source, source_field);

    st_message(object, ST_ERROR, "'%s' cannot follow '%s': %s cannot be made from %s", field->name, from->name,
               field->type->name, from->type->name);
    return ST_INVALID;
}

st_status st_link_field(st_object *object, const void *member, st_object *source, const char *source_field) {
    const int index = st_field_of_member(object, member), from = st_field_by_name(source, source_field);

    if (index < 0 || from < 0) return ST_NOT_FOUND;
    return link_attach(object, (uint32_t)index, source, (uint32_t)from);
}

void st_unlink_field(st_object *object, const void *member) {
    const int index = st_field_of_member(object, member);
    if (index < 0) return;

    detach(object, (uint32_t)index);
    object->data[index].dirty = false;
}

void st_unlink_object(st_object *object) {
    for (uint32_t i = 0; i < st_field_count(object); i++) {
        detach(object, i);

        // what follows it keeps its last value, without a source
        st_data *data = &object->data[i];
        for (size_t k = 0; k < data->children.count; k++)
            data->children.data[k].object->data[data->children.data[k].field].source = NULL;
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
            st_object *found = st_node_named(node, s, n);
            if (!found) return NULL;
            if (!st_is_node(found)) return *next ? NULL : found;
            node = (st_node *)found;
        }

        s = next;
    }

    // a path that ends on a node means its first component
    return node && node->objects.count ? node->objects.data[0] : NULL;
}

static bool is_left_out(const st_field *field, unsigned flags) {
    return (field->flags & (flags | ST_FIELD_SHORTHAND | ST_FIELD_REMOVED)) != 0;
}

// Does the element have an attribute for the field, under whatever name? What is written there wins.
static bool is_given(const st_object *object, const st_field *field) {
    const st_xml_element *element = object->scene->creating;
    for (size_t i = 0; element && i < element->attrs.count; i++) {
        const char *name = element->attrs.data[i].name;
        if (strcmp(name, field->name) == 0 || st_has_word(field->aliases, name)) return true;
    }
    return false;
}

// Links the own field of that name. An alias never takes the place of a link by name.
static st_status link_name(st_object *object, const char *name, st_object *source, uint32_t source_field) {
    if (strcmp(name, "type") == 0 || strcmp(name, "filename") == 0) return ST_OK;

    const int own = st_field_by_name(object, name);
    const st_field *field = own < 0 ? NULL : st_fields(object)[own];
    if (!field || is_left_out(field, 0) || is_given(object, field) || object->data[own].source == source) return ST_OK;

    if (!compatible(field, st_fields(source)[source_field])) return ST_OK;
    const st_status status = link_attach(object, (uint32_t)own, source, source_field);
    return status == ST_OUT_OF_MEMORY ? status : ST_OK;
}

static st_status link_aliases(st_object *object, st_object *source, uint32_t source_field) {
    st_status status = ST_OK;

    for (const char *s = st_fields(source)[source_field]->aliases; status == ST_OK && s && *s;) {
        const size_t n = strcspn(s, " ");
        char *alias = st_string_copy_n(s, n);
        status = alias ? link_name(object, alias, source, source_field) : ST_OUT_OF_MEMORY;
        st_free(alias);
        s += n + strspn(s + n, " ");
    }

    return status;
}

static st_status link_fields(st_object *object, st_object *source, bool by_alias) {
    st_status status = ST_OK;

    for (uint32_t i = 0; status == ST_OK && i < st_field_count(source); i++) {
        const st_field *field = st_fields(source)[i];
        if (is_left_out(field, ST_FIELD_NO_SRC)) continue;
        status = by_alias ? link_aliases(object, source, i) : link_name(object, field->name, source, i);
    }

    return status;
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

    // the component
    st_object *source = text[1] == '[' ? st_resolve(object, text + 1, 0) : context_path(object->node, text + 1);
    if (!source || source == object) {
        st_message(object, ST_ERROR,
                   "src=\"%.120s\": there is no such component (src does not look in parent nodes: write @../name)",
                   text);
        return ST_OK;
    }

    // its fields by name, then by their aliases
    const st_status status = link_fields(object, source, false);
    return status == ST_OK ? link_fields(object, source, true) : status;
}
