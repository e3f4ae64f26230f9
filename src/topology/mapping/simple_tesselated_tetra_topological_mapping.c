// SimpleTesselatedTetraTopologicalMapping: each tetrahedron becomes eight.
//
// Points are those of the input, then one in the middle of each of its edges. With vertices v and middles m of the six
// edges of a tetrahedron (01 02 03 12 13 23):
//
//     v0 m0 m1 m2   v1 m0 m4 m3   v2 m1 m3 m5   v3 m2 m5 m4   m1 m0 m3 m5   m1 m0 m5 m2   m4 m0 m5 m3   m4 m0 m2 m5
//
// Changes go both ways: what the input gains or loses, the output does, and an input tetrahedron goes when the last of
// its eight is removed from the output.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/vec3.h"
#include "scene/scene.h"
#include "topology/adjacency.h"
#include "topology/mapping/point_sources.h"
#include "topology/mapping/tesselated.h"

typedef struct mapping {
    st_topological_mapping base;
    st_point_sources sources;
    st_ints source;    // of each output point: input point + 1, or −(input edge + 1); 0: neither
    st_uints orphaned; // input tetrahedra whose parts somebody has removed
} mapping;

// Positive numbers are vertices, 4 and above the middles of edges.
static const int parts[8][4] = {{0, 4, 5, 6}, {1, 4, 8, 7}, {2, 5, 7, 9}, {3, 6, 9, 8},
                                {5, 4, 7, 9}, {5, 4, 9, 6}, {8, 4, 9, 7}, {8, 4, 6, 9}};

// `source` as users read it.
static bool tell_sources(mapping *self) {
    const size_t count = self->sources.points.count;
    if (!st_list_set_count(&self->source, count, 1)) return false;
    for (size_t i = 0; i < count; i++) {
        const st_point_source from = self->sources.points.data[i];
        const int32_t number = (int32_t)from.slot + 1;
        self->source.data[i] = from.kind == ST_POINT ? number : from.kind == ST_EDGE ? -number : 0;
    }

    st_touch(&self->base.object, &self->source);
    st_touch(&self->base.object, &self->sources.places[ST_POINT]);
    st_touch(&self->base.object, &self->sources.places[ST_EDGE]);
    return true;
}

// Points keep their numbers, middles of edges follow them.
static st_status relate_points(mapping *self, size_t points, size_t edges) {
    st_point_sources *sources = &self->sources;
    st_point_sources_clear(sources);
    sources->width[ST_POINT] = sources->width[ST_EDGE] = 1;
    bool ok = st_point_sources_grow(sources, ST_POINT, points) && st_point_sources_grow(sources, ST_EDGE, edges);

    for (size_t i = 0; ok && i < points; i++) ok = st_point_sources_push(sources, ST_POINT, i, 0);
    for (size_t i = 0; ok && i < edges; i++) ok = st_point_sources_push(sources, ST_EDGE, i, 0);
    return ok && tell_sources(self) ? ST_OK : ST_OUT_OF_MEMORY;
}

// Part k of a tetrahedron: below 4 one of its vertices, else the middle of one of its edges.
static void tesselated_make(st_topological_mapping *base, uint32_t tetrahedron, size_t k, uint32_t *vertices) {
    const st_point_sources *sources = &((const mapping *)base)->sources;
    const uint32_t *v = st_mapped_from(base)->elements[ST_TETRAHEDRON].data + 4 * (size_t)tetrahedron;
    const uint32_t *edges = st_topology_in(st_mapped_from(base), ST_TETRAHEDRON, ST_EDGE) + 6 * (size_t)tetrahedron;

    for (int i = 0; i < 4; i++) {
        const int part = parts[k][i];
        vertices[i] =
            part < 4 ? sources->places[ST_POINT].data[v[part]] : sources->places[ST_EDGE].data[edges[part - 4]];
    }
}

