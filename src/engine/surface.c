// Surfaces of triangles and quads: normals, volumes, what is inside.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/surface.h"

#include "engine/engine.h"
#include "engine/shapes.h"

typedef struct face {
    const uint32_t *vertices;
    size_t size;
} face;

// Face f, triangles first; size 0 when it names points that do not exist.
static face face_at(const st_surface *s, size_t f) {
    const bool quad = f >= s->triangle_count;
    const face found = {quad ? s->quads + 4 * (f - s->triangle_count) : s->triangles + 3 * f, quad ? 4 : 3};
    return st_vertices_exist(found.vertices, (int)found.size, s->point_count) ? found : (face){NULL, 0};
}

static size_t face_count(const st_surface *s) { return s->triangle_count + s->quad_count; }

static const st_real *surface_point(const st_surface *s, uint32_t i) { return s->points + 3 * (size_t)i; }

static void corner_edges(const st_surface *s, face f, size_t k, st_real next[3], st_real previous[3]) {
    const st_real *here = surface_point(s, f.vertices[k]);

    st_vec3_sub(next, surface_point(s, f.vertices[(k + 1) % f.size]), here);
    st_vec3_sub(previous, surface_point(s, f.vertices[(k + f.size - 1) % f.size]), here);
}

// Twice the area, along the normal at the first corner.
static void face_cross(const st_surface *s, face f, st_real n[3]) {
    st_real a[3], b[3];
    st_vec3_sub(a, surface_point(s, f.vertices[1]), surface_point(s, f.vertices[0]));
    st_vec3_sub(b, surface_point(s, f.vertices[2]), surface_point(s, f.vertices[0]));
    st_vec3_cross(n, a, b);
}

static st_real corner_angle(const st_surface *s, face f, size_t k) {
    st_real a[3], b[3];
    corner_edges(s, f, k, a, b);

    st_vec3_normalize(a, a);
    st_vec3_normalize(b, b);
    return acos(st_clamp(st_vec3_dot(a, b), -1, 1));
}

void st_surface_normals(const st_surface *s, st_normal_weight weight, st_real *normals) {
    for (size_t i = 0; i < 3 * s->point_count; i++) normals[i] = 0;

    for (size_t i = 0; i < face_count(s); i++) {
        const face f = face_at(s, i);
        st_real n[3];
        if (!f.size) continue;

        face_cross(s, f, n);

        // the cross product is the normal times twice the area
        if (weight != ST_NORMAL_AREA) st_vec3_normalize(n, n);

        for (size_t k = 0; k < f.size; k++) {
            st_real *sum = normals + 3 * (size_t)f.vertices[k];
            st_vec3_add_scaled(sum, sum, n, weight == ST_NORMAL_ANGLE ? corner_angle(s, f, k) : 1);
        }
    }

    for (size_t i = 0; i < s->point_count; i++) st_vec3_normalize(normals + 3 * i, normals + 3 * i);
}

static st_real six_volumes(const st_real *a, const st_real *b, const st_real *c) {
    st_real cross[3];
    st_vec3_cross(cross, b, c);
    return st_vec3_dot(a, cross);
}

st_real st_surface_volume(const st_surface *s) {
    st_real sum = 0;

    for (size_t i = 0; i < face_count(s); i++) {
        const face f = face_at(s, i);

        for (size_t k = 2; k < f.size; k++)
            sum += six_volumes(surface_point(s, f.vertices[0]), surface_point(s, f.vertices[k - 1]),
                               surface_point(s, f.vertices[k]));
    }

    return sum / 6;
}

// ---------------------------------------------------------------------------------------------------
// Inside
// ---------------------------------------------------------------------------------------------------

bool st_ray_meets_plane(const st_real p[3], const st_real e[3], const st_real a[3], const st_real ab[3],
                        const st_real ac[3], st_real *u, st_real *v, st_real *t) {
    st_real cross[3], offset[3], side[3];

    // det = ab · (e × ac)
    st_vec3_cross(cross, e, ac);
    const st_real det = st_vec3_dot(ab, cross);
    if (det == 0) return false;

    // barycentric coordinates of the crossing, and its place along e
    st_vec3_sub(offset, p, a);
    *u = st_vec3_dot(offset, cross) / det;
    st_vec3_cross(side, offset, ab);
    *v = st_vec3_dot(e, side) / det;
    *t = st_vec3_dot(ac, side) / det;
    return true;
}

// Are p and the third corner on the same side of the edge a-b, or p on it?
static bool same_side(const st_real p[3], const st_real a[3], const st_real b[3], const st_real corner[3]) {
    st_real edge[3], to_p[3], to_corner[3], left[3], right[3];

    st_vec3_sub(edge, b, a);
    st_vec3_sub(to_p, p, a);
    st_vec3_sub(to_corner, corner, a);

    st_vec3_cross(left, edge, to_p);
    st_vec3_cross(right, edge, to_corner);
    return st_vec3_dot(left, right) >= 0;
}

static bool ray_hits(const st_real p[3], const st_real ray[3], const st_real *a, const st_real *b, const st_real *c) {
    st_real ab[3], ac[3], n[3], offset[3], hit[3];

    // where the ray p + d ray meets the plane
    st_vec3_sub(ab, b, a);
    st_vec3_sub(ac, c, a);
    st_vec3_cross(n, ab, ac);
    const st_real slope = st_vec3_dot(n, ray);
    if (slope == 0) return false;

    st_vec3_sub(offset, a, p);
    const st_real d = st_vec3_dot(n, offset) / slope;
    if (!(d >= 0)) return false;

    // inside of all three edges
    st_vec3_add_scaled(hit, p, ray, d);
    return same_side(hit, a, b, c) && same_side(hit, b, c, a) && same_side(hit, c, a, b);
}

// Does the ray from p to far cross the triangles an odd number of times?
static bool crossed_oddly(const st_surface *s, const st_real p[3], const st_real far[3]) {
    st_real ray[3];
    bool odd = false;

    st_vec3_sub(ray, far, p);

    for (size_t i = 0; i < face_count(s); i++) {
        const face f = face_at(s, i);

        // a quad is two triangles
        for (size_t k = 2; k < f.size; k++)
            if (ray_hits(p, ray, surface_point(s, f.vertices[0]), surface_point(s, f.vertices[k - 1]),
                         surface_point(s, f.vertices[k])))
                odd = !odd;
    }

    return odd;
}

bool st_surface_holds(const st_surface *s, const st_real box[6], const st_real p[3]) {
    if (!st_in_box(box, p, 3)) return false;

    st_real far[3];

    // the corner of the box nearest to p, 100 units farther out
    for (int i = 0; i < 3; i++) far[i] = p[i] - box[i] < box[3 + i] - p[i] ? box[i] - 100 : box[3 + i] + 100;
    return crossed_oddly(s, p, far);
}
