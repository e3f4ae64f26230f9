// SubsetTopologicalMapping: a mesh that is a part of another one. Both are there already; the mapping finds which
// points and elements are the same.
//
// Points are the same when their positions are, number by number; without positions, or with samePoints, when their
// numbers are. Elements are the same when their points are. Where there is no counterpart the tables hold the largest
// index.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "topology/mapping/topological_mapping.h"
#include "topology/match.h"
#include "topology/recipes.h"

enum { KINDS = ST_HEXAHEDRON + 1 };

typedef struct mapping {
    st_topological_mapping base;
    bool same_points, handle[KINDS];
    st_uints point_to, point_from;   // of each source point its place in the subset, and back
    st_uints to[KINDS], from[KINDS]; // the same of elements
} mapping;

#define MAPS(member, back, name, what)                                                                                 \
    ST_FIELD(mapping, member, name "S2D", st_type_indices, NULL,                                                       \
             "number in the subset of each " what " of the source", .flags = ST_FIELD_OUTPUT),                         \
        ST_FIELD(mapping, back, name "D2S", st_type_indices, NULL,                                                     \
                 "number in the source of each " what " of the subset", .flags = ST_FIELD_OUTPUT)
#define HANDLE(kind, name, what)                                                                                       \
    ST_FIELD(mapping, handle[kind], name, st_type_bool, "0", "find equal " what, .flags = ST_FIELD_FIXED)

