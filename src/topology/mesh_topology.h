// The static mesh, base of the grids.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_MESH_TOPOLOGY_H
#define SETTEE_TOPOLOGY_MESH_TOPOLOGY_H

#include "topology/topology.h"

typedef struct st_mesh_topology {
    st_topology topology;
    st_reals uv; // Vec2
    bool compute_all_buffers;
    bool draw[5];
} st_mesh_topology;

extern const st_class st_mesh_topology_class;

// The short-hands xmin, xmax, ... of a box, times a scale; they have an effect only when all six are given.
void st_mesh_apply_ranges(const st_object *object, const st_real *const range[3], st_real scale, st_real min[3],
                          st_real max[3]);

#endif
