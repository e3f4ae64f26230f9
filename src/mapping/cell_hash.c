// Cubes of elements: a sorted list of (cube, element), searched by halving.
//
// A mesh of tiny edges and one large element would fill memory with its cubes, so the list has a limit; above it each
// cube's elements are found by going through all of them.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/cell_hash.h"

#include <stdlib.h>

#include "base/array.h"
#include "math/vec3.h"

static const st_real largest_cube = 1 << 30;

// ---------------------------------------------------------------------------------------------------
// Making
// ---------------------------------------------------------------------------------------------------

static st_real mean_length(const st_cell_search *search, const st_uints *edges, const st_real *x) {
    st_real sum = 0;
    for (size_t i = 0; i < edges->count; i++)
        sum += st_vec3_distance(x + 3 * (size_t)edges->data[2 * i + 1], x + 3 * (size_t)edges->data[2 * i]);
    if (edges->count) return sum / (st_real)edges->count;
    for (size_t i = 0; i < search->cells.count; i++) {
        const uint32_t *nodes = search->cells.data[i].nodes;
        sum += st_vec3_distance(x + 3 * (size_t)nodes[1], x + 3 * (size_t)nodes[0]);
    }
    return search->cells.count ? sum / (st_real)search->cells.count : 0;
}

static st_cell_range range_of(const st_cell *cell, const st_real *x, st_real inverse) {
    st_cell_range range;
    for (int k = 0; k < 3; k++) {
        st_real low = ST_REAL_MAX, high = -ST_REAL_MAX;
        for (int i = 0; i < st_element_size[cell->kind]; i++) {
            low = st_min(low, x[3 * (size_t)cell->nodes[i] + (size_t)k]);
            high = st_max(high, x[3 * (size_t)cell->nodes[i] + (size_t)k]);
        }
        range.low[k] = floor(low * inverse);
        range.high[k] = floor(high * inverse);
    }
    return range;
}

static bool fits(const st_cell_range *range) {
    for (int k = 0; k < 3; k++)
        if (!(range->low[k] > -largest_cube && range->high[k] < largest_cube)) return false;
    return true;
}

// How many entries the list would have; SIZE_MAX when they are too many.
static size_t count_entries(const st_cell_hash *hash) {
    const st_real limit = 64 * (st_real)hash->ranges.count + 4096;
    st_real total = 0;
    for (size_t i = 0; i < hash->ranges.count; i++) {
        const st_cell_range *r = &hash->ranges.data[i];
        st_real cubes = 1;
        for (int k = 0; k < 3; k++) cubes *= r->high[k] - r->low[k] + 1;
        total += cubes;
        if (!fits(r) || !(total <= limit)) return SIZE_MAX;
    }
    return (size_t)total;
}

static size_t put_entries(st_cell_entry *out, const st_cell_range *r, uint32_t cell) {
    size_t count = 0;
    for (int32_t x = (int32_t)r->low[0]; x <= (int32_t)r->high[0]; x++)
        for (int32_t y = (int32_t)r->low[1]; y <= (int32_t)r->high[1]; y++)
            for (int32_t z = (int32_t)r->low[2]; z <= (int32_t)r->high[2]; z++)
                out[count++] = (st_cell_entry){{x, y, z}, cell};
    return count;
}

static int compare_cubes(const int32_t a[3], const int32_t b[3]) {
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
}

static int compare_entries(const void *a, const void *b) {
    const st_cell_entry *x = a, *y = b;
    const int cubes = compare_cubes(x->cube, y->cube);
    return cubes ? cubes : x->cell < y->cell ? -1 : x->cell > y->cell;
}

bool st_cell_hash_create(st_cell_hash *hash, const st_cell_search *search, const st_uints *edges,
                         const st_real *positions) {
    *hash = (st_cell_hash){.search = search, .size = mean_length(search, edges, positions)};
    if (!st_list_set_count(&hash->ranges, search->cells.count, 1)) return false;
    for (size_t i = 0; i < search->cells.count; i++)
        hash->ranges.data[i] = range_of(&search->cells.data[i], positions, 1 / hash->size);
    const size_t count = count_entries(hash);
    if (count == SIZE_MAX) return true;
    if (!st_list_set_count(&hash->entries, count, 1)) return false;
    size_t at = 0;
    for (size_t i = 0; i < hash->ranges.count; i++)
        at += put_entries(hash->entries.data + at, &hash->ranges.data[i], (uint32_t)i);
    if (count) qsort(hash->entries.data, count, sizeof *hash->entries.data, compare_entries);
    return true;
}

