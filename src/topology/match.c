// Equal parts of elements: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/match.h"

#include <string.h>

#include "base/array.h"

// A part in its bucket is stored as its sorted vertices, then its number.
typedef struct buckets {
    size_t count;
    uint32_t *starts;  // count + 1 of them
    uint32_t *entries; // width + 1 words each
} buckets;

size_t st_parts_total(const st_parts *sources, size_t source_count) {
    size_t total = 0;
    for (size_t s = 0; s < source_count; s++)
        total += sources[s].count * (size_t)(sources[s].table ? sources[s].parts_per_element : 1);
    return total;
}

static inline void sorted_part(uint32_t *key, const uint32_t *element, const int *local, int width) {
    for (int i = 0; i < width; i++) {
        const uint32_t vertex = element[local ? local[i] : i];
        int place = i;
        for (; place > 0 && key[place - 1] > vertex; place--) key[place] = key[place - 1];
        key[place] = vertex;
    }
}

static size_t largest_vertex(const st_parts *sources, size_t source_count) {
    uint32_t largest = 0;
    for (size_t s = 0; s < source_count; s++)
        for (size_t i = 0; i < sources[s].count * (size_t)sources[s].size; i++)
            if (sources[s].elements[i] > largest) largest = sources[s].elements[i];
    return largest;
}

// Vertices beyond the number of buckets, in lists with absurd numbers, are folded back.
static inline size_t bucket_of(const buckets *b, uint32_t vertex) {
    return vertex < b->count ? vertex : vertex % b->count;
}

// First run (entries == NULL) counts into starts[bucket + 1], second run fills and moves starts[bucket] forward.
static inline void distribute(buckets *b, int width, const st_parts *sources, size_t source_count) {
    uint32_t number = 0;
    for (size_t s = 0; s < source_count; s++) {
        const st_parts *source = &sources[s];
        const int parts = source->table ? source->parts_per_element : 1;
        for (size_t e = 0; e < source->count; e++)
            for (int j = 0; j < parts; j++, number++) {
                uint32_t key[ST_PART_MAX];
                const int *local = source->table ? source->table + j * width : NULL;
                sorted_part(key, source->elements + e * (size_t)source->size, local, width);
                const size_t bucket = bucket_of(b, key[0]);
                if (!b->entries) {
                    b->starts[bucket + 1]++;
                    continue;
                }
                uint32_t *entry = b->entries + (size_t)b->starts[bucket]++ * (size_t)(width + 1);
                memcpy(entry, key, (size_t)width * sizeof *key);
                entry[width] = number;
            }
    }
}

static inline size_t hash(const uint32_t *key, int width) {
    uint64_t h = key[0];
    for (int i = 1; i < width; i++) h = (h ^ key[i]) * 0x9e3779b97f4a7c15u;
    return (size_t)(h >> 32);
}

// The entries of one bucket stand in the order of their numbers: the first of equal ones has the smallest.
static inline void match_bucket(const uint32_t *entries, size_t count, int width, uint32_t *table, size_t table_size,
                                uint32_t *first) {
    const size_t stride = (size_t)width + 1, mask = table_size - 1;
    memset(table, 0, table_size * sizeof *table);
    for (size_t i = 0; i < count; i++) {
        const uint32_t *entry = entries + i * stride;
        size_t at = hash(entry, width) & mask;
        while (table[at] && memcmp(entries + (table[at] - 1) * stride, entry, (size_t)width * sizeof *entry) != 0)
            at = (at + 1) & mask;
        if (!table[at]) table[at] = (uint32_t)i + 1;
        first[entry[width]] = entries[(table[at] - 1) * stride + (size_t)width];
    }
}

static size_t table_size_for(size_t count) {
    size_t size = 4;
    while (size < 2 * count) size *= 2;
    return size;
}

static inline bool match(int width, const st_parts *sources, size_t source_count, size_t total, buckets *b,
                         uint32_t *first) {
    distribute(b, width, sources, source_count);
    size_t longest = 0;
    for (size_t i = 0; i < b->count; i++) {
        if (b->starts[i + 1] > longest) longest = b->starts[i + 1];
        b->starts[i + 1] += b->starts[i];
    }
    uint32_t *table = st_alloc(table_size_for(longest), sizeof *table);
    b->entries = st_alloc(total * (size_t)(width + 1), sizeof *b->entries);
    if (table && b->entries) {
        distribute(b, width, sources, source_count);
        // starts[i] is now where bucket i ends, which is where bucket i + 1 begins
        for (size_t i = 0, begin = 0; i < b->count; begin = b->starts[i++])
            match_bucket(b->entries + begin * (size_t)(width + 1), b->starts[i] - begin, width, table,
                         table_size_for(b->starts[i] - begin), first);
    }
    const bool ok = table && b->entries;
    st_free(table);
    return ok;
}

bool st_parts_match(int width, const st_parts *sources, size_t source_count, uint32_t *first) {
    const size_t total = st_parts_total(sources, source_count);
    if (total == 0) return true;
    if (total >= UINT32_MAX / 2 || width < 2 || width > ST_PART_MAX) return false;
    const size_t vertices = largest_vertex(sources, source_count) + 1;
    buckets b = {.count = vertices < total ? vertices : total};
    b.starts = st_alloc(b.count + 1, sizeof *b.starts);
    bool ok = b.starts != NULL;
    // constant widths, so that the compiler can unroll
    if (ok && width == 2) ok = match(2, sources, source_count, total, &b, first);
    else if (ok && width == 3) ok = match(3, sources, source_count, total, &b, first);
    else if (ok && width == 4) ok = match(4, sources, source_count, total, &b, first);
    else if (ok) ok = match(width, sources, source_count, total, &b, first);
    st_free(b.starts);
    st_free(b.entries);
    return ok;
}
