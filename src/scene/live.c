// Live fields: those that a step's begin or end must look at. A field is live when it follows another one through a
// link, when its component wants to know about changes (ST_FIELD_TRACKED and a `changed` hook), or when steps write it
// (ST_FIELD_STEPPED) and others follow it.
//
// They are kept in a flat list, in the order of the scene, which is made again when the structure of the scene or a link
// changes.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene/scene.h"

static bool is_live(const st_object *object, size_t index) {
    const st_field *field = st_fields(object)[index];
    const st_data *data = &object->data[index];
    const bool tracked = object->type->changed && (field->flags & ST_FIELD_TRACKED);
    return tracked || data->source || ((field->flags & ST_FIELD_STEPPED) && data->children.count);
}

static bool collect_object(st_scene *scene, st_object *object) {
    bool ok = true;
    if (st_is_passing(object) || st_is_passing(&object->node->object)) return true; // contacts follow nothing
    for (uint32_t i = 0; ok && i < st_field_count(object); i++) {
        if (!is_live(object, i)) continue;
        const bool integrated = object->type->state && st_find_slot(object->node, ST_ROLE(integrator));
        const st_live_field live = {.object = object, .index = i, .integrated = integrated};
        ok = st_list_push(&scene->live, live);
    }

    return ok;
}

static bool collect_live(st_node *node, void *context) {
    st_scene *scene = context;
    bool ok = collect_object(scene, &node->object);
    for (size_t i = 0; ok && i < node->objects.count; i++) ok = collect_object(scene, node->objects.data[i]);
    if (!ok) st_message(&node->object, ST_ERROR, "out of memory: links below are not followed");
    return ok;
}

void st_find_live(st_scene *scene) {
    if (scene->live_structure == st_lasting_structure(scene)) return;

    scene->live.count = 0;
    st_visit(scene->root, collect_live, scene);
    scene->live_structure = st_lasting_structure(scene);
}

static bool is_changed(const st_live_field *live) {
    const st_object *object = live->object;
    st_data *data = &object->data[live->index];
    if (!(st_fields(object)[live->index]->flags & ST_FIELD_TRACKED) || data->seen == data->counter) return false;
    data->seen = data->counter;
    return true;
}

void st_update_internal(st_scene *scene) {
    st_find_live(scene);
    size_t end = 0;

    for (size_t begin = 0; begin < scene->live.count; begin = end) {
        st_object *object = scene->live.data[begin].object;

        // the fields of one component: first all links, then what has changed
        for (end = begin; end < scene->live.count && scene->live.data[end].object == object; end++) {
            const uint32_t index = scene->live.data[end].index;
            if (object->data[index].dirty && object->data[index].source) st_pull_index(object, index);
        }

        bool changed = false;
        for (size_t i = begin; object->type->changed && i < end; i++)
            changed = is_changed(&scene->live.data[i]) || changed;
        if (changed && st_is_valid(object)) object->type->changed(object);
    }
}

void st_forget_changes(st_object *object) {
    for (size_t i = 0; i < st_field_count(object); i++) object->data[i].seen = object->data[i].counter;
}
