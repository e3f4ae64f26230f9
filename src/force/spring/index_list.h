// Lists of DOFs that a force works on: those that the scene gives, or all.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_SPRING_INDEX_LIST_H
#define SETTEE_FORCE_SPRING_INDEX_LIST_H

#include "base/array.h"
#include "settee/plugin/change.h"

// Fills the list with the given indices, a declared list of the object, or with 0 ... all - 1 when none is given. False
// when out of memory.
static inline bool st_indices_or_all(st_uints *list, const st_object *object, const st_uints *given, size_t all) {
    const size_t count = given->count || st_became_empty(object, given) ? given->count : all;
    if (!st_list_set_count(list, count, 1)) return false;
    for (size_t i = 0; i < count; i++) list->data[i] = given->count ? given->data[i] : (uint32_t)i;
    return true;
}

static inline bool st_indices_below(const st_uints *list, size_t size) {
    for (size_t i = 0; i < list->count; i++)
        if (list->data[i] >= size) return false;
    return true;
}

#endif
