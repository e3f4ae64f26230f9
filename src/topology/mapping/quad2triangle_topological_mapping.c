// Quad2TriangleTopologicalMapping: two triangles for each quad. With `swapping` the diagonals alternate like the fields
// of a chess board: quad i of a grid with `scale` cells a row is cut the other way where i mod scale + i div scale is
// odd.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "topology/grid.h"
#include "topology/mapping/topological_mapping.h"

typedef struct mapping {
    st_topological_mapping base;
    bool swapping;
} mapping;

static const st_field fields[] = {
    ST_FIELD(mapping, swapping, "swapping", st_type_bool, "1", "alternate the diagonals"),
    ST_FIELDS_END,
};

// Cells in one row of the quads; 0 for a grid that is only a line.
static size_t row_length(const st_topology *input) {
    if (!st_is_a(&input->object, &st_grid_topology_class)) return 2;

    const int32_t *n = ((const st_grid *)input)->n;
    return (size_t)(n[0] > 1 ? n[0] - 1 : n[1] - 1);
}

static st_status quad2triangle_cut(mapping *self, const st_uints *quads, size_t scale) {
    static const size_t cuts[2][6] = {{1, 2, 0, 3, 0, 2}, {0, 1, 3, 2, 3, 1}};
    st_topology *output = st_mapped_to(&self->base);

    st_topological_begin(&self->base, st_topology_points(st_mapped_from(&self->base)));
    const st_status status = st_topological_reserve(&self->base, ST_TRIANGLE, 2 * quads->count, quads->count, 2);
    if (status != ST_OK) return status;

    for (size_t i = 0; i < quads->count; i++) {
        // odd fields of the chess board take the other diagonal
        const bool other = self->swapping && ((i % scale) ^ (i / scale)) % 2 == 1;
        for (size_t k = 0; k < 6; k++)
            output->elements[ST_TRIANGLE].data[6 * i + k] = quads->data[4 * i + cuts[other][k]];

        st_topological_relate(&self->base, 2 * i, i, 0);
        st_topological_relate(&self->base, 2 * i + 1, i, 1);
    }

    return st_topological_finish(&self->base);
}

static st_status quad2triangle_init(st_object *object) {
    mapping *self = (mapping *)object;
    const size_t scale = row_length(st_mapped_from(&self->base));

    if (scale == 0) return st_invalid(object, "the input grid is a line: it has no quads");
    st_status status = st_topological_check_types(&self->base, ST_QUAD, ST_TRIANGLE);
    if (status == ST_OK)
        status = st_topological_require_modifier(&self->base, &st_triangle_set_topology_modifier_class);

    return status == ST_OK ? quad2triangle_cut(self, st_topology_elements(st_mapped_from(&self->base), ST_QUAD), scale)
                           : status;
}

// ---------------------------------------------------------------------------------------------------
// Changes
// ---------------------------------------------------------------------------------------------------

// New quads are always divided along their first diagonal.
static void quad2triangle_make(st_topological_mapping *self, uint32_t quad, size_t k, uint32_t *vertices) {
    static const size_t local[2][3] = {{0, 1, 2}, {0, 2, 3}};
    const uint32_t *from = st_mapped_from(self)->elements[ST_QUAD].data + 4 * (size_t)quad;
    for (int i = 0; i < 3; i++) vertices[i] = from[local[k][i]];
}

static void quad2triangle_edited(st_object *object, const st_edits *edits) {
    st_topological_mapping *self = (st_topological_mapping *)object;
    if (!st_topological_can_follow(self)) return;

    for (size_t i = 0; i < edits->count; i++) {
        const st_edit *edit = &edits->list[i];
        st_topological_follow_points(self, edit);
        st_topological_add_points(self, edit);
        if (edit->kind == ST_QUAD && edit->what == ST_EDIT_ADDED) st_topological_make(self, edit, quad2triangle_make);
        if (edit->kind == ST_QUAD && edit->what == ST_EDIT_REMOVED) st_topological_drop(self, edit);
    }
}

const st_class st_quad2triangle_topological_mapping_class = {
    .name = "Quad2TriangleTopologicalMapping",
    .help = "two triangles for each quad",
    .parent = &st_topological_mapping_class,
    .fields = fields,
    .size = sizeof(mapping),
    .example = "<RegularGridTopology name='grid' n='3 3 1'/><Node name='triangles'>"
               "<TriangleSetTopologyContainer name='mesh'/><TriangleSetTopologyModifier/>"
               "<Quad2TriangleTopologicalMapping input='@../grid' output='@mesh'/></Node>",
    .init = quad2triangle_init,
    .edited = quad2triangle_edited,
};
