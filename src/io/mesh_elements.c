// What loaders make of the elements that they have read: triangles of quads, faces of volumes, edges of faces, normals.
//
// An element is new when no other has the same set of vertices. Elements of the file come first; what is made follows
// in the order: quads of hexahedra; quads and triangles of prisms, then of pyramids; triangles of tetrahedra; edges of
// all quads; edges of all triangles. Each keeps the direction of its first occurrence.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "io/mesh_loader.h"
#include "math/vec3.h"
#include "topology/match.h"

// ---------------------------------------------------------------------------------------------------
// Elements of elements
// ---------------------------------------------------------------------------------------------------

static bool mesh_elements_append(st_uints *list, const uint32_t *vertices, int size) {
    const size_t at = list->count;
    if (!st_list_set_count(list, at + 1, size)) return false;
    for (int i = 0; i < size; i++) list->data[at * (size_t)size + (size_t)i] = vertices[i];
    return true;
}

bool st_mesh_triangulate(st_uints elements[ST_ELEMENT_KINDS]) {
    st_uints *quads = &elements[ST_QUAD];
    for (size_t i = 0; i < quads->count; i++) {
        // the diagonal starts at corner 0
        const uint32_t *q = quads->data + 4 * i;
        if (!mesh_elements_append(&elements[ST_TRIANGLE], (const uint32_t[3]){q[0], q[1], q[2]}, 3) ||
            !mesh_elements_append(&elements[ST_TRIANGLE], (const uint32_t[3]){q[0], q[2], q[3]}, 3))
            return false;
    }
    quads->count = 0;
    return true;
}

// Sub-elements of one kind of element: `count` of `size` vertices each, local numbers one after the other.
typedef struct recipe {
    st_element from, to;
    int count;
    int local[24];
} recipe;

static const recipe recipes[] = {
    {ST_HEXAHEDRON, ST_QUAD, 6, {0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7}},
    {ST_PRISM, ST_QUAD, 3, {0, 3, 4, 1, 0, 2, 5, 3, 1, 4, 5, 2}},
    {ST_PRISM, ST_TRIANGLE, 2, {0, 1, 2, 4, 3, 5}},
    {ST_PYRAMID, ST_QUAD, 1, {0, 3, 2, 1}},
    {ST_PYRAMID, ST_TRIANGLE, 4, {0, 1, 4, 1, 2, 4, 3, 4, 2, 0, 4, 3}},
    {ST_TETRAHEDRON, ST_TRIANGLE, 4, {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}},
    {ST_QUAD, ST_EDGE, 4, {1, 2, 2, 3, 3, 0, 0, 1}},
    {ST_TRIANGLE, ST_EDGE, 3, {1, 2, 2, 0, 0, 1}},
};

// Appends the parts of `from` that are met here for the first time; their numbers begin at `number`.
static void write_new(st_uints *list, const st_parts *from, size_t width, const uint32_t *first, size_t number) {
    for (size_t i = 0; i < from->count; i++)
        for (size_t k = 0; k < from->parts_per_element; k++, number++) {
            if (first[number] != number) continue;

            uint32_t *to = list->data + list->count++ * width;
            for (size_t v = 0; v < width; v++)
                to[v] = from->elements[i * from->size + (size_t)from->table[k * width + v]];
        }
}

// All missing elements of one kind.
static bool mesh_elements_make(st_element to, st_uints elements[ST_ELEMENT_KINDS]) {
    enum { MOST = 3 };

    const size_t width = st_element_size[to];
    st_uints *list = &elements[to];
    st_parts sources[1 + MOST] = {{.elements = list->data, .count = list->count, .size = width}};
    size_t count = 1, fresh = 0, number = list->count;

    // elements of the file first, then those that each recipe makes
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
        const recipe *r = &recipes[i];
        if (r->to != to || elements[r->from].count == 0) continue;
        sources[count++] =
            (st_parts){elements[r->from].data, elements[r->from].count, st_element_size[r->from], r->local, r->count};
    }

    if (count == 1) return true;

    // number each by the first with the same vertices
    const size_t total = st_parts_total(sources, count);
    uint32_t *first = st_alloc(total, sizeof *first);
    bool ok = first && st_parts_match(width, sources, count, first);

    // only those that nothing before them equals are new
    for (size_t i = number; ok && i < total; i++) fresh += first[i] == i;
    ok = ok && st_list_reserve(list, list->count + fresh, width);
    for (size_t s = 1; ok && s < count; s++) {
        write_new(list, &sources[s], width, first, number);
        number += sources[s].count * sources[s].parts_per_element;
    }

    st_free(first);
    return ok;
}

