// The gap between two convex bodies with few corners: boxes, triangles, segments. Pure geometry.
//
//     apart          the nearest points. They are ends of the shortest way from a corner of one to the other, or
//                    between two edges; where several ways are as short, as between parallel faces, their mean.
//     overlapping    the axis along which they are pulled apart by the shortest way (separating axes: normals of faces,
//                    cross products of edges), and the mean of the points by which they then touch.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_CONVEX_H
#define SETTEE_COLLISION_CONVEX_H

#include "math/vec3.h"

typedef struct st_convex {
    enum { ST_CONVEX_BOX, ST_CONVEX_TRIANGLE, ST_CONVEX_SEGMENT } kind;
    int count;       // of corners
    st_real v[8][3]; //
    int edges;       //
    uint8_t edge[12][2];
    int normals; // of faces that are not parallel
    st_real normal[3][3];
    int directions; // of edges that are not parallel
    st_real direction[3][3];
    st_real center[3], axis[3][3], extent[3]; // of a box
} st_convex;

typedef struct st_convex_contact {
    st_real gap;        // negative: how far they overlap
    st_real p[3], q[3]; // on the first, on the second
    st_real normal[3];  // of length 1, from the first to the second
} st_convex_contact;

// `axes` are of length 1 and perpendicular to each other; extents are half lengths.
st_convex st_convex_box(const st_real center[3], const st_real axes[3][3], const st_real extent[3]);
st_convex st_convex_triangle(const st_real a[3], const st_real b[3], const st_real c[3]);
st_convex st_convex_segment(const st_real a[3], const st_real b[3]);
// False: the gap is larger than the limit, or there is no answer (numbers that are none).
bool st_convex_meet(const st_convex *one, const st_convex *two, st_real limit, st_convex_contact *contact);

// The nearest points of two segments: their parameters from 0 to 1. Where parallel ones lie beside each other, the
// middle of what they share.
void st_nearest_on_segments(const st_real a[3], const st_real b[3], const st_real c[3], const st_real d[3], st_real *t,
                            st_real *u);

#endif
