// Incisions of a triangle mesh from a point to a point, as SOFA makes them.
//
//     1. path      the triangles between the two points; a list of entries: a vertex, a place on an edge, a place in a
//                  triangle (incision_path.c)
//     2. snapping  entries near one vertex become that vertex, which moves to their mean
//     3. split     the triangles along the path, so that the path consists of edges (incision.c)
//     4. opening   points of the path are doubled, except an end inside of the surface, and the triangles on one side
//                  get the copies
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_CUT_INCISION_H
#define SETTEE_TOPOLOGY_CUT_INCISION_H

#include "topology/cut/points_view.h"
#include "topology/edit.h"

// One place of a path.
typedef struct st_path_entry {
    int kind;       // ST_POINT, ST_EDGE or ST_TRIANGLE
    uint32_t index; // its number
    st_real w[3];   // edge: 1 - s, s for its two vertices; triangle: for its three
    uint32_t point; // number of the point that is there after the split
} st_path_entry;

typedef ST_LIST(st_path_entry) st_cut_path;

// A vertex that moves: to the sum of weights times points.
typedef struct st_path_move {
    uint32_t vertex;
    size_t first, count; // of `ancestors` and `weights` in st_incision
} st_path_move;

typedef struct st_incision {
    st_topology *topology;
    const st_object *reporter;      // messages come from it
    st_real snap_path, snap_border; // fractions; 0: none
    uint32_t last_point;            // where the next cut goes on; ST_INVALID_INDEX: nowhere
    bool reached_border;            // the last cut ended on the border
    st_cut_path path;               // of the last cut
    ST_LIST(st_path_move) moves;
    st_uints ancestors; // of moves
    st_reals weights;
} st_incision;

// Cuts from a (in triangle from; at last_point if that is valid) to b (in triangle to). Anything but ST_OK: with a message,
// and nothing was cut; the mesh may have been split without being opened where edges have more than two triangles.
st_status st_incise(st_incision *incision, uint32_t from, const st_real a[3], uint32_t to, const st_real b[3]);
void st_incision_free(st_incision *incision);

// The triangle of a point; `old` wins among several. ST_INVALID_INDEX: none.
uint32_t st_locate_triangle(st_topology *topology, const st_real p[3], uint32_t old);
// Weights of the vertices of a triangle at the place of p, projected into its plane. False: the triangle is flat.
bool st_triangle_weights(const st_topology *topology, uint32_t triangle, const st_real p[3], st_real w[3]);

// --- for incision.c
st_status st_incision_find_path(st_incision *incision, uint32_t from, const st_real a[3], uint32_t to,
                                const st_real b[3]);
st_status st_incision_snap(st_incision *incision);
bool st_is_border_point(st_topology *topology, uint32_t point);

#endif