static const st_field fields[] = {
    ST_FIELD(mapping, same_points, "samePoints", st_type_bool, "0", "both have the same points",
             .flags = ST_FIELD_FIXED),
    HANDLE(ST_EDGE, "handleEdges", "edges"),
    HANDLE(ST_TRIANGLE, "handleTriangles", "triangles"),
    HANDLE(ST_QUAD, "handleQuads", "quads"),
    HANDLE(ST_TETRAHEDRON, "handleTetrahedra", "tetrahedra"),
    HANDLE(ST_HEXAHEDRON, "handleHexahedra", "hexahedra"),
    MAPS(point_to, point_from, "point", "point"),
    MAPS(to[ST_EDGE], from[ST_EDGE], "edge", "edge"),
    MAPS(to[ST_TRIANGLE], from[ST_TRIANGLE], "triangle", "triangle"),
    MAPS(to[ST_QUAD], from[ST_QUAD], "quad", "quad"),
    MAPS(to[ST_TETRAHEDRON], from[ST_TETRAHEDRON], "tetrahedron", "tetrahedron"),
    MAPS(to[ST_HEXAHEDRON], from[ST_HEXAHEDRON], "hexahedron", "hexahedron"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

static uint64_t hash_position(const st_real p[3]) {
    uint64_t h = 0;
    for (int i = 0; i < 3; i++) {
        const double value = (double)p[i] + 0.0; // -0 and 0 are the same place
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        h = (h ^ bits) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }

    return h;
}

static bool same_place(const st_real a[3], const st_real b[3]) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

static st_status relate_points(mapping *self, size_t in_source, size_t in_subset) {
    self->point_from.data[in_subset] = (uint32_t)in_source;
    if (self->point_to.data[in_source] == ST_INVALID_INDEX) self->point_to.data[in_source] = (uint32_t)in_subset;
    return ST_OK;
}

// A hash table of the source's positions; of equal ones the first counts.
static st_status match_positions(mapping *self, size_t source_count, size_t subset_count) {
    const st_topology *source = st_mapped_from(&self->base), *subset = st_mapped_to(&self->base);

    // at most half full, so that probing ends soon
    size_t size = 16;
    while (size < 2 * source_count) size *= 2;
    uint32_t *table = st_alloc(size, sizeof *table);
    if (!table) return ST_OUT_OF_MEMORY;

    st_real p[3], q[3];

    // the first point at each place
    for (size_t i = 0; i < source_count; i++) {
        st_topology_point(source, i, p);
        if (!same_place(p, p)) continue; // not a number: the same as nothing

        size_t at = hash_position(p) & (size - 1);
        bool known = false;
        for (; table[at] && !known; at = known ? at : (at + 1) & (size - 1))
            known = st_topology_point(source, table[at] - 1, q) && same_place(p, q);
        if (!known) table[at] = (uint32_t)i + 1;
    }

    // every point of the subset must be in the table
    st_status status = ST_OK;
    for (size_t i = 0; status == ST_OK && i < subset_count; i++) {
        st_topology_point(subset, i, p);
        size_t at = hash_position(p) & (size - 1);

        while (table[at] && !(st_topology_point(source, table[at] - 1, q) && same_place(p, q)))
            at = (at + 1) & (size - 1);
        if (table[at]) status = relate_points(self, table[at] - 1, i);
        else status = st_invalid(&self->base.object, "point %zu of the subset is not a point of the source", i);
    }

    st_free(table);
    return status;
}

static bool has_positions(const st_topology *topology, size_t count) {
    st_real p[3];
    return count > 0 && st_topology_point(topology, 0, p) && st_topology_point(topology, count - 1, p);
}

static st_status match_points(mapping *self) {
    const st_topology *source = st_mapped_from(&self->base), *subset = st_mapped_to(&self->base);
    const size_t n = st_topology_points(source), m = st_topology_points(subset);
    if (!st_fill_invalid(&self->point_to, n) || !st_fill_invalid(&self->point_from, m)) return ST_OUT_OF_MEMORY;

    if (!self->same_points && has_positions(source, n) && has_positions(subset, m)) return match_positions(self, n, m);

    // without positions both meshes must have the same points
    if (n != m)
        return st_invalid(&self->base.object, "the source has %zu points, the subset %zu, and not both have positions",
                          n, m);
    for (size_t i = 0; i < n; i++) relate_points(self, i, i);
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------------------------------

// The source's elements with the subset's points; elements that have others are left as they are found: with the
// largest index among their vertices, which no element of the subset has.
static bool subset_translate(const mapping *self, const st_uints *source, size_t size, st_uints *out) {
    if (!st_list_set_count(out, source->count, size)) return false;
    for (size_t i = 0; i < source->count * size; i++)
        out->data[i] = source->data[i] < self->point_to.count ? self->point_to.data[source->data[i]] : ST_INVALID_INDEX;
    return true;
}

static st_status match_elements(mapping *self, st_element kind) {
    const st_uints *source = st_topology_elements(st_mapped_from(&self->base), kind);
    const st_uints *subset = st_topology_elements(st_mapped_to(&self->base), kind);
    const size_t size = st_element_size[kind];
    st_uints moved = {0};

    // subset first, then the source in the subset's numbers: an element of the source that is in the subset has its
    // number
    uint32_t *first = st_alloc(source->count + subset->count, sizeof *first);
    bool ok = first && st_fill_invalid(&self->to[kind], source->count) &&
              st_fill_invalid(&self->from[kind], subset->count) && subset_translate(self, source, size, &moved);
    const st_parts lists[2] = {{.elements = subset->data, .count = subset->count, .size = size},
                               {.elements = moved.data, .count = moved.count, .size = size}};

    ok = ok && st_parts_match(size, lists, 2, first);

    // of equal elements of the source the first one is the counterpart
    for (size_t i = 0; ok && i < moved.count; i++) {
        const uint32_t same = first[subset->count + i];
        if (same >= subset->count) continue;
        self->to[kind].data[i] = same;
        if (self->from[kind].data[same] == ST_INVALID_INDEX) self->from[kind].data[same] = (uint32_t)i;
    }

    st_list_free(&moved);
    st_free(first);
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}

static st_status check_all_found(mapping *self, st_element kind) {
    for (size_t i = 0; i < self->from[kind].count; i++)
        if (self->from[kind].data[i] == ST_INVALID_INDEX)
            return st_invalid(&self->base.object, "%s %zu of the subset is not in the source", st_element_names[kind],
                              i);
    return ST_OK;
}

static st_status subset_init(st_object *object) {
    mapping *self = (mapping *)object;
    st_status status = match_points(self);
    st_touch(object, &self->point_to);
    st_touch(object, &self->point_from);

    // elements are the same when their points are
    for (int kind = 0; status == ST_OK && kind < KINDS; kind++) {
        if (!self->handle[kind]) continue;
        status = match_elements(self, (st_element)kind);
        st_touch(object, &self->to[kind]);
        st_touch(object, &self->from[kind]);

        if (status == ST_OK) status = check_all_found(self, (st_element)kind);
    }
    return status;
}

const st_class st_subset_topological_mapping_class = {
    .name = "SubsetTopologicalMapping",
    .help = "finds the points and elements that a mesh shares with the larger one of which it is a part",
    .parent = &st_topological_mapping_class,
    .fields = fields,
    .size = sizeof(mapping),
    .example =
        "<TriangleSetTopologyContainer name='whole' position='0 0 0 1 0 0 0 1 0 1 1 0' triangles='0 1 2 1 3 2'/>"
        "<Node name='part'><TriangleSetTopologyContainer name='mesh' position='1 0 0 1 1 0 0 1 0' triangles='0 1 2'/>"
        "<SubsetTopologicalMapping input='@../whole' output='@mesh' handleTriangles='1'/></Node>",
    .init = subset_init,
};
