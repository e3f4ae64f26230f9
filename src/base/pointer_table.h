// A table from pairs of addresses to numbers: the place of something in a list, what was seen before.
//
// Addresses differ from run to run, so that nothing may depend on the order of the table: it answers questions and is
// never walked. A table filled with zero bytes is empty and ready.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BASE_POINTER_TABLE_H
#define SETTEE_BASE_POINTER_TABLE_H

#include "settee/types.h"

typedef struct st_pointer_entry {
    const void *first, *second;
    size_t value;
    bool used;
} st_pointer_entry;

typedef struct st_pointer_table {
    st_pointer_entry *slots; // open addressing, at most half full
    size_t slot_count;       // a power of two, or 0
    size_t count;
} st_pointer_table;

// The number of a pair (the second may be NULL), or SIZE_MAX when it is not there.
size_t st_pointer_table_get(const st_pointer_table *table, const void *first, const void *second);
// Enters a pair, or gives it another number. False when out of memory.
bool st_pointer_table_put(st_pointer_table *table, const void *first, const void *second, size_t value);
void st_pointer_table_free(st_pointer_table *table); // the table is empty afterwards

#endif
