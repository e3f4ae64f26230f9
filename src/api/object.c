// Components and their fields, as programs see them.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "api/classes.h"
#include "api/scene.h"
#include "scene/field_text.h"

// ---------------------------------------------------------------------------------------------------
// Components
// ---------------------------------------------------------------------------------------------------

static bool list_all(st_scene *scene, const st_node *node) {
    bool ok = true;
    for (size_t i = 0; ok && i < node->objects.count; i++) ok = st_list_push(&scene->all, node->objects.data[i]);
    for (size_t i = 0; ok && i < node->children.count; i++) ok = list_all(scene, node->children.data[i]);
    return ok;
}

st_object *st_scene_object(st_scene *scene, size_t index) {
    if (!scene || !scene->root) return NULL;

    // the list of all components belongs to one structure of the scene
    if (scene->all_structure != scene->structure) {
        scene->all.count = 0;
        if (!list_all(scene, scene->root)) return NULL;
        scene->all_structure = scene->structure;
    }

    return index < scene->all.count ? scene->all.data[index] : NULL;
}

st_object *st_scene_find(st_scene *scene, const char *path) {
    if (!scene || !scene->root || !path) return NULL;
    return st_resolve(&scene->root->object, path[0] == '@' ? path + 1 : path, 0);
}

const char *st_object_name(const st_object *object) { return object && object->name ? object->name : ""; }
const char *st_object_path(const st_object *object) { return object ? st_path(object) : ""; }
const char *st_object_class_name(const st_object *object) { return object ? object->type->name : ""; }
const char *st_object_template(const st_object *object) { return object && object->template_ ? object->template_ : ""; }
const char *st_object_kind(const st_object *object) {
    return object ? st_class_kind(st_resolved(object->type)->origin) : "";
}
st_scene *st_object_scene(const st_object *object) { return object ? object->scene : NULL; }
bool st_object_is_inert(const st_object *object) { return object && (object->type->flags & ST_CLASS_INERT) != 0; }
bool st_object_is_valid(const st_object *object) { return object && st_is_valid(object); }

bool st_object_is_initialized(const st_object *object) {
    return object && object->scene->initialized && !object->record->waiting && object->validity != ST_UNDEFINED;
}

st_node *st_object_node(const st_object *object) { return object && !object->record->removed ? object->node : NULL; }

const char *st_object_file(const st_object *object, int *line) {
    if (line) *line = object ? object->line : 0;
    return object ? object->file : NULL;
}

// ---------------------------------------------------------------------------------------------------
// Fields
// ---------------------------------------------------------------------------------------------------

static bool write_links(const st_object *object, const st_field *field, st_text *out) {
    st_object *const *targets = st_member(object, field);
    size_t count = *targets != NULL;
    if (field->type->list) {
        const ST_LIST(st_object *) *list = st_member(object, field);
        targets = list->data;
        count = list->count;
    }

    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = !targets[i] || st_text_appendf(out, "%s@%s", i ? " " : "", st_path(targets[i]));
    return ok;
}

char *st_object_get(st_object *object, const char *name, int digits) {
    if (!object || !name) return NULL;
    const int index = st_field_by_name(object, name);
    if (index < 0) return NULL;

    const st_field *field = st_fields(object)[index];
    st_pull_index(object, (uint32_t)index);

    // links as @path, anything else as its type writes it
    st_text out = {0};
    const bool ok = field->type->syntax == ST_SYNTAX_LINK
                        ? write_links(object, field, &out)
                        : st_field_write(field->type, st_field_width(object, field->type), field->options,
                                         st_member(object, field), digits, &out);

    // nothing written is an empty text, not a failure
    if (ok && out.data) return out.data;
    st_text_free(&out);
    return ok ? st_string_copy("") : NULL;
}

// The root keeps its last good time step.
st_status st_refuse_bad_dt(st_object *object) {
    st_scene *scene = object->scene;
    if (!scene->initialized || object != &scene->root->object) return ST_OK;
    if (isfinite(scene->root->dt) && scene->root->dt > 0) {
        scene->good_dt = scene->root->dt;
        return ST_OK;
    }

    st_message(object, ST_ERROR, "dt = %g is refused: a step must be a positive, finite time; %g stays",
               (double)scene->root->dt, (double)scene->good_dt);
    scene->root->dt = scene->good_dt;
    return ST_INVALID;
}

// A value that could be read in part is set, and ST_INVALID says so.
st_status st_object_set(st_object *object, const char *name, const char *text) {
    if (!object || !name || !text) return object ? ST_INVALID : ST_NOT_FOUND;
    if (!st_scene_enter(object->scene)) return ST_BUSY;

    // every field of the name, which may be the alias of several
    st_status status = ST_OK;
    bool known = false;
    for (uint32_t i = 0; i < st_field_count(object); i++) {
        const st_field *field = st_fields(object)[i];
        if (strcmp(field->name, name) != 0 && !st_has_word(field->aliases, name)) continue;
        known = true;
        if (!st_field_may_be_set(object, i)) status = ST_INVALID;
    }

    if (!known) {
        st_message(object, ST_ERROR, "there is no field called '%.120s'", name);
        status = ST_NOT_FOUND;
    } else if (status == ST_OK) {
        status = st_object_apply(object, name, text);
        if (status == ST_OK) status = st_refuse_bad_dt(object);
        for (uint32_t i = 0; i < st_field_count(object); i++)
            if (strcmp(st_fields(object)[i]->name, name) == 0 || st_has_word(st_fields(object)[i]->aliases, name))
                st_field_stored(object, i);
        if (st_is_node(object) && strcmp(name, "activated") == 0) st_init_activated(object->scene);
    }

    st_scene_leave(object->scene);
    return status;
}

void st_string_free(char *text) { st_free(text); }

// Components whose `init` may run again on an object that was initialized before, as it does when a mesh changes.
static bool can_init_again(const st_class *type) {
    return type->force || type->mass || type->mapping || type->projection || type->law || type->correction ||
           type->collision_model;
}

// The class's own way, or its init again. What it gives to matrices may have other places then.
static st_status reinit(st_object *object) {
    const st_class *type = object->type;
    st_status status = ST_OK;

    if (type->reinit) status = type->reinit(object);
    else if (can_init_again(type)) {
        if (type->init) status = type->init(object);
        if (status == ST_OK && type->bwd_init) status = type->bwd_init(object);
        if (status != ST_OK) object->validity = ST_BROKEN;
        object->scene->structure++;
    }

    st_forget_changes(object);
    return status;
}

st_status st_object_reinit(st_object *object) {
    if (!object) return ST_NOT_FOUND;
    if (!st_scene_enter(object->scene)) return ST_BUSY;

    st_pull(object);
    const bool runs = st_is_valid(object) && !object->record->waiting && object->validity == ST_VALID;
    const st_status status = runs ? reinit(object) : ST_OK;
    st_scene_leave(object->scene);
    return status;
}

const st_real *st_object_reals(st_object *object, const char *name, size_t *count, size_t *width) {
    return object && name && count && width ? st_field_reals(object, name, count, width) : NULL;
}