static st_status make_elements(mapping *self) {
    st_topology *input = st_mapped_from(&self->base), *output = st_mapped_to(&self->base);
    const st_uints *tetrahedra = st_topology_elements(input, ST_TETRAHEDRON);
    if (tetrahedra->count && !st_topology_in(input, ST_TETRAHEDRON, ST_EDGE)) return ST_OUT_OF_MEMORY;

    const st_status status =
        st_topological_reserve(&self->base, ST_TETRAHEDRON, 8 * tetrahedra->count, tetrahedra->count, 8);
    for (size_t out = 0; status == ST_OK && out < 8 * tetrahedra->count; out++) {
        tesselated_make(&self->base, (uint32_t)(out / 8), out % 8, output->elements[ST_TETRAHEDRON].data + 4 * out);
        st_topological_relate(&self->base, out, out / 8, out % 8);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Changes
// ---------------------------------------------------------------------------------------------------

// The output point of an input point or edge; one that somebody has removed is made again.
static bool ensure_point(mapping *self, int kind, uint32_t element) {
    const uint32_t *ends =
        kind == ST_EDGE ? st_mapped_from(&self->base)->elements[ST_EDGE].data + 2 * (size_t)element : &element;
    st_point_sources *sources = &self->sources;
    const uint32_t starts[2] = {0, kind == ST_EDGE ? 2 : 0};
    const st_real halves[2] = {ST_R(0.5), ST_R(0.5)};
    uint32_t ancestors[2] = {0, 0};
    if (sources->places[kind].data[element] != ST_INVALID_INDEX) return true;

    // the middle lies between the points of the ends
    bool ok = true;
    for (int i = 0; ok && kind == ST_EDGE && i < 2; i++) {
        ok = ensure_point(self, ST_POINT, ends[i]);
        ancestors[i] = sources->places[ST_POINT].data[ends[i]];
    }

    const st_origin origin = {starts, ancestors, halves};
    self->base.at_work = true;
    ok = ok && st_edit_add_points(st_mapped_to(&self->base), 1, &origin, true) == ST_OK;
    self->base.at_work = false;
    return ok && st_point_sources_push(sources, kind, element, 0);
}

static bool add_sources(mapping *self, const st_edit *edit) {
    bool ok = st_point_sources_grow(&self->sources, edit->kind, edit->count);
    if (edit->kind == ST_EDGE)
        for (size_t i = 0; ok && i < edit->count; i++) ok = ensure_point(self, ST_EDGE, edit->ids[i]);
    if (edit->kind != ST_POINT || !ok) return ok;

    // points with their ancestors, in the numbers of the output
    const size_t total = edit->starts ? edit->starts[edit->count] : 0;
    st_uints ancestors = {0};
    ok = st_list_set_count(&ancestors, total, 1);
    for (size_t i = 0; ok && i < total; i++)
        ancestors.data[i] = self->sources.places[ST_POINT].data[edit->ancestors[i]];
    const st_origin origin = {edit->starts, ancestors.data, edit->weights};
    self->base.at_work = true;
    ok = ok && st_edit_add_points(st_mapped_to(&self->base), edit->count, &origin, true) == ST_OK;
    self->base.at_work = false;
    for (size_t i = 0; ok && i < edit->count; i++)
        ok = st_point_sources_push(&self->sources, ST_POINT, edit->ids[i], 0);
    st_list_free(&ancestors);
    return ok;
}

static bool add_tetrahedra(mapping *self, const st_edit *edit) {
    st_topology *input = st_mapped_from(&self->base);
    const uint32_t *edges = st_topology_in(input, ST_TETRAHEDRON, ST_EDGE);
    bool ok = edges != NULL;

    for (size_t i = 0; ok && i < 10 * edit->count; i++) {
        const size_t t = edit->ids[i / 10], k = i % 10;
        ok = k < 4 ? ensure_point(self, ST_POINT, input->elements[ST_TETRAHEDRON].data[4 * t + k])
                   : ensure_point(self, ST_EDGE, edges[6 * t + k - 4]);
    }
    if (ok) st_topological_make(&self->base, edit, tesselated_make);
    return ok;
}

static void tesselated_edited(st_object *object, const st_edits *edits) {
    mapping *self = (mapping *)object;
    bool ok = true;
    if (!st_topological_can_follow(&self->base)) return;

    for (size_t i = 0; ok && i < edits->count; i++) {
        const st_edit *edit = &edits->list[i];
        const bool source = edit->kind == ST_POINT || edit->kind == ST_EDGE;
        if (source && edit->what == ST_EDIT_ADDED) ok = add_sources(self, edit);
        if (source && edit->what == ST_EDIT_REMOVED) st_point_sources_forget_inputs(&self->sources, edit);
        if (source && edit->what == ST_EDIT_RENUMBERED) ok = st_point_sources_renumber(&self->sources, edit);
        if (edit->kind == ST_TETRAHEDRON && edit->what == ST_EDIT_ADDED) ok = add_tetrahedra(self, edit);
        if (edit->kind == ST_TETRAHEDRON && edit->what == ST_EDIT_REMOVED) st_topological_drop(&self->base, edit);
    }
    if (!ok || !tell_sources(self)) st_message(object, ST_ERROR, "the divided mesh could not follow its source");
}

// Input tetrahedra that lose their last part by these edits, before the tables forget them.
static bool note_orphans(mapping *self, const st_edit *edit) {
    const st_topological_mapping *base = &self->base;
    bool ok = true;
    for (size_t i = 0; ok && i < edit->count; i++) {
        const uint32_t in =
            edit->ids[i] < base->loc_to_glob.count ? base->loc_to_glob.data[edit->ids[i]] : ST_INVALID_INDEX;
        size_t left = 0;
        for (size_t k = 0; in != ST_INVALID_INDEX && k < 8; k++) {
            const uint32_t out = base->glob_to_loc.data[8 * (size_t)in + k];
            left += out != ST_INVALID_INDEX && !st_topological_listed(edit->ids, edit->count, out);
        }
        if (in == ST_INVALID_INDEX || left || st_topological_listed(self->orphaned.data, self->orphaned.count, in))
            continue;
        ok = st_list_push(&self->orphaned, in);
    }
    return ok;
}

static void tesselated_output_edited(st_topological_mapping *base, const st_edits *edits) {
    mapping *self = (mapping *)base;
    bool ok = true;

    for (size_t i = 0; ok && i < edits->count; i++) {
        const st_edit *edit = &edits->list[i];
        if (!(base->at_work && edit->what == ST_EDIT_ADDED)) ok = st_point_sources_follow_output(&self->sources, edit);
        if (!base->at_work && edit->kind == ST_TETRAHEDRON && edit->what == ST_EDIT_REMOVED)
            ok = ok && note_orphans(self, edit);
    }
    st_topological_output_edited(base, edits);
    if (!ok || !tell_sources(self)) st_message(&base->object, ST_ERROR, "out of memory: a table of the divided mesh");
}

// Removed input: its points go. Removed output: input tetrahedra that have no part any more go.
static void tesselated_ended(st_topological_mapping *base, const st_topology *where) {
    mapping *self = (mapping *)base;
    st_uints gone = {0};
    if (base->at_work || !st_is_changeable(st_mapped_to(base))) return;

    if (&where->object == base->output && self->orphaned.count) {
        const st_uints orphaned = self->orphaned;
        self->orphaned = (st_uints){0};
        if (st_is_changeable(st_mapped_from(base)))
            st_edit_remove(st_mapped_from(base), ST_TETRAHEDRON, orphaned.data, orphaned.count, true, true);
        st_free(orphaned.data);
    } else if (&where->object == base->input) {
        if (!st_point_sources_marked(&self->sources, &gone))
            st_message(&base->object, ST_ERROR, "out of memory: points of removed edges stay");
        else if (gone.count) st_edit_remove_points(st_mapped_to(base), gone.data, gone.count, true);
        st_list_free(&gone);
    }
}

static st_status simple_tesselated_tetra_init(st_object *object) {
    mapping *self = (mapping *)object;
    st_topology *input = st_mapped_from(&self->base);
    self->base.output_edited = tesselated_output_edited;
    self->base.ended = tesselated_ended;
    self->orphaned.count = 0;
    st_status status = st_topological_check_types(&self->base, ST_TETRAHEDRON, ST_TETRAHEDRON);
    if (status != ST_OK) return status;

    const size_t points = st_topology_points(input);
    const st_uints *edges = st_topology_elements(input, ST_EDGE);
    if (points + edges->count > INT32_MAX) return st_invalid(object, "too many points");

    st_topological_begin(&self->base, points + edges->count);

    // points first, then the middles of edges, then the elements that use both
    status = relate_points(self, points, edges->count);
    if (status == ST_OK) status = st_tesselated_begin(&self->base);
    if (status == ST_OK) status = st_tesselated_add(&self->base, edges->data, 2, edges->count);
    if (status == ST_OK) status = make_elements(self);

    if (status == ST_OUT_OF_MEMORY) return st_invalid(object, "out of memory for its tetrahedra");
    return status == ST_OK ? st_topological_finish(&self->base) : status;
}

st_status st_tesselated_begin(st_topological_mapping *base) {
    const st_topology *input = st_mapped_from(base);
    st_topology *output = st_mapped_to(base);
    const size_t points = st_topology_points(input);
    st_real p[3];

    st_unlink_field(&output->object, &output->position);
    output->position.count = 0;

    // without coordinates in the input there are none in the output
    if (points == 0 || !st_topology_point(input, 0, p)) return ST_OK;
    if (!st_resize_member(&output->object, &output->position, points)) return ST_OUT_OF_MEMORY;
    for (size_t i = 0; i < points; i++) st_topology_point(input, i, output->position.data + 3 * i);

    st_touch(&output->object, &output->position);
    return ST_OK;
}

st_status st_tesselated_add(st_topological_mapping *base, const uint32_t *groups, int size, size_t count) {
    const st_topology *input = st_mapped_from(base);
    st_topology *output = st_mapped_to(base);
    const size_t old = output->position.count;

    if (old == 0) return ST_OK;
    if (!st_resize_member(&output->object, &output->position, old + count)) return ST_OUT_OF_MEMORY;

    for (size_t g = 0; g < count; g++) {
        // the mean of the group
        st_real sum[3] = {0, 0, 0}, p[3] = {0, 0, 0};
        for (int k = 0; k < size; k++) {
            st_topology_point(input, groups[g * (size_t)size + (size_t)k], p);
            st_vec3_add(sum, sum, p);
        }

        st_vec3_divide(output->position.data + 3 * (old + g), sum, (st_real)size);
    }
    return ST_OK;
}

static void tesselated_destroy(st_object *object) {
    mapping *self = (mapping *)object;
    st_list_free(&self->orphaned);
    st_list_free(&self->sources.points);
    st_topological_mapping_class.destroy(object);
}

bool st_tesselated_source(const st_object *object, size_t point, uint32_t *element, bool *edge) {
    const st_point_sources *sources = &((const mapping *)object)->sources;
    if (point >= sources->points.count || sources->points.data[point].kind >= ST_SOURCE_KINDS) return false;
    *element = sources->points.data[point].slot;
    *edge = sources->points.data[point].kind == ST_EDGE;
    return true;
}

static const st_field fields[] = {
    ST_FIELD(mapping, base.glob_to_loc, "tetrahedraMappedFromTetra", st_type_indices, NULL,
             "the eight tetrahedra of each input tetrahedron", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(mapping, base.loc_to_glob, "tetraSource", st_type_indices, NULL,
             "the input tetrahedron of each output one", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(mapping, sources.places[ST_POINT], "pointMappedFromPoint", st_type_indices, NULL,
             "the output point of each input point", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(mapping, sources.places[ST_EDGE], "pointMappedFromEdge", st_type_indices, NULL,
             "the output point of each input edge", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(mapping, source, "pointSource", st_type_ints, NULL,
             "of each output point: the input point + 1, or minus (the input edge + 1); 0: neither",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

const st_class st_simple_tesselated_tetra_topological_mapping_class = {
    .name = "SimpleTesselatedTetraTopologicalMapping",
    .help = "eight tetrahedra for each tetrahedron",
    .parent = &st_topological_mapping_class,
    .fields = fields,
    .size = sizeof(mapping),
    .example =
        "<TetrahedronSetTopologyContainer name='coarse' position='0 0 0 1 0 0 0 1 0 0 0 1' tetrahedra='0 1 2 3'/>"
        "<Node name='fine'><TetrahedronSetTopologyContainer name='mesh'/>"
        "<SimpleTesselatedTetraTopologicalMapping input='@../coarse' output='@mesh'/></Node>",
    .init = simple_tesselated_tetra_init,
    .edited = tesselated_edited,
    .destroy = tesselated_destroy,
};
