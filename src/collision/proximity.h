// Nearest points of points, lines and triangles: pure geometry.
//
// Parameters of a line AB: p = A + t (B - A). Of a triangle p1 p2 p3: p = p1 + α (p2 - p1) + β (p3 - p1). What has no
// answer (a line of length 0, a triangle without area) gives numbers that are none; whoever compares distances with <
// drops them.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_PROXIMITY_H
#define SETTEE_COLLISION_PROXIMITY_H

#include "math/vec3.h"

// t of the point of the endless line nearest to p; 0 for a line without length.
st_real st_line_parameter(const st_real a[3], const st_real b[3], const st_real p[3]);

// The nearest points of two endless lines. Parallel ones, |det| <= smallest, have t = u = 1/2 and the answer is false.
bool st_lines_parameters(const st_real a[3], const st_real b[3], const st_real c[3], const st_real d[3],
                         st_real smallest, st_real *t, st_real *u);

// The point α u + β v of the plane of two vectors nearest to p. False: they are parallel.
bool st_plane_coordinates(const st_real u[3], const st_real v[3], const st_real p[3], st_real *alpha, st_real *beta);

typedef enum st_triangle_part {
    ST_PART_FACE,
    ST_PART_P1,
    ST_PART_P2,
    ST_PART_P3,
    ST_PART_E12,
    ST_PART_E31,
    ST_PART_E23,
} st_triangle_part;

// Where the inside of a triangle ends: coordinates below `low` are on its border, and above `high` on the other side;
// `corner` is the limit towards p1 along p1 p3. `open`: edges at p1 have no lower end.
typedef struct st_border_limits {
    st_real low, high, corner;
    bool open;
} st_border_limits;

// The point of a triangle nearest to q, and on which part of it the point lies. Beyond an obtuse corner SOFA's rule
// takes another point of the border than the nearest one; it is kept, since contacts depend on it.
st_triangle_part st_nearest_on_triangle(const st_real p1[3], const st_real p2[3], const st_real p3[3],
                                        const st_real q[3], const st_border_limits *limits, st_real *alpha,
                                        st_real *beta);
// The coordinates of the projection of q onto the plane of the triangle.
void st_triangle_coordinates(const st_real p1[3], const st_real p2[3], const st_real p3[3], const st_real q[3],
                             st_real *alpha, st_real *beta);

static inline void st_line_point(st_real r[3], const st_real a[3], const st_real b[3], st_real t) {
    for (int k = 0; k < 3; k++) r[k] = a[k] + (b[k] - a[k]) * t;
}
static inline void st_triangle_point(st_real r[3], const st_real p1[3], const st_real p2[3], const st_real p3[3],
                                     st_real alpha, st_real beta) {
    for (int k = 0; k < 3; k++) r[k] = p1[k] + (p2[k] - p1[k]) * alpha + (p3[k] - p1[k]) * beta;
}

#endif
