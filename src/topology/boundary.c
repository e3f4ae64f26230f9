// The boundary of a mesh: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/boundary.h"

#include "base/array.h"
#include "topology/match.h"

// Appends the faces that occur once, in the order of their elements.
static bool keep_single(st_uints *out, const st_parts *source, int corners) {
    const size_t total = st_parts_total(source, 1);
    uint32_t *first = st_alloc(total, sizeof *first), *count = st_alloc(total, sizeof *count);
    bool ok = first && count && st_parts_match(corners, source, 1, first);
    for (size_t i = 0; ok && i < total; i++) count[first[i]]++;
    const size_t per_element = (size_t)source->parts_per_element, width = (size_t)corners;
    for (size_t i = 0; ok && i < total; i++) {
        if (count[i] != 1) continue;
        const uint32_t *element = source->elements + i / per_element * (size_t)source->size;
        const int *local = source->table + i % per_element * width;
        ok = st_list_set_count(out, out->count + 1, width);
        for (size_t k = 0; ok && k < width; k++) out->data[(out->count - 1) * width + k] = element[local[k]];
    }
    st_free(first);
    st_free(count);
    return ok;
}

static bool copy_list(st_uints *to, const st_uints *from, int width) {
    if (!st_list_set_count(to, from->count, width)) return false;
    st_copy_bytes(to->data, from->data, from->count * (size_t)width * sizeof *to->data);
    return true;
}

st_status st_topology_boundary(st_topology *topology, st_uints *triangles, st_uints *quads) {
    static const int tetra_faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    static const int hexa_faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                         {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    const st_uints *tetrahedra = st_topology_elements(topology, ST_TETRAHEDRON),
                   *hexahedra = st_topology_elements(topology, ST_HEXAHEDRON);
    bool ok;
    if (tetrahedra->count || hexahedra->count) {
        const st_parts three = {tetrahedra->data, tetrahedra->count, 4, &tetra_faces[0][0], 4};
        const st_parts four = {hexahedra->data, hexahedra->count, 8, &hexa_faces[0][0], 6};
        ok = keep_single(triangles, &three, 3) && keep_single(quads, &four, 4);
    } else {
        // the triangles of a surface may be those of its quads cut in two: then the quads are enough
        const st_uints *q = st_topology_elements(topology, ST_QUAD), *t = st_topology_elements(topology, ST_TRIANGLE);
        const bool cut = q->count && topology->derived[ST_TRIANGLE];
        ok = copy_list(quads, q, 4) && (cut || copy_list(triangles, t, 3));
    }
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}
