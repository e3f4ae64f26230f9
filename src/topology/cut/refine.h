// Edges split and points joined, in meshes of edges, triangles or tetrahedra.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_CUT_REFINE_H
#define SETTEE_TOPOLOGY_CUT_REFINE_H

#include "topology/edit.h"

// A point on each edge, at (1 - t) of its first and t of its second vertex; t is NULL: in the middle. Elements at the edge are
// divided. ST_INVALID, with a message: an edge is not there or given twice, or t is not between 0 and 1; nothing changes then.
st_status st_split_edges(st_topology *topology, const uint32_t *edges, const st_real *t, size_t count,
                         const st_object *reporter);
// The two points of each pair become one, in the middle between them; its elements are those of both. ST_INVALID, with a
// message: a point is not there or in two pairs, or both are in one element; nothing changes then.
st_status st_suture_points(st_topology *topology, const uint32_t *pairs, size_t count, const st_object *reporter);

#endif
