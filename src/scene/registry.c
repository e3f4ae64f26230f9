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
    const size_t first = offsetof(st_class, accepts), end = offsetof(st_class, origin);
    for (size_t at = first; at < end; at += sizeof(void *)) {
        void **slot = (void **)((char *)copy + at);
        if (!*slot) *slot = *(void *const *)((const char *)parent + at);
    }
    if (!copy->templates) copy->templates = parent->templates;
    if (!copy->default_template) copy->default_template = parent->default_template;
    if (!copy->example) copy->example = parent->example;
    if (!copy->size) copy->size = parent->size;
    copy->flags |= parent->flags & ~(unsigned)ST_CLASS_ABSTRACT;
}

static size_t own_fields(const st_class *type) {
    size_t count = 0;
    while (type->fields && type->fields[count].name) count++;
    return count;
}

static st_class *resolve(const st_class *type) {
    size_t count = 0;
    for (const st_class *c = type; c; c = c->parent) count += own_fields(c);
    st_class *copy = st_alloc(1, sizeof *copy);
    const st_field **fields = st_alloc(count + 1, sizeof *fields);
    if (!copy || !fields) {
        st_free(copy);
        st_free(fields);
        return NULL;
    }
    *copy = *type;
    copy->origin = type;
    copy->all_fields = fields;
    copy->field_count = count;
    size_t end = count;
    for (const st_class *c = type; c; c = c->parent) {
        const size_t own = own_fields(c);
        end -= own;
        for (size_t i = 0; i < own; i++) fields[end + i] = &c->fields[i];
        if (c != type) inherit_slots(copy, c);
    }
    return copy;
}

static bool put_alias(st_scene *scene, const char *begin, size_t length, st_class *copy) {
    char *name = st_string_copy_n(begin, length);
    const bool ok = name && st_map_put(&scene->classes, name, copy);
    st_free(name);
    return ok;
}

st_status st_register_class(st_scene *scene, const st_class *type) {
    if (st_map_get(&scene->classes, type->name)) {
        st_scene_message(scene, ST_ERROR, "registry", NULL, 0, "a class called %s is registered already", type->name);
        return ST_INVALID;
    }
    st_class *copy = resolve(type);
    if (!copy || !st_list_push(&scene->resolved, copy) || !st_map_put(&scene->classes, type->name, copy)) return ST_OUT_OF_MEMORY;
    for (const char *at = type->aliases; at && *at;) {
        const size_t length = strcspn(at, " ");
        if (!put_alias(scene, at, length, copy)) return ST_OUT_OF_MEMORY;
        at += length + strspn(at + length, " ");
    }
    return ST_OK;
}

st_status st_registry_create(st_scene *scene) {
    st_status status = ST_OK;
    for (const st_class *const *type = st_builtin_classes; status == ST_OK && *type; type++) status = st_register_class(scene, *type);
    for (const st_class *type = st_inert_classes; status == ST_OK && type->name; type++) status = st_register_class(scene, type);
    return status;
}

void st_registry_destroy(st_scene *scene) {
    for (size_t i = 0; i < scene->resolved.count; i++) {
        st_free((void *)scene->resolved.data[i]->all_fields);
        st_free(scene->resolved.data[i]);
    }
    st_list_free(&scene->resolved);
    st_map_free(&scene->classes);
}

const st_class *st_registry_find(const st_scene *scene, const char *name) { return st_map_get(&scene->classes, name); }

bool st_is_a(const st_object *object, const st_class *type) {
    for (const st_class *c = object ? object->type->origin : NULL; c; c = c->parent)
        if (c == type) return true;
    return false;
}
