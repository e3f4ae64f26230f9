// What a reset puts back after meshes have changed: the lists of meshes and states, and every value that is declared
// with `.mesh` (settee/plugin/change.h), as they were before the first change.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SCENE_SNAPSHOT_H
#define SETTEE_SCENE_SNAPSHOT_H

#include "scene/scene.h"

// Keeps them, unless there are kept ones already. False: out of memory.
bool st_snapshot_take(st_scene *scene);
// Puts them back and forgets them; false: out of memory. Components that are gone are left out.
bool st_snapshot_restore(st_scene *scene);
void st_snapshot_free(st_scene *scene);
// How many entries a list had; 0 when it was not kept.
size_t st_snapshot_count(const st_object *object, const void *list);

// The lists of an object that belong to a mesh and are no fields: its class's own table, then its parents'.
typedef struct st_attached_walk {
    const st_class *type;
    size_t at;
} st_attached_walk;
size_t st_attached_bytes(const st_object *object, const st_attached *row); // of one entry
const st_attached *st_attached_next(const st_object *object, st_attached_walk *walk);

#endif
