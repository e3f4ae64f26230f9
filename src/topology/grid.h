// Grids: points in nx × ny × nz layers, and the cells, faces and lines between them.
//
// Point (x, y, z) has the index x + nx (y + ny z), cell (x, y, z) the index x + (nx-1) (y + (ny-1) z).
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_GRID_H
#define SETTEE_TOPOLOGY_GRID_H

#include "topology/mesh_topology.h"

typedef struct st_grid {
    st_mesh_topology mesh;
    int32_t n[3];
    int32_t n_axis[3]; // the short-hands nx, ny, nz
    bool compute_hexahedra, compute_quads, compute_triangles, compute_edges, compute_points;
    bool create_tex_coords;
} st_grid;

extern const st_class st_grid_topology_class;

// Takes over the short-hands and brings n into its range; for `parse`, and again for `init`.
st_status st_grid_check_size(st_grid *grid);

static inline size_t st_grid_points(const st_grid *grid) {
    return (size_t)grid->n[0] * (size_t)grid->n[1] * (size_t)grid->n[2];
}
static inline size_t st_grid_cells(const st_grid *grid) {
    return (size_t)(grid->n[0] - 1) * (size_t)(grid->n[1] - 1) * (size_t)(grid->n[2] - 1);
}
static inline uint32_t st_grid_point_index(const st_grid *grid, int32_t x, int32_t y, int32_t z) {
    return (uint32_t)(x + grid->n[0] * (y + grid->n[1] * z));
}
// The eight vertices of a cell that exists, in the order of a hexahedron.
void st_grid_cell_corners(const st_grid *grid, size_t cell, uint32_t corners[8]);

#endif
