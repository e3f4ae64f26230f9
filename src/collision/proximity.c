// Nearest points: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/proximity.h"

st_real st_line_parameter(const st_real a[3], const st_real b[3], const st_real p[3]) {
    st_real ab[3], ap[3];
    st_vec3_sub(ab, b, a);
    st_vec3_sub(ap, p, a);

    const st_real length2 = st_vec3_dot(ab, ab);
    return length2 < ST_REAL_EPSILON ? 0 : st_vec3_dot(ap, ab) / length2;
}

// [ AB²     −AB·CD ] t     AB·AC
// [ −AB·CD   CD²   ] u  = −CD·AC
bool st_lines_parameters(const st_real a[3], const st_real b[3], const st_real c[3], const st_real d[3],
                         st_real smallest, st_real *t, st_real *u) {
    st_real ab[3], cd[3], ac[3];
    st_vec3_sub(ab, b, a);
    st_vec3_sub(cd, d, c);
    st_vec3_sub(ac, c, a);

    const st_real m00 = st_vec3_dot(ab, ab), m11 = st_vec3_dot(cd, cd), m01 = -st_vec3_dot(ab, cd);
    const st_real r0 = st_vec3_dot(ab, ac), r1 = -st_vec3_dot(cd, ac), det = m00 * m11 - m01 * m01;

    // parallel lines
    *t = *u = ST_R(0.5);
    if (!(det < -smallest || det > smallest)) return false;

    *t = (r0 * m11 - r1 * m01) / det;
    *u = (r1 * m00 - r0 * m01) / det;
    return true;
}

// The normal equations of two vectors and the offset that they are to meet.
typedef struct normal_equations {
    st_real uu, uv, vv, pu, pv;
} normal_equations;

static normal_equations equations_of(const st_real u[3], const st_real v[3], const st_real p[3]) {
    return (normal_equations){st_vec3_dot(u, u), st_vec3_dot(u, v), st_vec3_dot(v, v), st_vec3_dot(p, u),
                              st_vec3_dot(p, v)};
}

static st_real proximity_solve(const normal_equations *e, st_real *alpha, st_real *beta) {
    const st_real det = e->uu * e->vv - e->uv * e->uv;
    *alpha = (e->pu * e->vv - e->pv * e->uv) / det;
    *beta = (e->pv * e->uu - e->pu * e->uv) / det;
    return det;
}

bool st_plane_coordinates(const st_real u[3], const st_real v[3], const st_real p[3], st_real *alpha, st_real *beta) {
    const normal_equations e = equations_of(u, v, p);
    return proximity_solve(&e, alpha, beta) > 0;
}

static normal_equations triangle_equations(const st_real p1[3], const st_real p2[3], const st_real p3[3],
                                           const st_real q[3]) {
    st_real ab[3], ac[3], aq[3];
    st_vec3_sub(ab, p2, p1);
    st_vec3_sub(ac, p3, p1);
    st_vec3_sub(aq, q, p1);
    return equations_of(ab, ac, aq);
}

void st_triangle_coordinates(const st_real p1[3], const st_real p2[3], const st_real p3[3], const st_real q[3],
                             st_real *alpha, st_real *beta) {
    const normal_equations e = triangle_equations(p1, p2, p3, q);
    proximity_solve(&e, alpha, beta);
}

static st_triangle_part proximity_put(st_triangle_part part, st_real a, st_real b, st_real *alpha, st_real *beta) {
    *alpha = a;
    *beta = b;
    return part;
}

st_triangle_part st_nearest_on_triangle(const st_real p1[3], const st_real p2[3], const st_real p3[3],
                                        const st_real q[3], const st_border_limits *limits, st_real *alpha,
                                        st_real *beta) {
    const normal_equations e = triangle_equations(p1, p2, p3, q);
    const st_real low = limits->low, high = limits->high;

    proximity_solve(&e, alpha, beta);
    if (!(*alpha < low || *beta < low || *alpha + *beta > high)) return ST_PART_FACE;

    // outside: first the corner p1 and its two edges
    const st_real on_ab = e.pu / e.uu, on_ac = e.pv / e.vv; // along the edges from p1
    if (on_ab < low && on_ac < limits->corner) return proximity_put(ST_PART_P1, 0, 0, alpha, beta);
    if ((limits->open || on_ab >= low) && on_ab < high && *beta < low)
        return proximity_put(ST_PART_E12, on_ab, 0, alpha, beta);
    if ((limits->open || on_ac >= low) && on_ac < high && *alpha < low)
        return proximity_put(ST_PART_E31, 0, on_ac, alpha, beta);

    // beyond the side opposite to p1
    const st_real on_bc = (e.pv - e.pu + e.uu - e.uv) / (e.uu + e.vv - 2 * e.uv);
    if (on_bc < low) return proximity_put(ST_PART_P2, 1, 0, alpha, beta);
    if (on_bc > high) return proximity_put(ST_PART_P3, 0, 1, alpha, beta);
    return proximity_put(ST_PART_E23, 1 - on_bc, on_bc, alpha, beta);
}
