// A map from strings to pointers: class registries, names, aliases.
//
// Entries are in one array in the order in which they came; a table with open addressing (linear probing, at most half
// full) holds their positions. A map filled with zero bytes is empty and ready. Keys are copied; values are borrowed.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BASE_MAP_H
#define SETTEE_BASE_MAP_H

#include "settee/types.h"

typedef struct st_map_entry {
    char *key;
    void *value;
    uint64_t hash;
} st_map_entry;

typedef struct st_map {
    ST_LIST(st_map_entry) entries;
    uint32_t *slots;   // position of an entry + 1, or 0
    size_t slot_count; // a power of two, or 0
} st_map;

// Adds a key at the end, or replaces the value of a key that is there (its place stays). False when out of memory.
bool st_map_put(st_map *map, const char *key, void *value);
// The value, or NULL when the key is absent; st_map_has tells an absent key from a NULL value.
void *st_map_get(const st_map *map, const char *key);
void *st_map_get_n(const st_map *map, const char *key, size_t length); // a key that is not terminated
bool st_map_has(const st_map *map, const char *key);

void st_map_free(st_map *map); // the map is empty afterwards

#endif
