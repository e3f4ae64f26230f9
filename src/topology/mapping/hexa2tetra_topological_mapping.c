// Hexa2TetraTopologicalMapping: six tetrahedra for each hexahedron.
//
// All of them have the same diagonal, so that the cells of a grid fit together. With `swapping` neighboring cells are
// mirrored instead: cells with an even place along x, an odd one along y, an odd one along z have their vertices
// exchanged along that axis. An odd number of exchanges turns tetrahedra inside out: their last two vertices are exchanged
// as well, so that volumes stay positive. A new hexahedron is mirrored by the number that it has when it comes.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/grid.h"
#include "topology/mapping/topological_mapping.h"
#include "topology/tables.h"

typedef struct mapping {
    st_topological_mapping base;
    bool swapping;
} mapping;

static const st_field fields[] = {
    ST_FIELD(mapping, swapping, "swapping", st_type_bool, "0", "mirror neighboring cells"),
    ST_FIELDS_END,
};

static void hexa2tetra_exchange(uint32_t vertices[8], const int pairs[4][2]) {
    for (int i = 0; i < 4; i++) {
        const uint32_t swap = vertices[pairs[i][0]];
        vertices[pairs[i][0]] = vertices[pairs[i][1]];
        vertices[pairs[i][1]] = swap;
    }
}

// Exchanges vertices by the place of the cell. True: its tetrahedra are turned inside out.
static bool hexa2tetra_mirror(uint32_t vertices[8], size_t cell, size_t nx, size_t ny) {
    static const int along[3][4][2] = {
        {{0, 1}, {4, 5}, {3, 2}, {7, 6}}, {{4, 7}, {5, 6}, {1, 2}, {0, 3}}, {{4, 0}, {5, 1}, {6, 2}, {7, 3}}};

    // even along x, odd along y and z
    const bool needed[3] = {cell % nx % 2 == 0, cell / nx % ny % 2 == 1, cell / (nx * ny) % 2 == 1};
    bool turned = false;

    for (int axis = 0; axis < 3; axis++)
        if (needed[axis]) {
            hexa2tetra_exchange(vertices, along[axis]);
            turned = !turned;
        }

    return turned;
}

static void cells_of(const st_topology *input, size_t *nx, size_t *ny) {
    // without a grid the cells alternate along x alone
    *nx = 2, *ny = 1;

    if (!st_is_a(&input->object, &st_grid_topology_class)) return;

    const st_grid *grid = (const st_grid *)input;
    *nx = grid->n[0] > 1 ? (size_t)grid->n[0] - 1 : 1;
    *ny = grid->n[1] > 1 ? (size_t)grid->n[1] - 1 : 1;
}

// Tetrahedron t of a cell.
static void hexa2tetra_make(st_topological_mapping *base, uint32_t cell, size_t t, uint32_t *vertices) {
    const mapping *self = (const mapping *)base;
    const st_topology *input = st_mapped_from(base);
    size_t nx, ny;
    cells_of(input, &nx, &ny);

    // the vertices of the cell, mirrored by its place in the grid
    uint32_t v[8];
    for (size_t i = 0; i < 8; i++) v[i] = input->elements[ST_HEXAHEDRON].data[8 * (size_t)cell + i];
    const bool turned = self->swapping && hexa2tetra_mirror(v, cell, nx, ny);

    for (size_t i = 0; i < 4; i++) vertices[i] = v[st_hexahedron_tetrahedra[t][turned && i > 1 ? 5 - i : i]];
}

static st_status hexa2tetra_init(st_object *object) {
    mapping *self = (mapping *)object;
    st_topology *input = st_mapped_from(&self->base), *output = st_mapped_to(&self->base);
    const size_t cells = st_topology_elements(input, ST_HEXAHEDRON)->count;

    st_topological_begin(&self->base, st_topology_points(input));
    const st_status status = st_topological_reserve(&self->base, ST_TETRAHEDRON, 6 * cells, cells, 6);
    if (status != ST_OK) return status;

    for (size_t out = 0; out < 6 * cells; out++) {
        hexa2tetra_make(&self->base, (uint32_t)(out / 6), out % 6, output->elements[ST_TETRAHEDRON].data + 4 * out);
        st_topological_relate(&self->base, out, out / 6, out % 6);
    }
    return st_topological_finish(&self->base);
}

static void hexa2tetra_edited(st_object *object, const st_edits *edits) {
    st_topological_mapping *self = (st_topological_mapping *)object;
    if (!st_topological_can_follow(self)) return;

    for (size_t i = 0; i < edits->count; i++) {
        const st_edit *edit = &edits->list[i];
        st_topological_follow_points(self, edit);
        st_topological_add_points(self, edit);
        if (edit->kind == ST_HEXAHEDRON && edit->what == ST_EDIT_ADDED)
            st_topological_make(self, edit, hexa2tetra_make);
        if (edit->kind == ST_HEXAHEDRON && edit->what == ST_EDIT_REMOVED) st_topological_drop(self, edit);
    }
}

const st_class st_hexa2tetra_topological_mapping_class = {
    .name = "Hexa2TetraTopologicalMapping",
    .help = "six tetrahedra for each hexahedron",
    .parent = &st_topological_mapping_class,
    .fields = fields,
    .size = sizeof(mapping),
    .example = "<RegularGridTopology name='grid' n='3 3 3'/><Node name='tetrahedra'>"
               "<TetrahedronSetTopologyContainer name='mesh'/><TetrahedronSetTopologyModifier/>"
               "<Hexa2TetraTopologicalMapping input='@../grid' output='@mesh' swapping='1'/></Node>",
    .init = hexa2tetra_init,
    .edited = hexa2tetra_edited,
};
