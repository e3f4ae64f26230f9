// What becomes of a scene that was made for SOFA: for `settee check`.
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/migration.h"

#include "base/array.h"
#include "scene/element.h"
#include "scene/scene.h"

const char *st_fate_name(st_fate fate) {
    static const char *const names[] = {"as in SOFA", "without effect here", "other than SOFA", "invalid, does nothing",
                                        "missing"};
    return names[fate];
}

typedef ST_LIST(st_difference) differences;

static void keep_difference(void *user, const st_difference *difference) {
    differences *list = user;
    if (!st_list_push(list, *difference))
        st_message(difference->object, ST_WARNING, "out of memory: not reported: in SOFA %s", difference->what);
}

static const char *find_difference(const differences *list, const st_object *object) {
    for (size_t i = 0; i < list->count; i++)
        if (list->data[i].object == object) return list->data[i].what;
    return NULL;
}

// Why a component is not there.
static const char *why_missing(const st_scene *scene, const char *name) {
    const char *now = NULL, *text = NULL;
    if (st_registry_find(scene, name)) return "it does not fit where it is";
    st_name_lookup(name, &now, &text);
    if (text) return text;
    return st_is_core_name(name) ? "SOFA has it, settee does not" : "neither SOFA's core nor settee knows it";
}

static st_migration find_fate(st_scene *scene, st_object *object, const differences *list) {
    const char *missing = object->record->missing;
    st_migration m = {.object = object, .component = missing ? missing : object->type->name, .why = ""};
    const char *different = find_difference(list, object);

    // from the gravest on
    if (missing) {
        m.fate = ST_FATE_MISSING;
        m.why = why_missing(scene, missing);
    } else if (!st_is_valid(object)) {
        m.fate = ST_FATE_INVALID;
        m.why = "see the messages";
    } else if (different) {
        m.fate = ST_FATE_DIFFERENT;
        m.why = different;
    } else if (object->type->flags & ST_CLASS_INERT) {
        m.fate = ST_FATE_NO_EFFECT;
    }
    return m;
}

void st_scene_migration(st_scene *scene, void (*report)(void *user, const st_migration *), void *user) {
    differences list = {0};
    st_object *object;
    st_scene_differences(scene, keep_difference, &list);

    for (size_t i = 0; (object = st_scene_object(scene, i)); i++) {
        if (st_is_passing(object) || st_is_passing(&object->node->object)) continue; // contacts come and go
        const st_migration m = find_fate(scene, object, &list);
        report(user, &m);
    }
    st_list_free(&list);
}
