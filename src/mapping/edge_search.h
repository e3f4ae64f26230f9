// The edge on which a point has its foot.
//
// With the unit vector u of an edge from its first node a, and its length l, the foot of p is at c = (u . (p - a)) / l.
// The first edge with 0 <= c <= 1 carries the point, whatever the distance; where there is none, the last edge does,
// with the c that comes out.
//
// Edges whose feet can only be elsewhere are skipped in a tree of boxes: 0 <= u.p - u.a <= l is a slab of space,
// and bounds of u, u.a and l bound it.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_EDGE_SEARCH_H
#define SETTEE_MAPPING_EDGE_SEARCH_H

#include "math/box_tree.h"

// Zero bytes are an empty search.
typedef struct st_edge_search {
    const st_uints *edges;    // borrowed, as are the positions of their nodes
    const st_real *positions; // Vec3
    st_real center[3];        // mean of the nodes
    st_real scale, extent;    // mean and largest distance of a node from there
    st_uints numbers;         // edges in the tree: those that have a length
    st_box_tree tree;
} st_edge_search;

// Every node must exist, and positions be finite. False: out of memory.
bool st_edge_search_create(st_edge_search *search, const st_uints *edges, const st_real *positions);
// The number of the edge, and the coordinate of the foot. There must be an edge.
size_t st_edge_search_find(const st_edge_search *search, const st_real p[3], st_real *c);
void st_edge_search_free(st_edge_search *search);

#endif
