// The table of pairs of addresses: open addressing with linear probing.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/pointer_table.h"

#include "base/array.h"

// Addresses share their low bits; the multiplication (by 2⁶⁴ over the golden ratio) spreads the others.
static uint64_t pointer_table_hash(const void *first, const void *second) {
    const uint64_t mixed = (uint64_t)(uintptr_t)first ^ ((uint64_t)(uintptr_t)second * 31);
    const uint64_t spread = mixed * 0x9E3779B97F4A7C15ULL;
    return spread ^ (spread >> 32);
}

// The pair's slot, or the free one where it would go. There must be a free one.
static st_pointer_entry *slot_of(const st_pointer_table *table, const void *first, const void *second) {
    size_t at = pointer_table_hash(first, second) & (table->slot_count - 1);
    while (table->slots[at].used && (table->slots[at].first != first || table->slots[at].second != second))
        at = (at + 1) & (table->slot_count - 1);
    return &table->slots[at];
}

static bool pointer_table_grow(st_pointer_table *table) {
    st_pointer_table larger = {.slot_count = table->slot_count ? 2 * table->slot_count : 32, .count = table->count};
    larger.slots = st_alloc(larger.slot_count, sizeof *larger.slots);
    if (!larger.slots) return false;

    // every pair goes to its slot in the larger table
    for (size_t i = 0; i < table->slot_count; i++)
        if (table->slots[i].used) *slot_of(&larger, table->slots[i].first, table->slots[i].second) = table->slots[i];

    st_free(table->slots);
    *table = larger;
    return true;
}

size_t st_pointer_table_get(const st_pointer_table *table, const void *first, const void *second) {
    const st_pointer_entry *slot = table->slot_count ? slot_of(table, first, second) : NULL;
    return slot && slot->used ? slot->value : SIZE_MAX;
}

bool st_pointer_table_put(st_pointer_table *table, const void *first, const void *second, size_t value) {
    if (2 * (table->count + 1) > table->slot_count && !pointer_table_grow(table)) return false;

    st_pointer_entry *slot = slot_of(table, first, second);
    table->count += !slot->used;
    *slot = (st_pointer_entry){first, second, value, true};
    return true;
}

void st_pointer_table_free(st_pointer_table *table) {
    st_free(table->slots);
    *table = (st_pointer_table){0};
}
