// The cells of a lattice that a triangle or a segment may touch, found by halving boxes of cells.
//
// A box is left out when an axis separates it from the triangle: one of the lattice, the normal of the triangle, or one
// across both an edge and an axis. Boxes are taken a thousandth of a cell larger, so that what is tested more closely
// afterwards, in whatever precision, is not left out. The cost is that of the cells near the triangle, not of those in
// its bounding box.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_LATTICE_VISIT_H
#define SETTEE_TOPOLOGY_LATTICE_VISIT_H

#include "topology/lattice.h"

// Calls `visit` with each cell from `low` to `high` (both included) that the triangle may touch, in no special order.
// A segment is a triangle with two equal corners. None is called when a corner is farther than 10^12 cells away.
void st_lattice_visit(const st_lattice *lattice, const st_real triangle[3][3], const int32_t low[3],
                      const int32_t high[3], void (*visit)(void *context, const int32_t at[3]), void *context);

#endif
