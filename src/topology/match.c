// Equal parts of elements: see the header.
//
//   1. count how many parts have each smallest vertex: that is their bucket
//   2. running sums of the counts: where each bucket begins
//   3. write the numbers of the parts into their buckets, which keeps them in increasing order
//   4. bucket by bucket: sort the vertices of each part, and find the first equal one with a small hash table
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/match.h"

#include <string.h>

#include "base/array.h"

// Loops over parts are compiled once for each width.
#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

typedef struct buckets {
    size_t count;
    uint32_t *starts; // count + 1 of them
    uint32_t *parts;  // numbers of parts, bucket by bucket
} buckets;

size_t st_parts_total(const st_parts *sources, size_t source_count) {
    size_t total = 0;
    for (size_t s = 0; s < source_count; s++)
        total += sources[s].count * (sources[s].table ? sources[s].parts_per_element : 1);
    return total;
}

static size_t largest_vertex(const st_parts *sources, size_t source_count) {
    uint32_t largest = 0;
    for (size_t s = 0; s < source_count; s++)
        for (size_t i = 0; i < sources[s].count * sources[s].size; i++)
            if (sources[s].elements[i] > largest) largest = sources[s].elements[i];
    return largest;
}

// Vertices beyond the number of buckets, in lists with absurd numbers, are folded back.
INLINE size_t bucket_of(const buckets *b, uint32_t vertex) { return vertex < b->count ? vertex : vertex % b->count; }

INLINE uint32_t match_smallest(const uint32_t *element, const int *local, size_t width) {
    uint32_t vertex = element[local ? local[0] : 0];
    for (size_t i = 1; i < width; i++) {
        const uint32_t next = element[local ? (size_t)local[i] : i];
        vertex = next < vertex ? next : vertex;
    }
    return vertex;
}

// First run (parts == NULL) counts into starts[bucket + 1], second run fills and moves starts[bucket] forward.
INLINE void distribute(buckets *b, size_t width, const st_parts *sources, size_t source_count) {
    uint32_t number = 0;

    for (size_t s = 0; s < source_count; s++) {
        const st_parts *source = &sources[s];
        const size_t parts = source->table ? source->parts_per_element : 1;
        for (size_t e = 0; e < source->count; e++)
            for (size_t j = 0; j < parts; j++, number++) {
                // by the smallest vertex, which equal parts share
                const int *local = source->table ? source->table + j * width : NULL;
                const uint32_t vertex = match_smallest(source->elements + e * source->size, local, width);
                const size_t bucket = bucket_of(b, vertex);

                if (b->parts) b->parts[b->starts[bucket]++] = number;
                else b->starts[bucket + 1]++;
            }
    }
}

INLINE void sorted_part(uint32_t *key, const uint32_t *element, const int *local, size_t width) {
    // insertion sort: parts are short
    for (size_t i = 0; i < width; i++) {
        const uint32_t vertex = element[local ? (size_t)local[i] : i];
        size_t place = i;
        for (; place > 0 && key[place - 1] > vertex; place--) key[place] = key[place - 1];
        key[place] = vertex;
    }
}

// The sorted vertices of parts in increasing order of their numbers.
INLINE void load_keys(uint32_t *keys, const uint32_t *numbers, size_t count, size_t width, const st_parts *source) {
    uint32_t begin = 0, per_element = source->table ? (uint32_t)source->parts_per_element : 1;
    uint32_t end = (uint32_t)source->count * per_element;

    for (size_t i = 0; i < count; i++) {
        // numbers increase, so the source only moves forward
        while (numbers[i] >= end) {
            source++;
            begin = end;
            per_element = source->table ? (uint32_t)source->parts_per_element : 1;
            end += (uint32_t)source->count * per_element;
        }

        const uint32_t at = numbers[i] - begin, element = at / per_element, j = at - element * per_element;
        sorted_part(keys + i * width, source->elements + (size_t)element * source->size,
                    source->table ? source->table + (size_t)j * width : NULL, width);
    }
}

INLINE size_t match_hash(const uint32_t *key, size_t width) {
    uint64_t h = key[0];

    for (size_t i = 1; i < width; i++) h = (h ^ key[i]) * 0x9e3779b97f4a7c15u;
    return (h >> 32);
}

