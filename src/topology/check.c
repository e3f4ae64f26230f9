// Is a mesh sound? See the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/check.h"

#include <stdio.h>

#include "base/array.h"
#include "topology/adjacency.h"
#include "topology/match.h"
#include "topology/recipes.h"

enum { SHOWN = 12 };

typedef struct findings {
    st_topology *topology;
    st_element kind;
    size_t count; // of this kind
} findings;

static void vertices_text(char *text, size_t size, const uint32_t *vertices, size_t count) {
    size_t at = 0;
    for (size_t i = 0; i < count && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%u", i ? " " : "", vertices[i]);
}

static void check_report(findings *f, size_t element, const char *what) {
    const size_t size = st_element_size[f->kind];
    char text[8 * 12] = "";

    vertices_text(text, sizeof text, f->topology->elements[f->kind].data + element * size, size);
    if (f->count++ < SHOWN)
        st_message(&f->topology->object, ST_ERROR, "%s %zu (%s) %s", st_element_names[f->kind], element, text, what);
}

static void check_vertices(findings *f) {
    const size_t size = st_element_size[f->kind], points = st_topology_points(f->topology);
    const st_uints *list = &f->topology->elements[f->kind];

    for (size_t e = 0; e < list->count; e++) {
        // the vertices of one element: each must exist, and occur once
        const uint32_t *v = list->data + e * size;
        bool outside = false, twice = false;
        for (size_t i = 0; i < size; i++) {
            outside = outside || v[i] >= points;
            for (size_t k = 0; k < i; k++) twice = twice || v[i] == v[k];
        }

        if (outside) check_report(f, e, "has a vertex that does not exist");
        if (twice) check_report(f, e, "has a vertex twice");
    }
}

static void check_duplicates(findings *f) {
    const st_uints *list = &f->topology->elements[f->kind];
    const st_parts source = {.elements = list->data, .count = list->count, .size = st_element_size[f->kind]};
    uint32_t *first = st_alloc(list->count, sizeof *first);

    if (first && st_parts_match(st_element_size[f->kind], &source, 1, first))
        for (size_t e = 0; e < list->count; e++) {
            // the first of several equal elements is the one that stays
            if (first[e] == e) continue;
            char what[64];
            snprintf(what, sizeof what, "has the vertices of %s %u", st_element_names[f->kind], first[e]);
            check_report(f, e, what);
        }

    st_free(first);
}

static void check_parts(findings *f, st_element lower) {
    const size_t parts = (size_t)st_element_parts(f->kind, lower).parts;
    if (!parts || f->topology->elements[lower].count == 0) return;

    const uint32_t *in = st_topology_in(f->topology, f->kind, lower);
    for (size_t i = 0; in && i < f->topology->elements[f->kind].count * parts; i++) {
        if (in[i] != ST_INVALID_INDEX) continue;
        char what[64];
        snprintf(what, sizeof what, "has a %s (its number %zu) that is not listed", st_element_names[lower], i % parts);
        check_report(f, i / parts, what);
    }
}

size_t st_topology_check(st_topology *topology) {
    size_t total = 0;
    for (int kind = ST_EDGE; kind < ST_ELEMENT_KINDS; kind++) {
        findings f = {.topology = topology, .kind = (st_element)kind};

        // elements, then what they share, then their edges and faces
        st_topology_elements(topology, f.kind);
        check_vertices(&f);
        check_duplicates(&f);
        for (int lower = ST_EDGE; lower <= ST_QUAD; lower++) check_parts(&f, (st_element)lower);

        if (f.count > SHOWN)
            st_message(&topology->object, ST_ERROR, "%zu faults of %s elements in all", f.count,
                       st_element_names[kind]);
        total += f.count;
    }
    return total;
}
