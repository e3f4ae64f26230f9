// Sets of elements, found by their vertices: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/element_set.h"

#include <string.h>

#include "base/array.h"

typedef struct st_element_set_slot slot;

static void make_key(uint32_t key[4], const uint32_t *vertices, int count) {
    for (int i = 0; i < 4; i++) key[i] = ST_INVALID_INDEX;

    // insertion sort
    for (int i = 0; i < count; i++) {
        int place = i;
        for (; place > 0 && key[place - 1] > vertices[i]; place--) key[place] = key[place - 1];
        key[place] = vertices[i];
    }
}

static size_t element_set_hash(const uint32_t key[4]) {
    uint64_t h = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 4; i++) {
        h = (h ^ key[i]) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h;
}

// The slot of the key, or the free one where it belongs.
static slot *element_set_locate(const st_element_set *set, const uint32_t key[4]) {
    const size_t mask = set->slot_count - 1;
    size_t i = element_set_hash(key) & mask;
    while (set->slots[i].value != ST_INVALID_INDEX && memcmp(set->slots[i].key, key, sizeof set->slots[i].key) != 0)
        i = (i + 1) & mask;
    return &set->slots[i];
}

static bool element_set_grow(st_element_set *set) {
    st_element_set wide = {.slot_count = set->slot_count ? 2 * set->slot_count : 64, .count = set->count};

    wide.slots = st_alloc(wide.slot_count, sizeof *wide.slots);
    if (!wide.slots) return false;

    // every slot must be free before the known elements move over
    for (size_t i = 0; i < wide.slot_count; i++) wide.slots[i].value = ST_INVALID_INDEX;
    for (size_t i = 0; i < set->slot_count; i++)
        if (set->slots[i].value != ST_INVALID_INDEX) *element_set_locate(&wide, set->slots[i].key) = set->slots[i];

    st_free(set->slots);
    *set = wide;
    return true;
}

st_element_set_result st_element_set_add(st_element_set *set, const uint32_t *vertices, int count, uint32_t value) {
    if (2 * (set->count + 1) > set->slot_count && !element_set_grow(set)) return ST_SET_NO_MEMORY;

    uint32_t key[4];
    make_key(key, vertices, count);

    slot *place = element_set_locate(set, key);
    if (place->value != ST_INVALID_INDEX) return ST_SET_KNOWN;

    memcpy(place->key, key, sizeof key);
    place->value = value;
    set->count++;
    return ST_SET_ADDED;
}

uint32_t st_element_set_find(const st_element_set *set, const uint32_t *vertices, int count) {
    if (!set->slot_count) return ST_INVALID_INDEX;
    uint32_t key[4];
    make_key(key, vertices, count);
    return element_set_locate(set, key)->value;
}

void st_element_set_free(st_element_set *set) {
    st_free(set->slots);
    *set = (st_element_set){0};
}
