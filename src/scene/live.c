// Live fields: those that a step's begin or end must look at. A field is live when it follows another one through a
// link, when its component wants to know about changes (ST_FIELD_TRACKED and a `changed` hook), or when steps write it
// (ST_FIELD_STEPPED) and others follow it.
//
// They are kept in a flat list, in the order of the scene, which is made again when the structure of the scene or a link
// changes. A second list holds those that steps write, for the end of a step (state/state_links.c).
//
// SPDX-License-Identifier: Apache-2.0
#include "scene/scene.h"

static bool collect_object(st_scene *scene, st_object *object) {
    bool ok = true;
    if (st_is_passing(object) || st_is_passing(&object->node->object)) return true; // contacts follow nothing

    for (uint32_t i = 0; ok && i < st_field_count(object); i++) {
        const st_field *field = st_fields(object)[i];
        st_data *data = &object->data[i];
        const bool tracked = object->type->changed && (field->flags & ST_FIELD_TRACKED);
        const bool stepped = (field->flags & ST_FIELD_STEPPED) != 0;
        if (!tracked && !data->source && !(stepped && data->children.count)) continue;

        const bool integrated = object->type->state && st_find_slot(object->node, ST_ROLE(integrator));
        const st_live_field live = {object, i, .integrated = integrated, .tracked = tracked};
        ok = st_list_push(&scene->live, live) && (!stepped || st_list_push(&scene->moving, live));
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

    scene->live.count = scene->moving.count = 0;
    st_visit(scene->root, collect_live, scene);
    scene->live_structure = st_lasting_structure(scene);
}

// Nothing to pull, nothing to report: most fields in most steps.
static bool is_quiet(const st_live_field *live) {
    const st_data *data = st_live_data(live);
    return !(data->dirty && data->source) && !(live->tracked && data->seen != data->counter);
}

static bool is_changed(const st_live_field *live) {
    st_data *data = st_live_data(live);
    if (!live->tracked || data->seen == data->counter) return false;
    data->seen = data->counter;
    return true;
}

// The fields of one component: first all links, then what has changed. A pull may write others of its fields.
static void update_component(st_object *object, const st_live_field *fields, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const st_data *data = st_live_data(&fields[i]);
        if (data->dirty && data->source) st_pull_index(object, fields[i].index);
    }

    bool changed = false;
    for (size_t i = 0; i < count; i++) changed = is_changed(&fields[i]) || changed;
    if (changed && st_is_valid(object)) object->type->changed(object);
}

void st_update_internal(st_scene *scene) {
    st_find_live(scene);

    for (size_t i = 0; i < scene->live.count; i++) {
        if (is_quiet(&scene->live.data[i])) continue;

        // all fields of the component, those before this one, too
        st_object *object = scene->live.data[i].object;
        size_t begin = i, end = i + 1;
        while (begin > 0 && scene->live.data[begin - 1].object == object) begin--;
        while (end < scene->live.count && scene->live.data[end].object == object) end++;
        update_component(object, scene->live.data + begin, end - begin);
        i = end - 1;
    }
}

void st_forget_changes(st_object *object) {
    for (size_t i = 0; i < st_field_count(object); i++) object->data[i].seen = object->data[i].counter;
}
