// Reference elements: shape functions, their gradients, and the points and weights of numerical integration.
//
//   edge         (-1) (1)                                    1 point
//   triangle     (0,0) (1,0) (0,1)                           1 point
//   quad         (-1,-1) (1,-1) (1,1) (-1,1)                 3 points
//   tetrahedron  (0,0,0) (1,0,0) (0,1,0) (0,0,1)             1 point
//   hexahedron   the corners of [-1,1]^3                     8 points
//   prism        triangle x [0,1]                            2 points
//   pyramid      quad at z = -1, apex (0,0,1)                8 points
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_GENERIC_SHAPE_H
#define SETTEE_FORCE_FEM_GENERIC_SHAPE_H

#include "math/real.h"
#include "settee/plugin/topology.h"

enum { ST_SHAPE_NODES = 8, ST_SHAPE_POINTS = 8 };

typedef struct st_quadrature {
    size_t count;
    st_real point[ST_SHAPE_POINTS][3];
    st_real weight;
} st_quadrature;

// The corners of [-1,1]^3 in the order of a hexahedron's vertices; the first four are those of the quad and of the base
// of the pyramid.
extern const st_real st_cube_corners[8][3];

size_t st_shape_dimension(st_element kind); // of the reference element: 1, 2 or 3
const st_quadrature *st_shape_quadrature(st_element kind);
void st_shape_values(st_element kind, const st_real q[3], st_real n[ST_SHAPE_NODES]);
// Row i: the gradient of the shape function of node i.
void st_shape_gradients(st_element kind, const st_real q[3], st_real g[ST_SHAPE_NODES][3]);

#endif
