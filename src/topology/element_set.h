// A set of mesh elements that are the same when their vertices are: edges, triangles and quads, whatever the order in
// which an element lists them.
//
// Open addressing with linear probing, at most half full. Keys are the sorted vertices; the value is the place of the
// element in some list of the caller. A set filled with zero bytes is empty and ready.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_ELEMENT_SET_H
#define SETTEE_TOPOLOGY_ELEMENT_SET_H

#include "settee/types.h"

typedef struct st_element_set {
    struct st_element_set_slot {
        uint32_t key[4]; // sorted vertices, ST_INVALID_INDEX behind the last
        uint32_t value;  // ST_INVALID_INDEX: the slot is free
    } * slots;
    size_t slot_count; // a power of two, or 0
    size_t count;
} st_element_set;

typedef enum st_element_set_result { ST_SET_ADDED, ST_SET_KNOWN, ST_SET_NO_MEMORY } st_element_set_result;

// Adds an element of 2 to 4 vertices under the given value; a known one stays as it is.
st_element_set_result st_element_set_add(st_element_set *set, const uint32_t *vertices, int count, uint32_t value);
// The value of an element, ST_INVALID_INDEX when it is not there.
uint32_t st_element_set_find(const st_element_set *set, const uint32_t *vertices, int count);
void st_element_set_free(st_element_set *set);

#endif
