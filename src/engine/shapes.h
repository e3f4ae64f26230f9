// Shapes that select points: boxes along the axes, oriented boxes.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ENGINE_SHAPES_H
#define SETTEE_ENGINE_SHAPES_H

#include "math/vec3.h"

// ---- boxes: xmin ymin zmin xmax ymax zmax, faces included

static inline bool st_in_box(const st_real *box, const st_real *p, size_t dimensions) {
    for (size_t i = 0; i < dimensions; i++)
        if (!(p[i] >= box[i] && p[i] <= box[3 + i])) return false;
    return true;
}

static inline void st_box_sort(st_real box[6]) {
    for (int i = 0; i < 3; i++)
        if (box[i] > box[3 + i]) {
            const st_real swap = box[i];
            box[i] = box[3 + i];
            box[3 + i] = swap;
        }
}

static inline void st_box_of_points(st_real box[6], const st_real *points, size_t count) {
    for (int j = 0; j < 3; j++) {
        box[j] = ST_REAL_MAX;
        box[3 + j] = -ST_REAL_MAX;
    }

    for (size_t i = 0; i < count; i++)
        for (int j = 0; j < 3; j++) {
            const st_real x = points[3 * i + (size_t)j];
            if (x < box[j]) box[j] = x;
            if (x > box[3 + j]) box[3 + j] = x;
        }
}

// ---- spheres: |p - c|² <= r², with one radius for each center or one for all

static inline bool st_in_spheres(const st_reals *centers, const st_reals *radii, const st_real *p) {
    for (size_t i = 0; i < centers->count; i++) {
        const st_real radius = radii->data[radii->count == 1 ? 0 : i];
        st_real offset[3];
        st_vec3_sub(offset, p, centers->data + 3 * i);
        if (st_vec3_norm2(offset) <= radius * radius) return true;
    }
    return false;
}

// ---- oriented boxes: the parallelogram p0 p1 p2 p3 = p0 + p2 - p1, thick by depth/2 on both sides

enum { ST_ORIENTED_BOX_REALS = 10 }; // p0, p1, p2, depth

typedef struct st_oriented_box {
    st_real p0[3], p2[3], normal[3], plane[4][3];
    st_real width, length, depth;
} st_oriented_box;

static inline void st_unit_cross(st_real r[3], const st_real a[3], const st_real b[3]) {
    st_vec3_cross(r, a, b);
    st_vec3_normalize(r, r);
}

// `lift`: how far along the normal the corner p6 is taken, from which the planes of two sides are made.
static inline st_oriented_box st_oriented_box_make(const st_real ten[ST_ORIENTED_BOX_REALS], st_real lift) {
    st_oriented_box box = {.depth = ten[9]};
    const st_real *p0 = ten, *p1 = ten + 3, *p2 = ten + 6;
    st_real p10[3], p20[3], p21[3], p3[3], p30[3], p23[3], p6[3], p63[3], p62[3];

    // p3 completes the parallelogram, p6 lifts p2 off its plane
    st_vec3_sub(p10, p1, p0);
    st_vec3_sub(p20, p2, p0);
    st_vec3_sub(p21, p2, p1);
    st_vec3_add(p3, p0, p21);
    st_unit_cross(box.normal, p10, p20);
    st_vec3_add_scaled(p6, p2, box.normal, lift);

    st_vec3_sub(p30, p3, p0);
    st_vec3_sub(p23, p2, p3);
    st_vec3_sub(p63, p6, p3);
    st_vec3_sub(p62, p6, p2);

    // the four sides
    st_unit_cross(box.plane[0], p10, box.normal);
    st_unit_cross(box.plane[1], p23, p63);
    st_unit_cross(box.plane[2], p30, box.normal);
    st_unit_cross(box.plane[3], p21, p62);

    // the distance between opposite sides
    st_vec3_copy(box.p0, p0);
    st_vec3_copy(box.p2, p2);
    box.width = fabs(st_vec3_dot(p20, box.plane[0]));
    box.length = fabs(st_vec3_dot(p20, box.plane[2]));
    return box;
}

// |(p - origin) . normal|
static inline st_real st_plane_distance(const st_real *p, const st_real *origin, const st_real *normal) {
    st_real offset[3];

    st_vec3_sub(offset, p, origin);
    return fabs(st_vec3_dot(offset, normal));
}

static inline bool st_in_oriented_box(const st_oriented_box *box, const st_real *p) {
    return st_plane_distance(p, box->p0, box->plane[0]) <= box->width &&
           st_plane_distance(p, box->p2, box->plane[1]) <= box->width &&
           st_plane_distance(p, box->p0, box->plane[2]) <= box->length &&
           st_plane_distance(p, box->p2, box->plane[3]) <= box->length &&
           st_plane_distance(p, box->p0, box->normal) <= fabs(box->depth / 2);
}

#endif
