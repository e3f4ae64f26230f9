// SubsetTopologicalMapping: a mesh that is a part of another one. Both are there already; the mapping finds which
// points and elements are the same.
//
// Points are the same when their positions are, number by number; without positions, or with samePoints, when their
// numbers are. Elements are the same when their points are. Where there is no counterpart the tables hold the largest
// index.
//
// When the source changes, what is removed goes from the subset, too, and what is added comes to it when all of its points
// (of a new point: all ancestors that have a weight) are in the subset.
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

// ---------------------------------------------------------------------------------------------------
// Changes
// ---------------------------------------------------------------------------------------------------

// Both tables of a kind.
typedef struct tables {
    st_uints *to, *from;
} tables;

static tables tables_of(mapping *self, int kind) {
    if (kind == ST_POINT) return (tables){&self->point_to, &self->point_from};
    return (tables){&self->to[kind], &self->from[kind]};
}

static bool is_handled(const mapping *self, int kind) {
    return kind == ST_POINT || (kind < KINDS && self->handle[kind]);
}

// Entry `id` of one table goes, the last one takes its place, and its counterpart in the other knows.
static void forget_entry(st_uints *list, st_uints *other, uint32_t id) {
    const uint32_t last = (uint32_t)list->count - 1;
    if (list->count == 0 || id > last) return;

    const uint32_t gone = list->data[id], moved = list->data[last];
    if (gone < other->count && other->data[gone] == id) other->data[gone] = ST_INVALID_INDEX;
    if (id != last && moved < other->count && other->data[moved] == last) other->data[moved] = id;
    list->data[id] = moved;
    list->count = last;
}

// New entry i is the former entry ids[i].
static bool reorder_entries(st_uints *list, st_uints *other, const st_edit *edit) {
    if (list->count != edit->count) return true;
    uint32_t *former = st_alloc(edit->count, sizeof *former), *names = st_alloc(edit->count, sizeof *names);
    const bool ok = former && names;

    for (size_t i = 0; ok && i < edit->count; i++) {
        former[i] = list->data[i];
        names[edit->ids[i]] = (uint32_t)i;
    }
    for (size_t i = 0; ok && i < edit->count; i++) list->data[i] = former[edit->ids[i]];
    for (size_t i = 0; ok && i < other->count; i++)
        if (other->data[i] < edit->count) other->data[i] = names[other->data[i]];

    st_free(former);
    st_free(names);
    return ok;
}

// One side has changed: its table follows; new entries have no counterpart yet.
static bool follow(st_uints *list, st_uints *other, const st_edit *edit) {
    bool ok = true;
    if (edit->what == ST_EDIT_RENUMBERED) return reorder_entries(list, other, edit);
    for (size_t i = 0; ok && i < edit->count; i++) {
        if (edit->what == ST_EDIT_REMOVED) forget_entry(list, other, edit->ids[i]);
        else ok = st_list_push(list, ST_INVALID_INDEX);
    }
    return ok;
}

static void touch_tables(mapping *self, tables t) {
    st_touch(&self->base.object, t.to);
    st_touch(&self->base.object, t.from);
}

static void subset_output_edited(st_topological_mapping *base, const st_edits *edits) {
    mapping *self = (mapping *)base;
    for (size_t i = 0; i < edits->count; i++) {
        const st_edit *edit = &edits->list[i];
        if (!is_handled(self, edit->kind)) continue;
        const tables t = tables_of(self, edit->kind);
        if (!follow(t.from, t.to, edit)) st_message(&base->object, ST_ERROR, "out of memory: a table of the subset");
        touch_tables(self, t);
    }
}

// Counterparts of what is about to go. Edges and faces that the mapping does not handle go with their elements.
static bool remove_counterparts(mapping *self, const st_edit *edit) {
    st_topology *subset = st_mapped_to(&self->base);
    const tables t = tables_of(self, edit->kind);
    const bool parts = !self->handle[ST_EDGE] && !self->handle[ST_TRIANGLE] && !self->handle[ST_QUAD];
    st_uints gone = {0};
    bool ok = true;

    for (size_t i = 0; ok && i < edit->count; i++)
        if (edit->ids[i] < t.to->count && t.to->data[edit->ids[i]] != ST_INVALID_INDEX)
            ok = st_list_push(&gone, t.to->data[edit->ids[i]]);

    if (ok && gone.count && edit->kind == ST_POINT)
        ok = st_edit_remove_points(subset, gone.data, gone.count, true) == ST_OK;
    else if (ok && gone.count)
        ok = st_edit_remove(subset, (st_element)edit->kind, gone.data, gone.count, parts, false) == ST_OK;
    st_list_free(&gone);
    return ok;
}

