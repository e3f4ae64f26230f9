// The mesh of a scene, spread over the ranks.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CLUSTER_SPREAD_H
#define SETTEE_CLUSTER_SPREAD_H

#include "petsc_linear_solver.h"
#include "ranks.h"
#include "settee/plugin/topology.h"

// A mesh as its source gives it: this rank's slice of the points and of the elements of each kind.
typedef struct st_slices {
    size_t points, elements[ST_ELEMENT_KINDS]; // of the whole mesh
    st_real *positions;                        // three for each point of the slice
    uint32_t *vertices[ST_ELEMENT_KINDS];      // of the elements of the slice, by index of the whole mesh
} st_slices;
void st_slices_free(st_slices *slices);

// What the rank holds: its own points, every element that has one of them, and the other points of these elements, the
// ghosts. Points and elements are in the order of the whole mesh, so that sums over elements are taken in that order.
typedef struct st_spread {
    st_part part;
    size_t points;      // of the whole mesh
    uint32_t *index;    // in the whole mesh, of each point held, increasing
    st_real *positions; // of these
    size_t count[ST_ELEMENT_KINDS];
    uint32_t *element_index[ST_ELEMENT_KINDS]; // in the whole mesh, increasing
    uint32_t *vertices[ST_ELEMENT_KINDS];      // by place among the points held
} st_spread;

// Splits the mesh; the slices are used up. All ranks call it.
void st_spread_mesh(st_spread *spread, st_slices *slices);
void st_spread_free(st_spread *spread);
// Place of a point of the whole mesh among those held; SIZE_MAX: it is not held.
size_t st_spread_find(const st_spread *spread, uint32_t point);

#endif
