// The classes that a scene knows: the built-in ones, and those that its plug-ins bring.
//
// A class is written with what is its own; the registry keeps a copy in which everything inherited is written out: the
// fields of its parents before its own, and each hook and role that it leaves open. Objects point at that copy.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "scene/scene.h"

// Hooks and roles are a run of pointers in the class; an open one is taken from the parent.
static void inherit_slots(st_class *copy, const st_class *parent) {
    const size_t first = offsetof(st_class, accepts), end = sizeof(st_class);
    for (size_t at = first; at < end; at += sizeof(void *)) {
        void **slot = (void **)((char *)copy + at);
        if (!*slot) *slot = *(void *const *)((const char *)parent + at);
    }

    // what is not a hook or a role
    if (!copy->default_template && !copy->templates) copy->default_template = parent->default_template;
    if (!copy->templates) copy->templates = parent->templates;
    if (!copy->example) copy->example = parent->example;
    if (copy->size < parent->size) copy->size = parent->size;
    copy->flags |= parent->flags & ~(unsigned)ST_CLASS_ABSTRACT;
}

static size_t own_fields(const st_class *type) {
    size_t count = 0;
    while (type->fields && type->fields[count].name) count++;
    return count;
}

// The parents' fields first. A field that a class declares again takes the place of its parent's.
static size_t collect_fields(const st_class *type, const st_field **fields) {
    const size_t inherited = type->parent ? collect_fields(type->parent, fields) : 0, own = own_fields(type);
    size_t count = inherited;

    for (size_t i = 0; i < own; i++) {
        size_t at = 0;
        while (at < inherited && strcmp(fields[at]->name, type->fields[i].name) != 0) at++;
        fields[at < inherited ? at : count++] = &type->fields[i];
    }

    return count;
}

static st_resolved_class *resolve(const st_class *type) {
    size_t most = 0;

    // fields that are declared again are counted twice here: more room than needed
    for (const st_class *c = type; c; c = c->parent) most += own_fields(c);

    st_resolved_class *copy = st_alloc(1, sizeof *copy);
    const st_field **fields = st_alloc(most + 1, sizeof *fields);
    if (!copy || !fields) {
        st_free(copy);
        st_free(fields);
        return NULL;
    }

    // own slots first, then the nearest parent that has one
    copy->type = *type;
    copy->origin = type;
    copy->fields = fields;
    copy->field_count = collect_fields(type, fields);
    for (const st_class *c = type->parent; c; c = c->parent) inherit_slots(&copy->type, c);
    if (!copy->type.resolve || copy->type.resolve(&copy->type)) return copy;

    st_free(fields);
    st_free(copy);
    return NULL;
}

static void registry_destroy(st_resolved_class *copy) {
    st_free(copy->fields);
    st_free(copy->bridge);
    st_free(copy);
}

static st_status taken(st_scene *scene, const char *name) {
    st_scene_message(scene, ST_ERROR, "registry", NULL, 0, "a class called %s is registered already", name);
    return ST_INVALID;
}

static st_status put_alias(st_scene *scene, const char *begin, size_t length, st_resolved_class *copy) {
    char *name = st_string_copy_n(begin, length);
    st_status status = ST_OUT_OF_MEMORY;

    // two classes must not have the same name
    if (name && st_map_has(&scene->classes, name)) status = taken(scene, name);
    else if (name && st_map_put(&scene->classes, name, copy)) status = ST_OK;

    st_free(name);
    return status;
}

static st_status put_aliases(st_scene *scene, const char *aliases, st_resolved_class *copy) {
    st_status status = ST_OK;
    for (const char *at = aliases; status == ST_OK && at && *at;) {
        const size_t length = strcspn(at, " ");
        status = put_alias(scene, at, length, copy);
        at += length + strspn(at + length, " ");
    }

    return status;
}

st_status st_register_class(st_scene *scene, const st_class *type) {
    if (st_map_has(&scene->classes, type->name)) return taken(scene, type->name);

    st_resolved_class *copy = resolve(type);
    if (!copy) return ST_OUT_OF_MEMORY;

    // the registry owns the copy from here on
    if (!st_list_push(&scene->resolved, copy)) {
        registry_destroy(copy);
        return ST_OUT_OF_MEMORY;
    }

    if (!st_map_put(&scene->classes, type->name, copy)) return ST_OUT_OF_MEMORY;
    return put_aliases(scene, type->aliases, copy);
}

void st_registry_destroy(st_scene *scene) {
    for (size_t i = 0; i < scene->resolved.count; i++) registry_destroy(scene->resolved.data[i]);
    st_list_free(&scene->resolved);
    st_map_free(&scene->classes);
}

const st_class *st_registry_find(const st_scene *scene, const char *name) { return st_map_get(&scene->classes, name); }

bool st_is_a(const st_object *object, const st_class *type) {
    for (const st_class *c = object ? st_resolved(object->type)->origin : NULL; c; c = c->parent)
        if (c == type) return true;
    return false;
}