// The new things whose points are all in the subset, in the subset's numbers; `which` of the edit they are.
static bool choose_elements(const mapping *self, const st_edit *edit, st_uints *vertices, st_uints *which) {
    const size_t size = st_element_size[edit->kind];
    const st_uints *elements = &st_mapped_from(&self->base)->elements[edit->kind];
    bool ok = true;

    for (size_t i = 0; ok && i < edit->count; i++) {
        const uint32_t *v = elements->data + edit->ids[i] * size;
        bool inside = true;
        for (size_t k = 0; k < size; k++)
            inside = inside && v[k] < self->point_to.count && self->point_to.data[v[k]] != ST_INVALID_INDEX;
        if (!inside) continue;
        ok = st_list_push(which, edit->ids[i]);
        for (size_t k = 0; ok && k < size; k++) ok = st_list_push(vertices, self->point_to.data[v[k]]);
    }
    return ok;
}

typedef struct chosen_points {
    st_uints starts, ancestors, which;
    st_reals weights;
} chosen_points;

static bool choose_points(const mapping *self, const st_edit *edit, chosen_points *c) {
    bool ok = st_list_push(&c->starts, 0);
    for (size_t i = 0; ok && i < edit->count; i++) {
        const size_t before = c->ancestors.count;
        const uint32_t begin = edit->starts ? edit->starts[i] : 0, end = edit->starts ? edit->starts[i + 1] : 0;
        bool inside = self->same_points || begin < end;
        for (uint32_t a = begin; ok && a < end; a++) {
            const uint32_t from = edit->ancestors[a];
            const uint32_t to = from < self->point_to.count ? self->point_to.data[from] : ST_INVALID_INDEX;
            if (edit->weights[a] == 0) continue;
            inside = inside && to != ST_INVALID_INDEX;
            ok = st_list_push(&c->ancestors, to) && st_list_push(&c->weights, edit->weights[a]);
        }

        // one that is outside leaves nothing
        if (!inside) c->ancestors.count = c->weights.count = before;
        else ok = ok && st_list_push(&c->starts, (uint32_t)c->ancestors.count) && st_list_push(&c->which, edit->ids[i]);
    }
    return ok;
}

static bool add_counterparts(mapping *self, const st_edit *edit) {
    st_topology *subset = st_mapped_to(&self->base);
    const tables t = tables_of(self, edit->kind);
    const size_t old = t.from->count;
    chosen_points c = {0};
    st_uints vertices = {0};
    bool ok = true;

    // which of them, and the edit of the subset, by which the table grows
    if (edit->kind == ST_POINT) {
        ok = choose_points(self, edit, &c);
        const st_origin origin = {c.starts.data, c.ancestors.data, c.weights.data};
        ok = ok && st_edit_add_points(subset, c.which.count, &origin, true) == ST_OK;
    } else {
        ok = choose_elements(self, edit, &vertices, &c.which);
        if (ok && c.which.count)
            ok = st_edit_add(subset, (st_element)edit->kind, vertices.data, c.which.count, NULL) == ST_OK;
    }

    // both know each other
    for (size_t i = 0; ok && i < c.which.count && old + i < t.from->count; i++) {
        t.from->data[old + i] = c.which.data[i];
        t.to->data[c.which.data[i]] = (uint32_t)(old + i);
    }

    st_list_free(&c.starts);
    st_list_free(&c.ancestors);
    st_list_free(&c.weights);
    st_list_free(&c.which);
    st_list_free(&vertices);
    return ok;
}

static void subset_edited(st_object *object, const st_edits *edits) {
    mapping *self = (mapping *)object;
    bool ok = true;
    if (!st_topological_can_follow(&self->base)) return;

    for (size_t i = 0; ok && i < edits->count; i++) {
        const st_edit *edit = &edits->list[i];
        if (!is_handled(self, edit->kind)) continue;
        const tables t = tables_of(self, edit->kind);
        if (edit->what == ST_EDIT_REMOVED) ok = remove_counterparts(self, edit);
        ok = ok && follow(t.to, t.from, edit);
        if (ok && edit->what == ST_EDIT_ADDED) ok = add_counterparts(self, edit);
        if (ok && edit->what == ST_EDIT_RENUMBERED && self->same_points)
            ok = st_edit_renumber_points(st_mapped_to(&self->base), edit->ids, true) == ST_OK;
        touch_tables(self, t);
    }
    if (!ok) st_message(object, ST_ERROR, "the subset could not follow its source");
}

// ---------------------------------------------------------------------------------------------------

static st_status subset_init(st_object *object) {
    mapping *self = (mapping *)object;
    self->base.output_edited = subset_output_edited;
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
    .edited = subset_edited,
};
