// CubeTopology: its size and how its points are placed, for the sphere that is made from it.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_CUBE_H
#define SETTEE_TOPOLOGY_CUBE_H

#include "topology/mesh_topology.h"

typedef struct st_cube {
    st_mesh_topology mesh;
    int32_t n[3]; // points along each axis
    st_real min[3], max[3];
    st_real x_range[2], y_range[2], z_range[2]; // the short-hands xmin, xmax, ...
    st_real scale;
    bool internal_points, split_normals;
} st_cube;

// Where the point (x, y, z) of the lattice lies in space.
typedef void st_cube_place(const st_cube *cube, const int32_t at[3], st_real p[3]);

extern const st_class st_cube_topology_class;

st_status st_cube_parse(st_cube *cube, st_cube_place *place);
st_status st_cube_init(st_cube *cube, st_cube_place *place);

#endif
