// Closed and open surfaces of triangles and quads: normals, volumes, what is inside.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ENGINE_SURFACE_H
#define SETTEE_ENGINE_SURFACE_H

#include "settee/types.h"

// A surface by reference. Faces that name points that do not exist are left out by all functions.
typedef struct st_surface {
    const st_real *points; // Vec3
    size_t point_count;
    const uint32_t *triangles;
    size_t triangle_count;
    const uint32_t *quads;
    size_t quad_count;
} st_surface;

typedef enum st_normal_weight {
    ST_NORMAL_UNIT,  // every face counts the same
    ST_NORMAL_ANGLE, // by the angle of the face at the vertex
    ST_NORMAL_AREA,  // by the area of the face
} st_normal_weight;

// One unit vector per point: the weighted sum of the normals of its faces; zero where there is no face.
void st_surface_normals(const st_surface *surface, st_normal_weight weight, st_real *normals);

// The volume that the surface encloses, sum of a . (b x c) / 6 over its triangles; a quad is cut along 0-2.
st_real st_surface_volume(const st_surface *surface);

// p + t e = a + u ab + v ac, solved for u, v and t (Möller and Trumbore). False: e runs along the plane of the triangle.
bool st_ray_meets_plane(const st_real p[3], const st_real e[3], const st_real a[3], const st_real ab[3],
                        const st_real ac[3], st_real *u, st_real *v, st_real *t);

// Is p inside? A ray leaves the box of the surface through its corner nearest to p, for 100 units more: it crosses the
// triangles an odd number of times.
bool st_surface_holds(const st_surface *surface, const st_real box[6], const st_real p[3]);

#endif
