// SimpleTesselatedHexaTopologicalMapping: each hexahedron becomes eight.
//
// Points are those of the input, then, hexahedron by hexahedron and each only once: the middles of its edges 01 12 32
// 03 04 15 26 37 45 56 76 47, the centers of its faces 0123 0154 1265 3267 0374 4567, and its own center. Part k holds
// corner k of the hexahedron and lies as it does.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "topology/element_set.h"
#include "topology/mapping/tesselated.h"
#include "topology/tables.h"

enum { EDGES = 12, FACES = 6, PLACES = 8 + EDGES + FACES + 1 };

static const int edges[EDGES][2] = {{0, 1}, {1, 2}, {3, 2}, {0, 3}, {0, 4}, {1, 5},
                                    {2, 6}, {3, 7}, {4, 5}, {5, 6}, {7, 6}, {4, 7}};
static const int faces[FACES][4] = {{0, 1, 2, 3}, {0, 1, 5, 4}, {1, 2, 6, 5}, {3, 2, 6, 7}, {0, 3, 7, 4}, {4, 5, 6, 7}};

typedef struct division {
    st_topological_mapping *base;
    st_element_set edge_set, face_set;
    uint32_t next; // number of the next new point
    bool ok;
} division;

static void add_mean(division *self, const uint32_t *vertices, int count) {
    self->ok = self->ok && st_tesselated_add(self->base, vertices, count, 1) == ST_OK;
    self->next++;
}

// The point in the middle of some corners, made when it is new.
static uint32_t middle(division *self, st_element_set *set, const uint32_t *cell, const int *local, int count) {
    uint32_t vertices[4];

    for (int k = 0; k < count; k++) vertices[k] = cell[local[k]];

    // a group of corners that is known has its point already
    const st_element_set_result result = st_element_set_add(set, vertices, count, self->next);
    if (result == ST_SET_NO_MEMORY) self->ok = false;
    if (result == ST_SET_ADDED) add_mean(self, vertices, count);
    return st_element_set_find(set, vertices, count);
}

// The point at a place of the 3 × 3 × 3 lattice of the divided cell: the mean of the corners around it.
static int simple_tesselated_hexa_place_of(const int at[3]) {
    int around[8], count = 0;

    // corners that the place lies between: 1 at a corner, 2 on an edge, 4 on a face, 8 in the center
    for (int c = 0; c < 8; c++) {
        bool near = true;
        for (int k = 0; k < 3; k++) near = near && (at[k] == 1 || at[k] == 2 * st_hexahedron_corners[c][k]);
        if (near) around[count++] = c;
    }

    if (count == 1) return around[0];

    for (int e = 0; count == 2 && e < EDGES; e++)
        if ((edges[e][0] == around[0] && edges[e][1] == around[1]) ||
            (edges[e][0] == around[1] && edges[e][1] == around[0]))
            return 8 + e;

    for (int f = 0; count == 4 && f < FACES; f++) {
        int common = 0;
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < 4; b++) common += faces[f][a] == around[b];
        if (common == 4) return 8 + EDGES + f;
    }

    return PLACES - 1;
}

static void simple_tesselated_hexa_divide(division *self, size_t cell_index) {
    st_topology *input = st_mapped_from(self->base), *output = st_mapped_to(self->base);
    const uint32_t *cell = input->elements[ST_HEXAHEDRON].data + 8 * cell_index;
    uint32_t places[PLACES];

    // the 27 places: corners, middles of edges, centers of faces, the center
    for (int c = 0; c < 8; c++) places[c] = cell[c];
    for (int e = 0; e < EDGES; e++) places[8 + e] = middle(self, &self->edge_set, cell, edges[e], 2);
    for (int f = 0; f < FACES; f++) places[8 + EDGES + f] = middle(self, &self->face_set, cell, faces[f], 4);
    places[PLACES - 1] = self->next;
    add_mean(self, cell, 8);

    // part k takes the place of corner k: its corner c is at (corner k + corner c) of the lattice
    for (int part = 0; part < 8; part++)
        for (int c = 0; c < 8; c++) {
            const int *a = st_hexahedron_corners[part], *b = st_hexahedron_corners[c];
            const int at[3] = {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
            output->elements[ST_HEXAHEDRON].data[8 * (8 * cell_index + (size_t)part) + (size_t)c] =
                places[simple_tesselated_hexa_place_of(at)];
        }

    for (size_t part = 0; part < 8; part++) st_topological_relate(self->base, 8 * cell_index + part, cell_index, part);
}

static st_status simple_tesselated_hexa_init(st_object *object) {
    st_topological_mapping *base = (st_topological_mapping *)object;
    st_topology *input = st_mapped_from(base);
    st_status status = st_topological_check_types(base, ST_HEXAHEDRON, ST_HEXAHEDRON);
    if (status != ST_OK) return status;

    const size_t points = st_topology_points(input), cells = st_topology_elements(input, ST_HEXAHEDRON)->count;
    if (cells > (UINT32_MAX - points) / PLACES) return st_invalid(object, "too many points");

    // the exact number of points is only known at the end
    st_topological_begin(base, points);
    status = st_topological_reserve(base, ST_HEXAHEDRON, 8 * cells, cells, 8);
    if (status != ST_OK) return status;

    division self = {.base = base, .next = (uint32_t)points, .ok = st_tesselated_begin(base) == ST_OK};
    for (size_t i = 0; self.ok && i < cells; i++) simple_tesselated_hexa_divide(&self, i);
    st_element_set_free(&self.edge_set);
    st_element_set_free(&self.face_set);

    if (!self.ok) return st_invalid(object, "out of memory for its hexahedra");
    st_topology_set_points(st_mapped_to(base), self.next);
    return st_topological_finish(base);
}

const st_class st_simple_tesselated_hexa_topological_mapping_class = {
    .name = "SimpleTesselatedHexaTopologicalMapping",
    .help = "eight hexahedra for each hexahedron",
    .parent = &st_topological_mapping_class,
    .size = sizeof(st_topological_mapping),
    .example =
        "<HexahedronSetTopologyContainer name='coarse' position='0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1' "
        "hexahedra='0 1 2 3 4 5 6 7'/><Node name='fine'><HexahedronSetTopologyContainer name='mesh'/>"
        "<SimpleTesselatedHexaTopologicalMapping input='@../coarse' output='@mesh'/></Node>",
    .init = simple_tesselated_hexa_init,
};
