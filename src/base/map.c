// The map from strings to pointers: entries in order, and a table of their positions.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/map.h"

#include <string.h>

#include "base/array.h"

enum { FIRST_SLOTS = 16 };

static const size_t ABSENT = SIZE_MAX;

// FNV-1a, with a last shuffle because the table uses the low bits only.
static uint64_t hash_of(const char *key, size_t length) {
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)key[i]) * 1099511628211u;
    return hash ^ (hash >> 32);
}

static size_t map_find(const st_map *map, const char *key, size_t length, uint64_t hash) {
    if (map->slot_count == 0) return ABSENT;

    // linear probing: an empty slot ends the search
    for (size_t i = hash & (map->slot_count - 1); map->slots[i] != 0; i = (i + 1) & (map->slot_count - 1)) {
        const st_map_entry *entry = &map->entries.data[map->slots[i] - 1];
        if (entry->hash == hash && strlen(entry->key) == length && memcmp(entry->key, key, length) == 0)
            return map->slots[i] - 1;
    }
    return ABSENT;
}

static void occupy(uint32_t *slots, size_t slot_count, uint64_t hash, size_t position) {
    size_t i = hash & (slot_count - 1);
    while (slots[i] != 0) i = (i + 1) & (slot_count - 1);
    slots[i] = (uint32_t)position + 1;
}

// Makes room for one more entry: the table is at most half full afterwards.
static bool map_make_room(st_map *map) {
    if (2 * (map->entries.count + 1) <= map->slot_count) return true;
    size_t slot_count = FIRST_SLOTS;
    while (slot_count < 4 * (map->entries.count + 1)) slot_count *= 2;

    if (map->entries.count >= UINT32_MAX / 4) return false;
    uint32_t *slots = st_alloc(slot_count, sizeof *slots);
    if (!slots) return false;

    // the new table is complete before the old one goes
    for (size_t i = 0; i < map->entries.count; i++) occupy(slots, slot_count, map->entries.data[i].hash, i);

    st_free(map->slots);
    map->slots = slots;
    map->slot_count = slot_count;
    return true;
}

bool st_map_put(st_map *map, const char *key, void *value) {
    const size_t length = strlen(key);
    const uint64_t hash = hash_of(key, length);
    const size_t found = map_find(map, key, length, hash);

    // a key that is there keeps its place
    if (found != ABSENT) {
        map->entries.data[found].value = value;
        return true;
    }

    // a new one goes to the end
    char *copy = st_string_copy(key);
    if (!copy || !map_make_room(map) || !st_list_set_count(&map->entries, map->entries.count + 1, 1)) {
        st_free(copy);
        return false;
    }

    const size_t position = map->entries.count - 1;
    map->entries.data[position] = (st_map_entry){.key = copy, .value = value, .hash = hash};
    occupy(map->slots, map->slot_count, hash, position);
    return true;
}

void *st_map_get_n(const st_map *map, const char *key, size_t length) {
    const size_t found = map_find(map, key, length, hash_of(key, length));
    return found == ABSENT ? NULL : map->entries.data[found].value;
}

void *st_map_get(const st_map *map, const char *key) { return st_map_get_n(map, key, strlen(key)); }

bool st_map_has(const st_map *map, const char *key) {
    const size_t length = strlen(key);
    return map_find(map, key, length, hash_of(key, length)) != ABSENT;
}

void st_map_free(st_map *map) {
    for (size_t i = 0; i < map->entries.count; i++) st_free(map->entries.data[i].key);
    st_list_free(&map->entries);
    st_free(map->slots);
    *map = (st_map){0};
}
