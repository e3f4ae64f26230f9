// The body-centered cubic lattice: two cubic grids G and H, each through the centers of the other's cells, and where
// its edges meet a surface.
//
// G(i, j, k) lies at origin + h (i, j, k), i < n[0] ...; H(i, j, k) half a cell before it, with one point more along
// each axis. Points are numbered G first, x fastest. Each point has fourteen edges: 0 to 5 are long ones along x, y, z
// to points of its own grid, backward and forward in turn; 6 to 13 are short diagonals to the other grid. Edges e and
// e ^ 1 are opposite.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ENGINE_BCC_LATTICE_H
#define SETTEE_ENGINE_BCC_LATTICE_H

#include "engine/surface.h"

enum { ST_BCC_EDGES = 14, ST_BCC_LONG = 6 };

typedef struct st_bcc_lattice {
    st_real origin[3], h;
    size_t n[3]; // of G
    size_t grid_count, count;
    st_real *distance;   // along each edge of each point to the surface, in lengths of the edge; 0: none
    signed char *inside; // 1 inside, -1 outside
} st_bcc_lattice;

// Allocates. False: out of memory.
bool st_bcc_create(st_bcc_lattice *lattice, const st_real box[6], st_real h);
void st_bcc_free(st_bcc_lattice *lattice);

void st_bcc_point(const st_bcc_lattice *lattice, size_t index, st_real p[3]);
size_t st_bcc_grid_index(const st_bcc_lattice *lattice, bool second, const size_t at[3]);
// The other end of an edge; SIZE_MAX where the lattice ends.
size_t st_bcc_neighbor(const st_bcc_lattice *lattice, size_t index, int edge);
static inline st_real *st_bcc_distance(const st_bcc_lattice *lattice, size_t index, int edge) {
    return &lattice->distance[index * ST_BCC_EDGES + (size_t)edge];
}
// Meets all lines of the lattice with the triangles: distances of the points on them, and whether these are inside or
// outside, by the majority of the seven lines of each. False: out of memory.
bool st_bcc_classify(st_bcc_lattice *lattice, const st_surface *surface);

#endif
