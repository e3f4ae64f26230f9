// Hexahedra cut into six tetrahedra each, as TetrahedronFEMForceField does where a mesh has no tetrahedra.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_TETRAHEDRON_HEXA_SPLIT_H
#define SETTEE_FORCE_FEM_TETRAHEDRON_HEXA_SPLIT_H

#include "settee/plugin/topology.h"

// Tetrahedra 6 i to 6 i + 5 come from hexahedron i. The cut is mirrored from cell to cell so that faces match; what
// counts as the next cell along x, y and z is known for grids, and taken as 2 cells in x and 1 in y otherwise. The list
// is allocated; false when out of memory.
bool st_split_hexahedra(st_topology *topology, st_uints *tetrahedra);

#endif
