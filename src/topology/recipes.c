// Lists of edges and faces made from larger elements: see the header.
//
//   1. what the list holds already and the parts of all sources are matched by their vertices (match.h)
//   2. parts that occur for the first time are numbered on from the end of the list
//   3. they are written, source by source
//   4. the numbers of all parts of each source are kept as its table of parts (adjacency.h)
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/recipes.h"

#include "base/array.h"
#include "topology/adjacency.h"
#include "topology/match.h"

enum { MAX_RECIPES = 2 };

const char *const st_element_names[ST_ELEMENT_KINDS] = {"edge",       "triangle", "quad",   "tetrahedron",
                                                        "hexahedron", "prism",    "pyramid"};

static void write_part(uint32_t *to, const uint32_t *element, const int *local, size_t width, st_part_style style) {
    size_t first = 0;

    // the smallest vertex first, without changing the direction
    if (style == ST_PART_TURNED || style == ST_PART_SORTED)
        for (size_t i = 1; i < width; i++)
            if (element[local[i]] < element[local[first]]) first = i;

    for (size_t i = 0; i < width; i++) to[i] = element[local[(first + i) % width]];
}

// Turns first occurrences into numbers in the list: parts that are in it already, `listed` of them, keep theirs;
// new ones are counted on from there. Occurrences come before what refers to them, so one pass is enough.
static size_t number_parts(uint32_t *first, size_t total, size_t listed) {
    size_t count = listed;

    for (size_t i = listed; i < total; i++) {
        // listed ones keep their numbers
        if (first[i] < listed) continue;
        first[i] = first[i] == i ? (uint32_t)count++ : first[first[i]];
    }
    return count;
}

// Parts that are new are in the order of their numbers: part `next` is the next to write.
static void write_new(st_uints *list, size_t *next, const uint32_t *numbers, const st_parts *source, size_t width,
                      st_part_style style) {
    const size_t parts = source->parts_per_element;

    for (size_t i = 0; i < source->count * parts; i++) {
        if (numbers[i] != *next) continue;

        write_part(list->data + *next * width, source->elements + i / parts * source->size,
                   source->table + i % parts * width, width, style);
        ++*next;
    }
}

static bool keep_numbers(st_topology *topology, st_element upper, st_element lower, const uint32_t *numbers,
                         size_t count) {
    uint32_t *kept = st_alloc(count, sizeof *kept);

    if (!kept) return false;
    st_copy_bytes(kept, numbers, count * sizeof *kept);
    return st_adjacency_keep(topology, upper, lower, kept);
}

bool st_derive_parts(st_topology *topology, st_element lower, const st_recipe *recipes, size_t count) {
    const size_t width = st_element_size[lower];
    st_uints *list = &topology->elements[lower];

    // the list itself comes first, so that what it holds already keeps its numbers
    st_parts sources[1 + MAX_RECIPES] = {{.elements = list->data, .count = list->count, .size = width}};
    for (size_t r = 0; r < count; r++) {
        const st_uints *from = st_topology_elements(topology, recipes[r].from);
        const st_part_table parts = st_element_parts(recipes[r].from, lower);
        sources[r + 1] =
            (st_parts){from->data, from->count, st_element_size[recipes[r].from], parts.local, parts.parts};
    }

    const size_t listed = list->count, total = st_parts_total(sources, count + 1);

    // first occurrences, then numbers in the list
    uint32_t *first = st_alloc(total, sizeof *first);
    bool ok = first && st_parts_match(width, sources, count + 1, first);
    if (ok) ok = st_list_set_count(list, number_parts(first, total, listed), width);

    // write the new parts of each source, and keep the numbers of all its parts
    size_t next = listed, at = listed;
    for (size_t r = 0; ok && r < count; r++) {
        const st_parts *source = &sources[r + 1];
        const size_t numbers = source->count * source->parts_per_element;

        write_new(list, &next, first + at, source, width, recipes[r].style);
        if (numbers == total) { // the only source: its numbers are all there is
            ok = st_adjacency_keep(topology, recipes[r].from, lower, first);
            first = NULL;
            break;
        }

        ok = keep_numbers(topology, recipes[r].from, lower, first + at, numbers);
        at += numbers;
    }

    st_free(first);
    if (!ok) list->count = listed;
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// The recipes
// ---------------------------------------------------------------------------------------------------

static bool derive_mesh_edges(st_topology *topology) {
    static const st_recipe volumes[] = {{ST_TETRAHEDRON, ST_PART_SORTED}, {ST_HEXAHEDRON, ST_PART_SORTED}};
    static const st_recipe surfaces[] = {{ST_TRIANGLE, ST_PART_AS_FOUND}, {ST_QUAD, ST_PART_SORTED}};

    const bool solid =
        st_topology_elements(topology, ST_TETRAHEDRON)->count || st_topology_elements(topology, ST_HEXAHEDRON)->count;
    return st_derive_parts(topology, ST_EDGE, solid ? volumes : surfaces, 2);
}

bool st_derive_mesh_elements(st_topology *topology, st_element kind) {
    topology->elements[kind].count = 0;

    switch (kind) {
    case ST_EDGE: return derive_mesh_edges(topology);
    case ST_TRIANGLE: return st_derive_parts(topology, kind, &(st_recipe){ST_TETRAHEDRON, ST_PART_TURNED}, 1);
    case ST_QUAD: return st_derive_parts(topology, kind, &(st_recipe){ST_HEXAHEDRON, ST_PART_TURNED}, 1);
    default: return true;
    }
}

bool st_derive_container_parts(st_topology *topology, st_element upper, st_element lower) {
    const st_part_style style = lower != ST_EDGE       ? ST_PART_TURNED
                                : upper == ST_TRIANGLE ? ST_PART_AS_FOUND
                                                       : ST_PART_SORTED;

    return st_derive_parts(topology, lower, &(st_recipe){upper, style}, 1);
}