INLINE bool match_same(const uint32_t *a, const uint32_t *b, size_t width) {
    uint32_t difference = 0;
    for (size_t i = 0; i < width; i++) difference |= a[i] ^ b[i];
    return difference == 0;
}

// The parts of one bucket are in the order of their numbers: the first of equal ones has the smallest.
INLINE void match_bucket(const uint32_t *numbers, const uint32_t *keys, size_t count, size_t width, uint32_t *table,
                         size_t table_size, uint32_t *first) {
    memset(table, 0, table_size * sizeof *table);

    for (size_t i = 0; i < count; i++) {
        // linear probing; the table holds place + 1, 0 is free
        const uint32_t *key = keys + i * width;
        size_t at = match_hash(key, width) & (table_size - 1);
        while (table[at] && !match_same(keys + (table[at] - 1) * width, key, width)) at = (at + 1) & (table_size - 1);

        if (!table[at]) table[at] = (uint32_t)i + 1;
        first[numbers[i]] = numbers[table[at] - 1];
    }
}

static size_t table_size_for(size_t count) {
    size_t size = 4;
    while (size < 2 * count) size *= 2;
    return size;
}

static size_t sum_counts(buckets *b) {
    size_t longest = 0;

    for (size_t i = 0; i < b->count; i++) {
        if (b->starts[i + 1] > longest) longest = b->starts[i + 1];
        b->starts[i + 1] += b->starts[i];
    }
    return longest;
}

INLINE bool match(size_t width, const st_parts *sources, size_t source_count, size_t total, buckets *b,
                  uint32_t *first) {
    // count, then make room for the longest bucket
    distribute(b, width, sources, source_count);
    const size_t longest = sum_counts(b);
    uint32_t *table = st_alloc(table_size_for(longest), sizeof *table);
    uint32_t *keys = st_alloc(longest * width, sizeof *keys);
    b->parts = st_alloc(total, sizeof *b->parts);
    const bool ok = table && keys && b->parts;

    // fill the buckets
    if (ok) distribute(b, width, sources, source_count);

    // starts[i] is now where bucket i ends, which is where bucket i + 1 begins
    for (size_t i = 0, begin = 0; ok && i < b->count; begin = b->starts[i++]) {
        const size_t count = b->starts[i] - begin;
        if (count == 0) continue;
        load_keys(keys, b->parts + begin, count, width, sources);
        match_bucket(b->parts + begin, keys, count, width, table, table_size_for(count), first);
    }

    st_free(table);
    st_free(keys);
    return ok;
}

static bool match2(const st_parts *s, size_t n, size_t total, buckets *b, uint32_t *first) {
    return match(2, s, n, total, b, first);
}
static bool match3(const st_parts *s, size_t n, size_t total, buckets *b, uint32_t *first) {
    return match(3, s, n, total, b, first);
}
static bool match4(const st_parts *s, size_t n, size_t total, buckets *b, uint32_t *first) {
    return match(4, s, n, total, b, first);
}
static bool match8(const st_parts *s, size_t n, size_t total, buckets *b, uint32_t *first) {
    return match(8, s, n, total, b, first);
}
static bool match_any(size_t width, const st_parts *s, size_t n, size_t total, buckets *b, uint32_t *first) {
    return match(width, s, n, total, b, first);
}

bool st_parts_match(size_t width, const st_parts *sources, size_t source_count, uint32_t *first) {
    const size_t total = st_parts_total(sources, source_count);

    if (total == 0) return true;
    if (total >= UINT32_MAX / 2 || width < 2 || width > ST_PART_MAX) return false;

    // one bucket for each vertex, and no more buckets than parts
    const size_t vertices = largest_vertex(sources, source_count) + 1;
    buckets b = {.count = vertices < total ? vertices : total};
    b.starts = st_alloc(b.count + 1, sizeof *b.starts);
    bool ok = b.starts != NULL;

    // compiled once for each width that matters
    if (ok && width == 2) ok = match2(sources, source_count, total, &b, first);
    else if (ok && width == 3) ok = match3(sources, source_count, total, &b, first);
    else if (ok && width == 4) ok = match4(sources, source_count, total, &b, first);
    else if (ok && width == 8) ok = match8(sources, source_count, total, &b, first);
    else if (ok) ok = match_any(width, sources, source_count, total, &b, first);

    st_free(b.starts);
    st_free(b.parts);
    return ok;
}