void st_cell_hash_free(st_cell_hash *hash) {
    st_list_free(&hash->entries);
    st_list_free(&hash->ranges);
}

// ---------------------------------------------------------------------------------------------------
// Search
// ---------------------------------------------------------------------------------------------------

typedef struct best {
    st_real d;
    size_t cell;
} best;

static void try_cell(const st_cell_hash *hash, size_t cell, const st_real p[3], best *b) {
    st_real local[3];
    const st_real d = st_cell_measure(&hash->search->cells.data[cell], p, local);
    if (d < b->d) *b = (best){d, cell};
}

// The first entry that does not come before the cube.
static size_t first_entry(const st_cell_hash *hash, const int32_t cube[3]) {
    size_t low = 0, high = hash->entries.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_cubes(hash->entries.data[middle].cube, cube) < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}

// An element that overlaps several of the 27 cubes is tried in the first of them, and not at all when it was tried in
// the own one: trying it again could not change the answer.
static bool is_first_visit(const st_cell_range *r, const st_real cube[3], const st_real own[3]) {
    bool in_own = true, first = true;
    for (int k = 0; k < 3; k++) {
        in_own = in_own && own[k] >= r->low[k] && own[k] <= r->high[k];
        first = first && cube[k] == st_max(r->low[k], own[k] - 1);
    }
    return first && !in_own;
}

// What is asked: the elements of a cube, for a point, after those of its own cube (NULL: nothing went before).
typedef struct question {
    const st_real *cube, *own, *p;
} question;

static void try_entry(const st_cell_hash *hash, size_t cell, const question *q, best *b) {
    if (!q->own || is_first_visit(&hash->ranges.data[cell], q->cube, q->own)) try_cell(hash, cell, q->p, b);
}

static size_t try_all_ranges(const st_cell_hash *hash, const question *q, best *b) {
    size_t found = 0;
    for (size_t i = 0; i < hash->ranges.count; i++) {
        const st_cell_range *r = &hash->ranges.data[i];
        bool here = true;
        for (int k = 0; k < 3; k++) here = here && q->cube[k] >= r->low[k] && q->cube[k] <= r->high[k];
        if (!here) continue;
        try_entry(hash, i, q, b);
        found++;
    }
    return found;
}

// Tries the elements of a cube, in order, and tells how many there are.
static size_t try_cube(const st_cell_hash *hash, const question *q, best *b) {
    if (hash->entries.count == 0) return try_all_ranges(hash, q, b);
    int32_t key[3];
    for (int k = 0; k < 3; k++) {
        if (!(fabs(q->cube[k]) < largest_cube)) return 0; // no element is that far out
        key[k] = (int32_t)q->cube[k];
    }
    size_t found = 0;
    for (size_t i = first_entry(hash, key); i < hash->entries.count; i++, found++) {
        if (compare_cubes(hash->entries.data[i].cube, key) != 0) break;
        try_entry(hash, hash->entries.data[i].cell, q, b);
    }
    return found;
}

static void try_neighbors(const st_cell_hash *hash, const st_real own[3], const st_real p[3], best *b) {
    for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++)
            for (int z = -1; z <= 1; z++) {
                const st_real cube[3] = {own[0] + (st_real)x, own[1] + (st_real)y, own[2] + (st_real)z};
                try_cube(hash, &(question){cube, own, p}, b);
            }
}

size_t st_cell_hash_find(const st_cell_hash *hash, const st_real p[3], st_real local[3]) {
    const st_real inverse = 1 / hash->size;
    const st_real cube[3] = {floor(p[0] * inverse), floor(p[1] * inverse), floor(p[2] * inverse)};
    best b = {ST_REAL_MAX, SIZE_MAX};
    if (try_cube(hash, &(question){cube, NULL, p}, &b) == 0) return st_cell_search_find(hash->search, p, local);
    // Where the best one holds the point, only another that holds it better could replace it.
    if (fabs(b.d) > hash->size / 2 && !(b.d <= 0 && b.d <= st_cell_search_depth(hash->search, p)))
        try_neighbors(hash, cube, p, &b);
    if (b.cell != SIZE_MAX) st_cell_measure(&hash->search->cells.data[b.cell], p, local);
    return b.cell;
}
