// Tetrahedra cut at a surface: vertices have a sign (1 inside, 0 on the surface, -1 outside), and what is outside goes.
//
// What is left of a tetrahedron is a tetrahedron, a pyramid or a wedge. Pyramids and wedges are divided so that each of
// their quads is cut through its vertex of smallest number: neighbors that share a quad agree.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ENGINE_TETRA_CUT_H
#define SETTEE_ENGINE_TETRA_CUT_H

#include "topology/element_set.h"

typedef struct st_tetra_cut {
    st_reals points;                                                          // Vec3; cut points are appended
    ST_LIST(signed char) signs;                                               // of the points
    void (*place)(const void *context, uint32_t a, uint32_t b, st_real p[3]); // of the surface on the edge a-b
    const void *context;
    st_uints tetrahedra;
    st_element_set cuts; // of edges
} st_tetra_cut;

// Adds what is inside of a tetrahedron; not `split`: all of it when a vertex is inside or none is outside.
bool st_tetra_cut_add(st_tetra_cut *cut, const uint32_t vertices[4], bool split);
// The tetrahedra, turned to positive volume, and the points that they use, renumbered in order.
bool st_tetra_cut_finish(const st_tetra_cut *cut, st_reals *points, st_uints *tetrahedra);
void st_tetra_cut_free(st_tetra_cut *cut);

#endif
