// The body-centered cubic lattice: two cubic grids G and H, each through the centers of the other's cells, and where
// its edges meet a surface.
//
// G(i, j, k) lies at origin + h (i, j, k), i < n[0] ...; H(i, j, k) half a cell before it, with one point more along
// each axis. Points are numbered G first, x fastest. Each point has seven edges forward: three long ones along x, y, z
// to the next point of its own grid, and four short diagonals with increasing x to points of the other grid.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ENGINE_BCC_LATTICE_H
#define SETTEE_ENGINE_BCC_LATTICE_H

#include "engine/surface.h"

enum { ST_BCC_EDGES = 7, ST_BCC_AXES = 3, ST_BCC_WAYS = 2 * ST_BCC_EDGES };

// Where the surface crosses one edge, seen from its first point: the first and the last place.
typedef struct st_bcc_hit {
    st_real first, last;            // 0 .. 1; first > last: nowhere
    bool first_leaves, last_leaves; // the edge goes along the normal there, out of the body
} st_bcc_hit;

typedef struct st_bcc_lattice {
    st_real origin[3], h;
    size_t n[3]; // of G
    size_t grid_count, count;
    st_bcc_hit *hits;    // ST_BCC_EDGES for each point
    signed char *inside; // 1 inside, -1 outside
} st_bcc_lattice;

// Allocates. False: out of memory.
bool st_bcc_create(st_bcc_lattice *lattice, const st_real box[6], st_real h);
void st_bcc_free(st_bcc_lattice *lattice);

void st_bcc_point(const st_bcc_lattice *lattice, size_t index, st_real p[3]);
size_t st_bcc_grid_index(const st_bcc_lattice *lattice, bool second, const size_t at[3]);
// The other end of an edge forward (direction 1) or backward (-1); SIZE_MAX where the lattice ends.
size_t st_bcc_neighbor(const st_bcc_lattice *lattice, size_t index, int edge, int direction);
// Does the surface cross an edge of a point, and where? *t is the place nearest to the point, in lengths of the edge;
// it stays as it is where there is none.
bool st_bcc_crossing(const st_bcc_lattice *lattice, size_t index, int edge, int direction, st_real *t);
// The number of axes along which b lies beyond a.
int st_bcc_axes_beyond(const st_bcc_lattice *lattice, size_t a, size_t b);
// Meets all edges with the triangles, and lets each point be inside or outside by the majority of its seven lines: each
// votes by the side on which its nearest crossing shows the point. Without majority it is outside.
void st_bcc_classify(st_bcc_lattice *lattice, const st_surface *surface);

#endif
