// --set PATH.FIELD=VALUE: an attribute of the scene is given another value after loading, before initialization.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "session.h"

bool st_cli_split_set(const char *text, st_cli_set *set) {
    // the value may hold anything; the field is what is between the last point and the first =
    const char *equal = strchr(text, '=');
    const char *point = equal;
    while (point && point > text && *point != '.') point--;

    if (!equal || point == text || point + 1 == equal || text[0] != '/' || (size_t)(point - text) >= sizeof set->path ||
        (size_t)(equal - point) > sizeof set->field) {
        st_cli_error("--set: '%.200s' is not PATH.FIELD=VALUE, such as /Liver/FEM.youngModulus=5000", text);
        return false;
    }

    snprintf(set->path, sizeof set->path, "%.*s", (int)(point - text), text);
    snprintf(set->field, sizeof set->field, "%.*s", (int)(equal - point) - 1, point + 1);
    set->value = equal + 1;
    return true;
}

static st_object *find(st_scene *scene, const char *path) {
    st_object *object = st_scene_find(scene, path);
    if (object) return object;
    st_node *node = st_scene_find_node(scene, path);
    return node ? st_node_as_object(node) : NULL;
}

bool st_cli_apply_sets(st_scene *scene, const st_cli_words *words) {
    for (size_t i = 0; i < words->count; i++) {
        st_cli_set set;
        if (!st_cli_split_set(words->data[i], &set)) return false;

        st_object *object = find(scene, set.path);
        if (!object) {
            st_cli_error("--set: there is no '%s' in the scene", set.path);
            return false;
        }
        if (st_object_field_index(object, set.field) < 0) {
            st_cli_error("--set: %s, a %s, has no attribute '%s'", set.path, st_object_class_name(object), set.field);
            return false;
        }
        // why has been explained by a message
        if (!st_succeeded(st_object_set(object, set.field, set.value))) {
            st_cli_error("--set: %s.%s cannot be '%.200s'", set.path, set.field, set.value);
            return false;
        }
    }
    return true;
}
