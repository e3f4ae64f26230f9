// The boundary of a mesh: see the header.
//
//   1. all faces of all volumes are matched by their vertices (match.h), triangles apart from quads
//   2. each is counted at its first occurrence
//   3. those that occurred once are written as their volume has them
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/boundary.h"

#include "base/array.h"
#include "topology/match.h"

enum { VOLUMES = 4 };

// Faces of volumes of positive orientation, looking outward.
typedef struct faces {
    st_element kind;
    size_t triangles, quads;
    int triangle[4][3], quad[6][4];
} faces;

static const faces tables[VOLUMES] = {
    {ST_TETRAHEDRON, 4, 0, {{1, 2, 3}, {0, 3, 2}, {1, 3, 0}, {0, 2, 1}}, {{0}}},
    {ST_HEXAHEDRON, 0, 6, {{0}}, {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}},
    {ST_PRISM, 2, 3, {{0, 2, 1}, {3, 4, 5}}, {{0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}}},
    {ST_PYRAMID, 4, 1, {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}, {{0, 3, 2, 1}}},
};

bool st_has_volumes(const st_uints elements[ST_ELEMENT_KINDS]) {
    for (int i = 0; i < VOLUMES; i++)
        if (elements[tables[i].kind].count) return true;
    return false;
}

static bool boundary_append(st_uints *list, const uint32_t *element, const int *local, size_t width) {
    const size_t at = list->count;

    if (!st_list_set_count(list, at + 1, width)) return false;
    for (size_t i = 0; i < width; i++) list->data[at * width + i] = element[local[i]];
    return true;
}

static bool append_owner(st_uints *owners, st_element kind, size_t element) {
    const size_t at = owners->count;
    if (!st_list_set_count(owners, at + 1, 2)) return false;
    owners->data[2 * at] = (uint32_t)kind;
    owners->data[2 * at + 1] = (uint32_t)element;
    return true;
}

// Appends the parts that occur once.
static bool keep_single(st_uints *out, st_uints *owners, const st_parts sources[VOLUMES], size_t width,
                        size_t *shared) {
    const size_t total = st_parts_total(sources, VOLUMES);
    uint32_t *first = st_alloc(total, sizeof *first), *times = st_alloc(total, sizeof *times);

    // count each face at its first occurrence; a third one means that the mesh is not a manifold
    bool ok = first && times && st_parts_match(width, sources, VOLUMES, first);
    for (size_t i = 0; ok && i < total; i++) *shared += ++times[first[i]] == 3;

    // append those that occurred once, in the order of the elements
    size_t i = 0;
    for (int s = 0; ok && s < VOLUMES; s++) {
        const size_t per_element = sources[s].parts_per_element;
        for (size_t k = 0; ok && k < sources[s].count * per_element; k++, i++)
            if (first[i] == i && times[i] == 1)
                ok = boundary_append(out, sources[s].elements + k / per_element * sources[s].size,
                                     sources[s].table + k % per_element * width, width) &&
                     append_owner(owners, tables[s].kind, k / per_element);
    }

    st_free(first);
    st_free(times);
    return ok;
}

bool st_boundary_find(st_boundary *boundary, const st_uints elements[ST_ELEMENT_KINDS]) {
    st_parts three[VOLUMES], four[VOLUMES];

    // faces of three and of four vertices, of all kinds of volumes
    for (int i = 0; i < VOLUMES; i++) {
        const faces *f = &tables[i];
        const st_uints *list = &elements[f->kind];
        const size_t size = st_element_size[f->kind];
        three[i] = (st_parts){list->data, f->triangles ? list->count : 0, size, &f->triangle[0][0], f->triangles};
        four[i] = (st_parts){list->data, f->quads ? list->count : 0, size, &f->quad[0][0], f->quads};
    }

    return keep_single(&boundary->triangles, &boundary->triangle_owners, three, 3, &boundary->shared) &&
           keep_single(&boundary->quads, &boundary->quad_owners, four, 4, &boundary->shared);
}

// Faces that are elements themselves.
static bool copy_faces(st_uints *to, st_uints *owners, const st_uints *from, st_element kind) {
    const size_t width = st_element_size[kind];
    if (!st_list_set_count(to, from->count, width)) return false;
    st_copy_bytes(to->data, from->data, from->count * width * sizeof *to->data);

    bool ok = true;
    for (size_t i = 0; ok && i < from->count; i++) ok = append_owner(owners, kind, i);
    return ok;
}

bool st_boundary_of_topology(st_boundary *boundary, st_topology *topology) {
    for (int i = 0; i < VOLUMES; i++) st_topology_elements(topology, tables[i].kind);
    if (st_has_volumes(topology->elements)) return st_boundary_find(boundary, topology->elements);

    // the triangles of a surface may be those of its quads cut in two: then the quads are enough
    const st_uints *quads = st_topology_elements(topology, ST_QUAD);
    const st_uints *triangles = st_topology_elements(topology, ST_TRIANGLE);
    const bool cut = quads->count && topology->derived[ST_TRIANGLE];
    return copy_faces(&boundary->quads, &boundary->quad_owners, quads, ST_QUAD) &&
           (cut || copy_faces(&boundary->triangles, &boundary->triangle_owners, triangles, ST_TRIANGLE));
}

void st_boundary_free(st_boundary *boundary) {
    st_list_free(&boundary->triangles);
    st_list_free(&boundary->quads);
    st_list_free(&boundary->triangle_owners);
    st_list_free(&boundary->quad_owners);
}
