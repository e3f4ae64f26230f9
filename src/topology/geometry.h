// Lengths, areas, normals and volumes of elements. `x` holds points of three reals, v the vertices of one element.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_GEOMETRY_H
#define SETTEE_TOPOLOGY_GEOMETRY_H

#include "settee/types.h"

st_real st_geometry_edge_length(const st_real *x, const uint32_t v[2]);
// (p1 - p0) × (p2 - p0), twice the area long
void st_geometry_triangle_normal(const st_real *x, const uint32_t v[3], st_real normal[3]);
st_real st_geometry_triangle_area(const st_real *x, const uint32_t v[3]);
// Two triangles: ½ (|(p1 - p0) × (p2 - p0)| + |(p3 - p2) × (p0 - p2)|)
st_real st_geometry_quad_area(const st_real *x, const uint32_t v[4]);
// (p1 - p0) · ((p2 - p0) × (p3 - p0)) / 6, with its sign and without
st_real st_geometry_tetrahedron_signed_volume(const st_real *x, const uint32_t v[4]);
st_real st_geometry_tetrahedron_volume(const st_real *x, const uint32_t v[4]);
// With a_i the sum of the four edges along local axis i, and |...| determinants:
//   |a_x a_y a_z| / 48 - |p7-p0 p5-p0 p2-p0| / 12 + |p1-p6 p3-p6 p4-p6| / 12
// signed; exact for faces that are planar.
st_real st_geometry_hexahedron_volume(const st_real *x, const uint32_t v[8]);

#endif
