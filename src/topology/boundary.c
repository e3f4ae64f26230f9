// SPDX-License-Identifier: Apache-2.0
#include "topology/boundary.h"

#include <stdlib.h>

#include "base/array.h"

// A face with its vertices as the element has them, and sorted, so that both sides of it compare equal.
typedef struct face {
    uint32_t sorted[4];
    uint32_t vertices[4];
    size_t order;
} face;

static int compare(const void *a, const void *b) {
    const face *x = a, *y = b;
    for (int i = 0; i < 4; i++)
        if (x->sorted[i] != y->sorted[i]) return x->sorted[i] < y->sorted[i] ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static int by_order(const void *a, const void *b) {
    const face *x = a, *y = b;
    return x->order < y->order ? -1 : x->order > y->order;
}

typedef ST_LIST(face) faces;

static bool add_faces(faces *list, const st_uints *elements, int size, const int (*table)[4], int table_size,
                      int corners) {
    for (size_t e = 0; e < elements->count; e++)
        for (int f = 0; f < table_size; f++) {
            face one = {.order = list->count, .sorted = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}};
            for (int k = 0; k < corners; k++) {
                const uint32_t vertex = elements->data[e * (size_t)size + (size_t)table[f][k]];
                one.vertices[k] = vertex;
                int at = k;
                for (; at > 0 && one.sorted[at - 1] > vertex; at--) one.sorted[at] = one.sorted[at - 1];
                one.sorted[at] = vertex;
            }
            if (!st_list_push(list, one)) return false;
        }
    return true;
}

static bool same_face(const face *a, const face *b) { return memcmp(a->sorted, b->sorted, sizeof a->sorted) == 0; }

// Keeps the faces that occur once, in the order of their elements.
static bool keep_single(faces *list, st_uints *out, int corners) {
    if (list->count) qsort(list->data, list->count, sizeof *list->data, compare);
    size_t kept = 0;
    for (size_t i = 0; i < list->count;) {
        size_t end = i + 1;
        while (end < list->count && same_face(&list->data[i], &list->data[end])) end++;
        if (end == i + 1) list->data[kept++] = list->data[i];
        i = end;
    }
    if (kept) qsort(list->data, kept, sizeof *list->data, by_order);
    if (!st_list_set_count(out, kept, corners)) return false;
    for (size_t i = 0; i < kept; i++)
        for (int k = 0; k < corners; k++) out->data[i * (size_t)corners + (size_t)k] = list->data[i].vertices[k];
    return true;
}

static bool copy_list(st_uints *to, const st_uints *from, int width) {
    if (!st_list_set_count(to, from->count, width)) return false;
    st_copy_bytes(to->data, from->data, from->count * (size_t)width * sizeof *to->data);
    return true;
}

st_status st_topology_boundary(st_topology *topology, st_uints *triangles, st_uints *quads) {
    static const int tetra_faces[4][4] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    static const int hexa_faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                         {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    const st_uints *tetrahedra = st_topology_elements(topology, ST_TETRAHEDRON),
                   *hexahedra = st_topology_elements(topology, ST_HEXAHEDRON);
    bool ok;
    if (tetrahedra->count || hexahedra->count) {
        faces three = {0}, four = {0};
        ok = add_faces(&three, tetrahedra, 4, tetra_faces, 4, 3) && add_faces(&four, hexahedra, 8, hexa_faces, 6, 4) &&
             keep_single(&three, triangles, 3) && keep_single(&four, quads, 4);
        st_list_free(&three);
        st_list_free(&four);
    } else {
        // the triangles of a surface may be those of its quads cut in two: then the quads are enough
        const st_uints *q = st_topology_elements(topology, ST_QUAD), *t = st_topology_elements(topology, ST_TRIANGLE);
        const bool cut = q->count && topology->derived[ST_TRIANGLE];
        ok = copy_list(quads, q, 4) && (cut || copy_list(triangles, t, 3));
    }
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}
