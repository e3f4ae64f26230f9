// Hexa2QuadTopologicalMapping: the surface of a mesh of hexahedra, which is the quads that one of them has.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "topology/adjacency.h"
#include "topology/mapping/topological_mapping.h"
#include "topology/tables.h"

typedef struct mapping {
    st_topological_mapping base;
    bool flip_normals;
} mapping;

static const st_field fields[] = {
    ST_FIELD(mapping, flip_normals, "flipNormals", st_type_bool, "0", "read the vertices of each quad backwards"),
    ST_FIELDS_END,
};

static st_status hexa2quad_init(st_object *object) {
    mapping *self = (mapping *)object;
    st_status status = st_topological_check_types(&self->base, ST_HEXAHEDRON, ST_QUAD);
    if (status == ST_OK) status = st_topological_require_modifier(&self->base, &st_quad_set_topology_modifier_class);
    return status == ST_OK ? st_topological_map_border(&self->base, ST_HEXAHEDRON, ST_QUAD, self->flip_normals)
                           : status;
}

// ---------------------------------------------------------------------------------------------------
// Changes
// ---------------------------------------------------------------------------------------------------

// The quad of the other hexahedron, looking outward of it.
static void hexa2quad_opened(const mapping *self, st_topology *input, uint32_t other, uint32_t part, uint32_t v[4]) {
    const uint32_t *faces = st_topology_in(input, ST_HEXAHEDRON, ST_QUAD) + 6 * (size_t)other;
    const uint32_t *corners = input->elements[ST_HEXAHEDRON].data + 8 * (size_t)other;
    int j = 0;
    while (j < 5 && faces[j] != part) j++;
    for (int i = 0; i < 4; i++) v[i] = corners[st_hexahedron_quads[j][self->flip_normals ? 3 - i : i]];
}

// Hexahedra are about to go: the quads that they share with others become surface.
static void hexa2quad_open(mapping *self, const st_edit *edit) {
    st_topology *input = st_mapped_from(&self->base);
    st_uints vertices = {0}, from = {0};
    bool ok = true;

    // a hexahedron that goes in the same edit opens nothing
    for (size_t i = 0; ok && i < edit->count; i++)
        for (int j = 0; ok && j < 6; j++) {
            uint32_t part, v[4];
            const uint32_t other = st_topological_other(input, ST_HEXAHEDRON, ST_QUAD, edit->ids[i], j, &part);
            if (other == ST_INVALID_INDEX || st_topological_listed(edit->ids, i, other)) continue;
            hexa2quad_opened(self, input, other, part, v);
            ok = st_list_push(&from, part);
            for (int k = 0; k < 4; k++) ok = ok && st_list_push(&vertices, v[k]);
        }

    if (ok) st_topological_add(&self->base, ST_QUAD, &vertices, &from);
    else st_message(&self->base.object, ST_ERROR, "out of memory: new quads of the surface");
    st_list_free(&vertices);
    st_list_free(&from);
}

// One at a time, as each call of its own has an order of its own.
static void hexa2quad_drop(mapping *self, const st_edit *edit) {
    for (size_t i = 0; i < edit->count; i++) {
        uint32_t out =
            edit->ids[i] < self->base.glob_to_loc.count ? self->base.glob_to_loc.data[edit->ids[i]] : ST_INVALID_INDEX;
        st_uints gone = {.data = &out, .count = 1, .capacity = 1};
        if (out != ST_INVALID_INDEX) st_topological_remove(&self->base, ST_QUAD, &gone, true, false);
        else
            st_message(&self->base.object, ST_WARNING, "quad %u, which is removed, was not on the surface",
                       edit->ids[i]);
        st_topological_forget_inputs(&self->base, &edit->ids[i], 1);
    }
}

// What is added shows when a later removal opens it, as in SOFA.
static void hexa2quad_edited(st_object *object, const st_edits *edits) {
    mapping *self = (mapping *)object;
    if (!st_topological_can_follow(&self->base)) return;

    for (size_t i = 0; i < edits->count; i++) {
        const st_edit *edit = &edits->list[i];
        st_topological_follow_points(&self->base, edit);
        if (edit->kind == ST_QUAD && edit->what == ST_EDIT_ADDED) st_topological_grow(&self->base, edit->count);
        if (edit->kind == ST_QUAD && edit->what == ST_EDIT_REMOVED) hexa2quad_drop(self, edit);
        if (edit->kind == ST_HEXAHEDRON && edit->what == ST_EDIT_REMOVED) hexa2quad_open(self, edit);
    }
}

const st_class st_hexa2quad_topological_mapping_class = {
    .name = "Hexa2QuadTopologicalMapping",
    .help = "the surface of a mesh of hexahedra",
    .parent = &st_topological_mapping_class,
    .fields = fields,
    .size = sizeof(mapping),
    .example =
        "<RegularGridTopology name='volume' n='3 3 3'/><Node name='surface'><QuadSetTopologyContainer name='quads'/>"
        "<QuadSetTopologyModifier/><Hexa2QuadTopologicalMapping input='@../volume' output='@quads'/></Node>",
    .init = hexa2quad_init,
    .edited = hexa2quad_edited,
};
