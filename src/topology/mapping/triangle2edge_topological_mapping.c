// Triangle2EdgeTopologicalMapping: the rim of a surface, which is the edges that one triangle has.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "topology/adjacency.h"
#include "topology/mapping/topological_mapping.h"

static st_status triangle2edge_init(st_object *object) {
    st_topological_mapping *mapping = (st_topological_mapping *)object;
    st_status status = st_topological_check_types(mapping, ST_TRIANGLE, ST_EDGE);
    if (status == ST_OK) status = st_topological_require_modifier(mapping, &st_edge_set_topology_modifier_class);
    return status == ST_OK ? st_topological_map_border(mapping, ST_TRIANGLE, ST_EDGE, false) : status;
}

// ---------------------------------------------------------------------------------------------------
// Changes
// ---------------------------------------------------------------------------------------------------

// Triangles are about to go: the edges that they share with others become rim, small vertex first.
static void triangle2edge_open(st_topological_mapping *self, const st_edit *edit) {
    st_topology *input = st_mapped_from(self);
    st_uints vertices = {0}, from = {0};
    bool ok = true;

    // a triangle that goes in the same edit opens nothing
    for (size_t i = 0; ok && i < edit->count; i++)
        for (int j = 0; ok && j < 3; j++) {
            uint32_t part;
            const uint32_t other = st_topological_other(input, ST_TRIANGLE, ST_EDGE, edit->ids[i], j, &part);
            if (other == ST_INVALID_INDEX || st_topological_listed(edit->ids, i, other)) continue;
            const uint32_t *e = input->elements[ST_EDGE].data + 2 * (size_t)part;
            ok = st_list_push(&from, part) && st_list_push(&vertices, e[e[0] > e[1]]) &&
                 st_list_push(&vertices, e[e[0] <= e[1]]);
        }

    if (ok) st_topological_add(self, ST_EDGE, &vertices, &from);
    else st_message(&self->object, ST_ERROR, "out of memory: new edges of the rim");
    st_list_free(&vertices);
    st_list_free(&from);
}

static void triangle2edge_drop(st_topological_mapping *self, const st_edit *edit) {
    for (size_t i = 0; i < edit->count; i++) {
        uint32_t out = edit->ids[i] < self->glob_to_loc.count ? self->glob_to_loc.data[edit->ids[i]] : ST_INVALID_INDEX;
        st_uints gone = {.data = &out, .count = 1, .capacity = 1};
        if (out != ST_INVALID_INDEX) st_topological_remove(self, ST_EDGE, &gone, false, false);
        else st_message(&self->object, ST_WARNING, "edge %u, which is removed, was not on the rim", edit->ids[i]);
        st_topological_forget_inputs(self, &edit->ids[i], 1);
    }
}

// Triangles have come: edges that they cover leave the rim, others join it. What leaves takes isolated points with it.
static void triangle2edge_cover(st_topological_mapping *self, const st_edit *edit) {
    st_topology *input = st_mapped_from(self);
    const uint32_t *edges = st_topology_in(input, ST_TRIANGLE, ST_EDGE);
    st_uints vertices = {0}, from = {0}, gone = {0};
    bool ok = edges != NULL;

    // border or not, now that all new triangles are there
    for (size_t i = 0; ok && i < 3 * edit->count; i++) {
        const uint32_t edge = edges[3 * (size_t)edit->ids[i / 3] + i % 3];
        if (edge >= self->glob_to_loc.count) continue;
        const uint32_t out = self->glob_to_loc.data[edge];
        const bool border = st_topological_around(input, ST_TRIANGLE, ST_EDGE, edge) == 1;

        if (out != ST_INVALID_INDEX && !border && !st_topological_listed(gone.data, gone.count, out))
            ok = st_list_push(&gone, out);
        if (out == ST_INVALID_INDEX && border) {
            const uint32_t *e = input->elements[ST_EDGE].data + 2 * (size_t)edge;
            ok = st_list_push(&from, edge) && st_list_push(&vertices, e[0]) && st_list_push(&vertices, e[1]);
        }
    }

    if (ok) ok = st_topological_add(self, ST_EDGE, &vertices, &from) == ST_OK;
    if (ok) ok = st_topological_remove(self, ST_EDGE, &gone, false, true) == ST_OK;
    if (!ok) st_message(&self->object, ST_ERROR, "the rim could not follow new triangles");
    st_list_free(&vertices);
    st_list_free(&from);
    st_list_free(&gone);
}

static void triangle2edge_edited(st_object *object, const st_edits *edits) {
    st_topological_mapping *self = (st_topological_mapping *)object;
    if (!st_topological_can_follow(self)) return;

    for (size_t i = 0; i < edits->count; i++) {
        const st_edit *edit = &edits->list[i];
        const bool added = edit->what == ST_EDIT_ADDED, removed = edit->what == ST_EDIT_REMOVED;
        st_topological_follow_points(self, edit);

        if (edit->kind == ST_POINT && added) {
            const st_origin origin = {edit->starts, edit->ancestors, edit->weights};
            st_edit_add_points(st_mapped_to(self), edit->count, &origin, false);
        }
        if (edit->kind == ST_EDGE && added) st_topological_grow(self, edit->count);
        if (edit->kind == ST_EDGE && removed) triangle2edge_drop(self, edit);
        if (edit->kind == ST_TRIANGLE && added) triangle2edge_cover(self, edit);
        if (edit->kind == ST_TRIANGLE && removed) triangle2edge_open(self, edit);
    }
}

const st_class st_triangle2edge_topological_mapping_class = {
    .name = "Triangle2EdgeTopologicalMapping",
    .help = "the rim of a surface of triangles",
    .parent = &st_topological_mapping_class,
    .size = sizeof(st_topological_mapping),
    .example = "<TriangleSetTopologyContainer name='surface' triangles='0 1 2 1 3 2'/><Node name='rim'>"
               "<EdgeSetTopologyContainer name='edges'/><EdgeSetTopologyModifier/>"
               "<Triangle2EdgeTopologicalMapping input='@../surface' output='@edges'/></Node>",
    .init = triangle2edge_init,
    .edited = triangle2edge_edited,
};
