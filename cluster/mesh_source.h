// Where the mesh of a scene comes from: each reads or makes one slice of points and elements on each rank.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CLUSTER_MESH_SOURCE_H
#define SETTEE_CLUSTER_MESH_SOURCE_H

#include "settee/settee.h"
#include "spread.h"

// RegularGridTopology with these attributes. `cells` gets the number of cells along x and y.
void st_make_grid(st_slices *slices, const st_attribute_text *attributes, size_t count, size_t cells[2]);
// Gmsh, format 2, ASCII. Rank 0 reads the file in chunks and hands them on.
void st_read_gmsh(st_slices *slices, const char *path);

// The six tetrahedra of the hexahedra that a rank holds, as Hexa2TetraTopologicalMapping makes them: 24 places of points
// for each. `cells` (of a grid) says which are mirrored; 0 0: the mesh is no grid.
uint32_t *st_make_tetrahedra(const st_spread *spread, bool swapping, const size_t cells[2]);

#endif
