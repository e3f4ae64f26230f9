// Length, area and volume: see the header for the formulas.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/measure.h"

#include "math/vec3.h"
#include "topology/tables.h"

static st_real measure_distance(const st_points *points, uint32_t a, uint32_t b) {
    const st_real *p = st_point(points, a), *q = st_point(points, b);
    st_real square = 0;
    for (size_t i = 0; i < points->dim; i++) square += (q[i] - p[i]) * (q[i] - p[i]);
    return sqrt(square);
}

static st_real area_in_plane(const st_real *p, const st_real *q, const st_real *r) {
    return ST_R(0.5) * (p[0] * q[1] + q[0] * r[1] + r[0] * p[1] - q[0] * p[1] - r[0] * q[1] - p[0] * r[1]);
}

static st_real triangle_area(const st_points *points, uint32_t a, uint32_t b, uint32_t c) {
    if (points->dim < 2) return 0;
    if (points->dim == 2) return area_in_plane(st_point(points, a), st_point(points, b), st_point(points, c));

    st_real u[3], v[3], normal[3];
    st_vec3_sub(u, st_point(points, b), st_point(points, a));
    st_vec3_sub(v, st_point(points, c), st_point(points, a));

    st_vec3_cross(normal, u, v);
    return st_vec3_norm(normal) * ST_R(0.5);
}

static st_real tetrahedron_volume(const st_points *points, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    if (points->dim < 3) return 0;

    st_real u[3], v[3], w[3], normal[3];
    st_vec3_sub(u, st_point(points, b), st_point(points, a));
    st_vec3_sub(v, st_point(points, c), st_point(points, a));
    st_vec3_sub(w, st_point(points, d), st_point(points, a));

    st_vec3_cross(normal, u, v);
    return fabs(st_vec3_dot(normal, w)) / 6;
}

static st_real hexahedron_volume(const st_points *points, const uint32_t *v) {
    st_real volume = 0;
    for (int i = 0; i < 6; i++) {
        const int *t = st_hexahedron_tetrahedra[i];
        volume += tetrahedron_volume(points, v[t[0]], v[t[1]], v[t[2]], v[t[3]]);
    }
    return volume;
}

st_real st_measure(const st_points *points, st_element kind, const uint32_t *v) {
    switch (kind) {
    case ST_EDGE: return measure_distance(points, v[0], v[1]);
    case ST_TRIANGLE: return triangle_area(points, v[0], v[1], v[2]);
    case ST_QUAD: return triangle_area(points, v[0], v[1], v[2]) + triangle_area(points, v[0], v[2], v[3]);
    case ST_TETRAHEDRON: return tetrahedron_volume(points, v[0], v[1], v[2], v[3]);
    case ST_HEXAHEDRON: return hexahedron_volume(points, v);
    default: return 0;
    }
}

bool st_has_points(const st_points *points, st_element kind, const uint32_t *vertices) {
    for (size_t i = 0; i < st_element_size[kind]; i++)
        if (vertices[i] >= points->count) return false;
    return true;
}
