// RegularGridTopology: its geometry, and the search for the cell that holds a point.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_REGULAR_GRID_H
#define SETTEE_TOPOLOGY_REGULAR_GRID_H

#include "topology/grid.h"

typedef struct st_regular_grid {
    st_grid grid;
    st_real min[3], max[3];
    st_real x_range[2], y_range[2], z_range[2]; // the short-hands xmin, xmax, ...
    st_real scale;
    st_real p0[3];
    st_real cell_width;
    st_real step[3]; // point (i, j, k) = p0 + (i step x, j step y, k step z)
} st_regular_grid;

extern const st_class st_regular_grid_topology_class;

// The cell that holds p, with its coordinates there in [0, 1); outside the nearest one, with coordinates below 0 or
// above 1. SIZE_MAX without cells.
size_t st_regular_grid_find_nearest_cell(const st_regular_grid *grid, const st_real p[3], st_real local[3]);

#endif
