// Tetrahedra of the body-centered cubic lattice, cut at a surface: vertices have a sign (1 inside, 0 on the surface, -1
// outside), and what is outside goes.
//
// What is left of a tetrahedron is a tetrahedron, a pyramid or a wedge. Their quads are what is left of a triangle with
// one vertex o outside: inside vertices d and e and the points of the surface on d-o and e-o. Each is divided from d to
// the point on e-o. d is the vertex with the short edge to o; where both are short, the one from which the point on e-o
// lies before along an even number of axes if d is of the grid G, along an odd number if it is of H. The choice depends
// on nothing but the triangle, so that neighbors agree. The order of tetrahedra and of their vertices is SOFA's.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ENGINE_TETRA_CUT_H
#define SETTEE_ENGINE_TETRA_CUT_H

#include "engine/bcc_lattice.h"
#include "topology/element_set.h"

typedef struct st_tetra_cut {
    const st_bcc_lattice *lattice;
    st_reals points;            // Vec3; those of the lattice, then those on cut edges
    ST_LIST(signed char) signs; // of the points of the lattice
    st_uints tetrahedra;
    st_element_set cuts; // edge of the lattice -> its point on the surface
    size_t strange;      // tetrahedra whose diagonals make a circle, or whose two do not fit each other
} st_tetra_cut;

// Makes the points on all edges from the outside to the inside: for each outside vertex, in the order of its edges.
bool st_tetra_cut_edges(st_tetra_cut *cut);
// Adds what is inside of a tetrahedron; not `split`: all of it when a vertex is inside or none is outside.
bool st_tetra_cut_add(st_tetra_cut *cut, const uint32_t vertices[4], bool split);
// The tetrahedra, turned to positive volume, and the points that they use, renumbered in order.
bool st_tetra_cut_finish(const st_tetra_cut *cut, st_reals *points, st_uints *tetrahedra);
void st_tetra_cut_free(st_tetra_cut *cut);

#endif
