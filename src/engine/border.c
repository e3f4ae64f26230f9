// The border of a surface: all edges of its faces, sorted by their vertices; those without an equal neighbor are
// border.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/border.h"

#include <stdlib.h>

#include "engine/engine.h"

typedef struct half_edge {
    uint32_t from, to;
    uint32_t place; // in the order of the faces
} half_edge;

typedef ST_LIST(half_edge) half_edges;

static uint32_t low(const half_edge *e) { return e->from < e->to ? e->from : e->to; }
static uint32_t high(const half_edge *e) { return e->from < e->to ? e->to : e->from; }

static int by_vertices(const void *a, const void *b) {
    const half_edge *x = a, *y = b;

    if (low(x) != low(y)) return low(x) < low(y) ? -1 : 1;
    if (high(x) != high(y)) return high(x) < high(y) ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int by_place(const void *a, const void *b) {
    const half_edge *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

static bool add_faces(half_edges *list, const st_uints *faces, size_t size) {
    for (size_t f = 0; f < faces->count; f++)
        for (size_t k = 0; k < size; k++) {
            const uint32_t *v = faces->data + f * size;
            const half_edge edge = {v[k], v[(k + 1) % size], (uint32_t)list->count};
            if (!st_list_push(list, edge)) return false;
        }
    return true;
}

static bool border_same(const half_edge *a, const half_edge *b) { return low(a) == low(b) && high(a) == high(b); }

// Moves the edges without an equal to the front.
static void keep_single(half_edges *list) {
    size_t kept = 0;

    for (size_t i = 0; i < list->count;) {
        // a run of equal edges
        size_t end = i + 1;
        while (end < list->count && border_same(&list->data[i], &list->data[end])) end++;
        if (end == i + 1) list->data[kept++] = list->data[i];

        i = end;
    }
    list->count = kept;
}

bool st_border_edges(st_uints *edges, const st_uints *triangles, const st_uints *quads) {
    half_edges list = {0};
    bool ok = add_faces(&list, triangles, 3) && add_faces(&list, quads, 4);

    edges->count = 0;

    // equal edges become neighbors; what is left goes back to the order of the faces
    if (ok && list.count) {
        qsort(list.data, list.count, sizeof *list.data, by_vertices);
        keep_single(&list);
        if (list.count) qsort(list.data, list.count, sizeof *list.data, by_place);
    }

    for (size_t i = 0; i < list.count && ok; i++) {
        const uint32_t edge[2] = {list.data[i].from, list.data[i].to};
        ok = st_push_uints(edges, edge, 2);
    }

    st_list_free(&list);
    return ok;
}
