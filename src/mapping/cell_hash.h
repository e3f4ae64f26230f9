// The element of a container to which a point belongs, by the rule of hashed cells.
//
// Space is divided into cubes of side h, the mean length of the mesh's edges. An element is in every cube that its
// bounding box overlaps. A point is tried with the elements of its own cube, in order; when that is empty, with all.
// When the best measure is then still larger than h/2 in size, the elements of the 27 cubes around are tried as well (x
// offset slowest, z fastest). Ties stay with the first tried. The measure is that of mapping/cell_search.h; that it
// compares coordinates (inside) and squared lengths (outside) with h is part of the rule, and decides for points
// outside.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_CELL_HASH_H
#define SETTEE_MAPPING_CELL_HASH_H

#include "mapping/cell_search.h"

// The side h of the cubes: `edges` give it, without any the first two nodes of each element.
st_real st_cell_hash_side(const st_cell_search *search, const st_uints *edges, const st_real *positions);
// The cell of a point and its coordinates there, in a finished search that was divided into cubes of this side;
// SIZE_MAX without cells.
size_t st_cell_hash_find(const st_cell_search *search, st_real side, const st_real p[3], st_real local[3]);
// The same for one point, by the elements near it alone: no search over the whole mesh is made. ST_NOT_FOUND where only
// such a search can tell: there is no element in its cube, or cubes have no numbers.
st_status st_cell_hash_find_near(st_element kind, const st_uints *elements, const st_real *positions, st_real side,
                                 const st_real p[3], st_real local[3], uint32_t *element);

#endif
