// Few points that represent many: farthest-point sampling, then Lloyd's relaxation.
//
// The first sample is point 0, each further one the point that is farthest from all samples so far. Relaxation moves
// each sample to the point of its region that is nearest to the region's center, until nothing moves. Distances are
// straight, or along the edges of a mesh.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ENGINE_SAMPLING_H
#define SETTEE_ENGINE_SAMPLING_H

#include "settee/types.h"

typedef struct st_cloud {
    const st_real *points; // Vec3
    size_t count;
    // neighbors of point i: neighbors[starts[i]] up to neighbors[starts[i + 1]]; NULL: straight distances
    uint32_t *starts, *neighbors;
    // what sampling leaves behind, by point
    st_real *distance; // to the nearest sample
    uint32_t *owner;   // place of that sample in the list; ST_INVALID_INDEX: none can be reached
} st_cloud;

// Allocates; `edges` may be empty: straight distances. Edges between points that do not exist are left out.
bool st_cloud_create(st_cloud *cloud, const st_real *points, size_t count, const st_uints *edges);
void st_cloud_free(st_cloud *cloud);

// Fills `samples` with at most `wanted` points. False: out of memory.
bool st_cloud_sample(st_cloud *cloud, st_uints *samples, size_t wanted, size_t iterations);
// Distances from one point to all others; ST_REAL_MAX where there is no way. `distance` has room for all points.
bool st_cloud_distances(const st_cloud *cloud, uint32_t from, st_real *distance);

#endif
