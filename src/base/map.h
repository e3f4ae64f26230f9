// A map from strings to pointers that remembers the order of insertion: class registries, names, aliases.
//
// Entries are in one array in the order in which they came; a table with open addressing (linear probing, at most
// half full) holds their positions. Walking the map is walking the array, so it never depends on hashes.
// A map filled with zero bytes is empty and ready. Keys are copied; values are borrowed.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BASE_MAP_H
#define SETTEE_BASE_MAP_H

#include "settee/types.h"

typedef struct st_map_entry {
    char *key; // NULL: removed
    void *value;
    uint64_t hash;
} st_map_entry;

typedef struct st_map {
    ST_LIST(st_map_entry) entries; // with the removed ones
    uint32_t *slots;               // position of an entry + 1, or 0
    size_t slot_count;             // a power of two, or 0
    size_t count;                  // without the removed ones
} st_map;

// Adds a key at the end, or replaces the value of a key that is there (its place stays). False when out of memory.
bool st_map_put(st_map *map, const char *key, void *value);
// The value, or NULL when the key is absent; st_map_has tells an absent key from a NULL value.
void *st_map_get(const st_map *map, const char *key);
void *st_map_get_n(const st_map *map, const char *key, size_t length); // a key that is not terminated
bool st_map_has(const st_map *map, const char *key);
// Removes a key and returns its value, NULL when it is absent.
void *st_map_remove(st_map *map, const char *key);

// Walks the map in order of insertion: start with *cursor = 0; false at the end. key and value may be NULL. The map
// must not grow during the walk; the current key may be removed.
bool st_map_next(const st_map *map, size_t *cursor, const char **key, void **value);

void st_map_free(st_map *map); // the map is empty afterwards

#endif
