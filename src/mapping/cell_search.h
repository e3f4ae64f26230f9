// The element of a mesh to which a point belongs, and the point's coordinates there.
//
// An element has three axes from its first node p0 (p1, p2, p3 of a tetrahedron; p1, p3, p4 of a hexahedron; p1, p2 or
// p1, p3 and their cross product for a triangle or a quad). With them as the columns of A, the local coordinates of p
// are f = A^-1 (p - p0), and the measure d of how far p is inside (d <= 0) is
//
//     triangle     max(-fx, -fy, |fz| - 0.01, fx + fy - 1)
//     quad         max(-fx, -fy, |fz| - 0.01, fx - 1, fy - 1)
//     tetrahedron  max(-fx, -fy, -fz, fx + fy + fz - 1)
//     hexahedron   max(-fx, -fy, -fz, fx - 1, fy - 1, fz - 1)
//
// For a point outside, d is instead the square of its distance to the mean of the nodes. The element of smallest d is
// the point's, the first one among equals. Where |det A| is not above the epsilon of double, A^-1 is taken as zero;
// such a flat element holds every point with d = 0.
//
// A tree of boxes over the elements gives what a loop over all of them would, without the loop. Space may be divided
// into cubes, and a search be limited to the elements whose bounding box overlaps one of them.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_CELL_SEARCH_H
#define SETTEE_MAPPING_CELL_SEARCH_H

#include "math/box_tree.h"
#include "settee/plugin/topology.h"

typedef struct st_cell {
    st_element kind;
    const uint32_t *nodes; // borrowed
    st_real origin[3];
    st_real inverse[9];
    st_real center[3];
    bool flat; // A has no inverse
} st_cell;

// Cubes by their numbers along each axis, from low to high, both among them.
typedef struct st_cell_cubes {
    st_real low[3], high[3];
} st_cell_cubes;

// An answer: the smallest measure so far, and the cell that has it; SIZE_MAX: none yet.
typedef struct st_cell_best {
    st_real d;
    size_t cell;
} st_cell_best;

// Zero bytes are an empty search.
typedef struct st_cell_search {
    ST_LIST(st_cell) cells;       // in the order in which ties are decided
    ST_LIST(st_cell_cubes) cubes; // that the bounding boxes of the cells overlap, when space is divided
    st_box_tree tree;
    bool transpose; // set before adding: A^T takes the place of the inverse that a flat element does not have
} st_cell_search;

// Adds the elements of one list, in order. `elements` must live as long as the search; every node must exist, and
// positions be finite. False: out of memory.
bool st_cell_search_add(st_cell_search *search, st_element kind, const st_uints *elements, const st_real *positions);
// Divides space into cubes of this side, after all elements were added.
bool st_cell_search_divide(st_cell_search *search, st_real side, const st_real *positions);
// Makes the tree, after all that.
bool st_cell_search_finish(st_cell_search *search, const st_real *positions);
// The cell of a point and its coordinates there; SIZE_MAX without cells, or when nothing comes out as a number.
size_t st_cell_search_find(const st_cell_search *search, const st_real p[3], st_real local[3]);
// The same as going through the cubes, x slowest and z fastest, and in each cube through its cells in order: whichever
// has a smaller measure than the best one becomes the best.
void st_cell_search_in_cubes(const st_cell_search *search, const st_cell_cubes *cubes, const st_real p[3],
                             st_cell_best *best);
// The coordinates of a point in one cell.
void st_cell_coordinates(const st_cell *cell, const st_real p[3], st_real local[3]);
void st_cell_search_free(st_cell_search *search);

#endif
