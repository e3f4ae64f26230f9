// A lattice of equal boxes: n points along each axis, point (i, j, k) = p0 + (i step x, j step y, k step z).
//
// Cell (i, j, k) has the index i + (nx-1) (j + (ny-1) k), point (i, j, k) the index i + nx (j + ny k).
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_LATTICE_H
#define SETTEE_TOPOLOGY_LATTICE_H

#include "math/real.h"

typedef struct st_lattice {
    int32_t n[3];
    st_real p0[3], step[3];
} st_lattice;

static inline size_t st_lattice_cell(const st_lattice *lattice, const int32_t at[3]) {
    return ((size_t)(lattice->n[1] - 1) * (size_t)at[2] + (size_t)at[1]) * (size_t)(lattice->n[0] - 1) + (size_t)at[0];
}
static inline size_t st_lattice_cells(const st_lattice *lattice) {
    return (size_t)(lattice->n[0] - 1) * (size_t)(lattice->n[1] - 1) * (size_t)(lattice->n[2] - 1);
}
static inline void st_lattice_place(const st_lattice *lattice, size_t cell, int32_t at[3]) {
    for (int i = 0; i < 3; i++) {
        const size_t cells = (size_t)(lattice->n[i] - 1);
        at[i] = (int32_t)(cell % cells);
        cell /= cells;
    }
}
static inline st_real st_lattice_coordinate(const st_lattice *lattice, int axis, int32_t i) {
    return lattice->p0[axis] + lattice->step[axis] * (st_real)i;
}

// ((p - p0) . d) / |d|^2 along each axis
static inline void st_lattice_relative(const st_lattice *lattice, const st_real p[3], st_real relative[3]) {
    for (int i = 0; i < 3; i++) {
        const st_real d = lattice->step[i];
        relative[i] = (p[i] - lattice->p0[i]) * d / (d * d);
    }
}

// The cell that holds p, with the coordinates of p there in [0, 1); SIZE_MAX when p is outside (the faces of largest
// coordinates are) or there are no cells.
static inline size_t st_lattice_find(const st_lattice *lattice, const st_real p[3], st_real local[3]) {
    st_real relative[3];
    int32_t at[3];

    st_lattice_relative(lattice, p, relative);

    // outside along one axis is outside
    for (int i = 0; i < 3; i++) {
        const st_real whole = floor(relative[i]);
        if (!(whole >= 0 && whole <= (st_real)(lattice->n[i] - 2))) return SIZE_MAX;
        at[i] = (int32_t)whole;
        local[i] = relative[i] - whole;
    }

    return st_lattice_cell(lattice, at);
}

// The nearest cell: the same inside, coordinates below 0 or above 1 outside. There must be a cell.
static inline size_t st_lattice_find_nearest(const st_lattice *lattice, const st_real p[3], st_real local[3]) {
    st_real relative[3];
    int32_t at[3];
    st_lattice_relative(lattice, p, relative);

    for (int i = 0; i < 3; i++) {
        const st_real whole = st_clamp(floor(relative[i]), 0, (st_real)(lattice->n[i] - 2));
        at[i] = (int32_t)whole;
        local[i] = relative[i] - whole;
    }
    return st_lattice_cell(lattice, at);
}

#endif