bool st_mesh_create_subelements(st_uints elements[ST_ELEMENT_KINDS]) {
    return mesh_elements_make(ST_QUAD, elements) && mesh_elements_make(ST_TRIANGLE, elements) &&
           mesh_elements_make(ST_EDGE, elements);
}

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

static size_t vertex_total(const st_uints *elements, int kind) { return elements[kind].count * st_element_size[kind]; }

bool st_mesh_keep_attached(st_reals *position, st_uints elements[ST_ELEMENT_KINDS], st_uints *kept) {
    uint32_t *number = st_alloc(position->count, sizeof *number); // 1 + new number of a point that is used

    if (!number) return false;

    // mark the points that are used
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < vertex_total(elements, kind); i++) number[elements[kind].data[i]] = 1;

    // close the gaps between them
    bool ok = true;
    for (size_t i = 0; ok && i < position->count; i++) {
        if (!number[i]) continue;
        st_vec3_copy(position->data + 3 * kept->count, position->data + 3 * i);
        ok = st_list_push(kept, (uint32_t)i);
        number[i] = (uint32_t)kept->count;
    }

    // renumber the vertices
    if (ok) position->count = kept->count;
    for (int kind = 0; ok && kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < vertex_total(elements, kind); i++)
            elements[kind].data[i] = number[elements[kind].data[i]] - 1;

    st_free(number);
    return ok;
}

void st_mesh_keep_reals(st_reals *list, int width, const st_uints *kept) {
    for (size_t i = 0; i < kept->count; i++)
        for (size_t k = 0; k < (size_t)width; k++)
            list->data[i * (size_t)width + k] = list->data[kept->data[i] * (size_t)width + k];
    list->count = kept->count;
}

// ---------------------------------------------------------------------------------------------------
// Normals
// ---------------------------------------------------------------------------------------------------

static bool exist(const uint32_t *vertices, int size, size_t count) {
    for (int i = 0; i < size; i++)
        if (vertices[i] >= count) return false;
    return true;
}

// The unit normal at the corner b of a - b - c.
static void corner_normal(st_real n[3], const st_real *a, const st_real *b, const st_real *c) {
    st_real forward[3], back[3];
    st_vec3_sub(forward, c, b);
    st_vec3_sub(back, a, b);
    st_vec3_cross(n, forward, back);
    st_vec3_normalize(n, n);
}

bool st_mesh_normals(st_reals *normals, const st_reals *position, const st_uints *triangles, const st_uints *quads) {
    const st_real *x = position->data;
    normals->count = 0;

    if (!st_list_set_count(normals, position->count, 3)) return false;

    // a triangle adds its unit normal to each corner
    for (size_t i = 0; i < triangles->count; i++) {
        const uint32_t *t = triangles->data + 3 * i;
        if (!exist(t, 3, position->count)) continue;

        st_real n[3];
        corner_normal(n, x + 3 * (size_t)t[2], x + 3 * (size_t)t[0], x + 3 * (size_t)t[1]);
        for (int k = 0; k < 3; k++) {
            st_real *sum = normals->data + 3 * (size_t)t[k];
            st_vec3_add(sum, sum, n);
        }
    }

    // a quad adds, at each corner, the unit normal there: it may be bent
    for (size_t i = 0; i < quads->count; i++) {
        const uint32_t *q = quads->data + 4 * i;
        if (!exist(q, 4, position->count)) continue;
        for (int k = 0; k < 4; k++) {
            st_real n[3], *sum = normals->data + 3 * (size_t)q[k];
            corner_normal(n, x + 3 * (size_t)q[(k + 3) % 4], x + 3 * (size_t)q[k], x + 3 * (size_t)q[(k + 1) % 4]);
            st_vec3_add(sum, sum, n);
        }
    }

    for (size_t i = 0; i < normals->count; i++) st_vec3_normalize(normals->data + 3 * i, normals->data + 3 * i);
    return true;
}
