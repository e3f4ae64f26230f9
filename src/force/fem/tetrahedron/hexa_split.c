// See hexa_split.h. The orientation of the tetrahedra alternates with the mirroring: their signed volumes, too.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/tetrahedron/hexa_split.h"

#include "base/array.h"
#include "topology/grid.h"

static void hexa_split_swap(uint32_t c[8], int a, int b) {
    const uint32_t other = c[a];
    c[a] = c[b];
    c[b] = other;
}

static void hexa_split_mirror(uint32_t c[8], const int pairs[4][2]) {
    for (int k = 0; k < 4; k++) hexa_split_swap(c, pairs[k][0], pairs[k][1]);
}

bool st_split_hexahedra(st_topology *topology, st_uints *tetrahedra) {
    static const int along_x[4][2] = {{0, 1}, {4, 5}, {3, 2}, {7, 6}};
    static const int along_y[4][2] = {{4, 7}, {5, 6}, {1, 2}, {0, 3}};
    static const int along_z[4][2] = {{4, 0}, {5, 1}, {6, 2}, {7, 3}};
    static const int corners[6][4] = {{0, 5, 1, 6}, {0, 1, 3, 6}, {1, 3, 6, 2},
                                      {6, 3, 0, 7}, {6, 7, 0, 5}, {7, 5, 4, 0}};
    const st_uints *hexahedra = st_topology_elements(topology, ST_HEXAHEDRON);

    // how many cells there are along x and y
    size_t nx = 2, ny = 1;
    if (st_is_a(&topology->object, &st_grid_topology_class)) {
        const st_grid *grid = (const st_grid *)topology;
        nx = grid->n[0] > 2 ? (size_t)grid->n[0] - 1 : 1;
        ny = grid->n[1] > 2 ? (size_t)grid->n[1] - 1 : 1;
    }

    // every other cell is mirrored, so that the cuts of faces match
    if (!st_list_set_count(tetrahedra, 6 * hexahedra->count, 4)) return false;
    for (size_t i = 0; i < hexahedra->count; i++) {
        uint32_t c[8];
        memcpy(c, hexahedra->data + 8 * i, sizeof c);
        if (i % nx % 2 == 0) hexa_split_mirror(c, along_x);
        if (i / nx % ny % 2 == 1) hexa_split_mirror(c, along_y);
        if (i / (nx * ny) % 2 == 1) hexa_split_mirror(c, along_z);

        for (size_t t = 0; t < 6; t++)
            for (size_t k = 0; k < 4; k++) tetrahedra->data[4 * (6 * i + t) + k] = c[corners[t][k]];
    }
    return true;
}
