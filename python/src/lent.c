// Writable arrays that Python code may hold. See lent.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "lent.h"

#include <stdlib.h>
#include <string.h>

typedef struct lent_array {
    PyObject *weak; // reference to the ndarray
    st_object *object;
    const char *field; // of its table
    const void *data;
    size_t count, width;
    uint64_t sum;
    bool detached; // the field has other memory
    struct lent_array *next;
} lent_array;

// Four running sums, so that one does not wait for the other.
static uint64_t sum_of(const lent_array *a) {
    const uint64_t factor = 0x9e3779b97f4a7c15u;
    uint64_t sums[4] = {1, 2, 3, 4}, word = 0;
    const size_t bytes = a->count * a->width * sizeof(st_real), words = bytes / sizeof word;
    const char *at = a->data;

    for (size_t i = 0; i < words; i++) {
        memcpy(&word, at + i * sizeof word, sizeof word);
        sums[i % 4] = (sums[i % 4] ^ word) * factor;
    }
    word = 0;
    memcpy(&word, at + words * sizeof word, bytes % sizeof word);
    return (((sums[0] * factor + sums[1]) * factor + sums[2]) * factor + sums[3]) * factor + word;
}

bool lent_add(scene_object *scene, st_object *object, const char *field, PyObject *array) {
    st_array memory;
    if (st_object_array(object, field, &memory) != ST_OK || memory.count == 0) return true;

    lent_array *entry = calloc(1, sizeof *entry);
    PyObject *weak = entry ? PyWeakref_NewRef(array, NULL) : PyErr_NoMemory();
    if (!weak) {
        free(entry);
        return false;
    }

    // its sum is that of what it shows now
    *entry = (lent_array){.weak = weak,
                          .object = object,
                          .field = field,
                          .data = memory.data,
                          .count = memory.count,
                          .width = memory.width,
                          .next = scene->arrays};
    entry->sum = sum_of(entry);
    scene->arrays = entry;
    return true;
}

static bool is_held(const lent_array *entry) { return PyWeakref_GetObject(entry->weak) != Py_None; }

static bool is_attached(const lent_array *entry) {
    st_array memory;
    return !entry->detached && st_object_array(entry->object, entry->field, &memory) == ST_OK &&
           memory.data == entry->data && memory.count == entry->count;
}

static void forget(lent_array **at) {
    lent_array *entry = *at;
    *at = entry->next;
    Py_DECREF(entry->weak);
    free(entry);
}

bool lent_take_up(scene_object *scene) {
    bool ok = true;
    for (lent_array **at = &scene->arrays; ok && *at;) {
        lent_array *entry = *at;
        if (!is_held(entry)) {
            forget(at);
            continue;
        }

        // the memory is there as long as somebody holds the array
        const uint64_t sum = sum_of(entry);
        const bool changed = sum != entry->sum;
        entry->sum = sum;

        if (is_attached(entry)) {
            if (changed) st_object_touch(entry->object, entry->field);
        } else if (!entry->detached) entry->detached = true;
        else if (changed)
            ok = PyErr_WarnFormat(PyExc_RuntimeWarning, 1,
                                  "an array of %s.%s was written, but the field has other memory now: read it again",
                                  st_object_class_name(entry->object), entry->field) == 0;
        at = &entry->next;
    }
    return ok;
}

void lent_remember(scene_object *scene) {
    for (lent_array *a = scene->arrays; a; a = a->next) {
        if (!is_held(a)) continue;
        a->detached = !is_attached(a);
        a->sum = sum_of(a);
    }
}

// A field that waits to be brought up to date is left alone: it is computed when it is read.
static bool is_dirty(const lent_array *entry) {
    st_field_state state;
    return st_object_field_state(entry->object, entry->field, &state) == ST_OK && state.dirty;
}

void lent_notice(scene_object *scene) {
    for (lent_array *a = scene->arrays; a; a = a->next) {
        if (!is_held(a) || a->detached || is_dirty(a) || is_attached(a)) continue;
        a->detached = true;
        a->sum = sum_of(a);
    }
}

void lent_clear(scene_object *scene) {
    while (scene->arrays) forget(&scene->arrays);
}
