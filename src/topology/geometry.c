// Lengths, areas, normals and volumes of elements: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/geometry.h"

#include "math/vec3.h"

static void between(st_real d[3], const st_real *x, uint32_t from, uint32_t to) {
    st_vec3_sub(d, x + 3 * (size_t)to, x + 3 * (size_t)from);
}

static st_real determinant(const st_real a[3], const st_real b[3], const st_real c[3]) {
    st_real cross[3];
    st_vec3_cross(cross, b, c);
    return st_vec3_dot(a, cross);
}

st_real st_geometry_edge_length(const st_real *x, const uint32_t v[2]) {
    return st_vec3_distance(x + 3 * (size_t)v[0], x + 3 * (size_t)v[1]);
}

static void cross_at(const st_real *x, uint32_t corner, uint32_t first, uint32_t second, st_real cross[3]) {
    st_real a[3], b[3];
    between(a, x, corner, first);
    between(b, x, corner, second);
    st_vec3_cross(cross, a, b);
}

void st_geometry_triangle_normal(const st_real *x, const uint32_t v[3], st_real normal[3]) {
    cross_at(x, v[0], v[1], v[2], normal);
}

st_real st_geometry_triangle_area(const st_real *x, const uint32_t v[3]) {
    st_real normal[3];
    st_geometry_triangle_normal(x, v, normal);
    return st_vec3_norm(normal) / 2;
}

st_real st_geometry_quad_area(const st_real *x, const uint32_t v[4]) {
    st_real first[3], second[3];
    cross_at(x, v[0], v[1], v[2], first);
    cross_at(x, v[2], v[3], v[0], second);
    return (st_vec3_norm(first) + st_vec3_norm(second)) / 2;
}

static st_real corner_determinant(const st_real *x, uint32_t corner, uint32_t first, uint32_t second, uint32_t third) {
    st_real a[3], b[3], c[3];
    between(a, x, corner, first);
    between(b, x, corner, second);
    between(c, x, corner, third);
    return determinant(a, b, c);
}

st_real st_geometry_tetrahedron_signed_volume(const st_real *x, const uint32_t v[4]) {
    return corner_determinant(x, v[0], v[1], v[2], v[3]) / 6;
}

st_real st_geometry_tetrahedron_volume(const st_real *x, const uint32_t v[4]) {
    return fabs(corner_determinant(x, v[0], v[1], v[2], v[3])) / 6;
}

st_real st_geometry_hexahedron_volume(const st_real *x, const uint32_t v[8]) {
    // edges along each axis, from the smaller to the larger local coordinate
    static const int edges[3][4][2] = {
        {{0, 1}, {4, 5}, {3, 2}, {7, 6}}, {{4, 7}, {5, 6}, {1, 2}, {0, 3}}, {{0, 4}, {1, 5}, {2, 6}, {3, 7}}};
    st_real a[3][3] = {{0}};
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 4; i++) {
            st_real d[3];
            between(d, x, v[edges[axis][i][0]], v[edges[axis][i][1]]);
            st_vec3_add(a[axis], a[axis], d);
        }
    return determinant(a[0], a[1], a[2]) / 48 - corner_determinant(x, v[0], v[7], v[5], v[2]) / 12 +
           corner_determinant(x, v[6], v[1], v[3], v[4]) / 12;
}
