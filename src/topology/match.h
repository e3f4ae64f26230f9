// Which parts of a mesh are the same: edges and faces that several elements share, found by their vertices.
//
// Every element offers parts (a tetrahedron six edges or four triangles). All parts of all sources are numbered through
// in the order in which they are met; part p gets first[p], the smallest number of a part with the same set of
// vertices, so that first[p] == p where a part is met for the first time. That one array is enough to make lists of
// edges and faces in the order of their first appearance, to find the number of each in its element, and to see what
// two lists share.
//
// Time and memory are linear: parts are put into buckets by their smallest vertex (a counting sort, which keeps
// neighbors together in memory), and each bucket is looked through with a small hash table.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_MATCH_H
#define SETTEE_TOPOLOGY_MATCH_H

#include "settee/types.h"

enum { ST_PART_MAX = 8 }; // vertices of a part

typedef struct st_parts {
    const uint32_t *elements;
    size_t count;     // number of elements
    size_t size;      // vertices of one element
    const int *table; // parts_per_element rows of local vertices; NULL: the element itself is its only part
    size_t parts_per_element;
} st_parts;

size_t st_parts_total(const st_parts *sources, size_t source_count);
// Fills first[], of st_parts_total entries, for parts of `width` vertices. False when out of memory, or when there are
// more parts than an index can count.
bool st_parts_match(size_t width, const st_parts *sources, size_t source_count, uint32_t *first);

#endif
