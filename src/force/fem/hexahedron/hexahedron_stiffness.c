// The stiffness of a trilinear hexahedron. See hexahedron_stiffness.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/hexahedron/hexahedron_stiffness.h"

#include "force/fem/generic/shape.h"
#include "math/mat3.h"

static st_real length(const st_real *nodes, int i, int j) {
    st_real e[3];
    st_vec3_sub(e, nodes + 3 * j, nodes + 3 * i);
    return st_vec3_norm(e);
}

st_real st_hexahedron_box_volume(const st_real nodes[24]) {
    return length(nodes, 0, 1) * length(nodes, 0, 3) * length(nodes, 0, 4);
}

// Rows below the diagonal from those above.
static void hexahedron_stiffness_mirror(st_real k[576]) {
    for (int r = 0; r < 24; r++)
        for (int c = 0; c < r; c++) k[24 * r + c] = k[24 * c + r];
}

// ---------------------------------------------------------------------------------------------------
// Numerical integration
// ---------------------------------------------------------------------------------------------------

// Is node `to` where node `from` comes to when it is moved along the edge?
static bool hexahedron_stiffness_follows(const st_real *nodes, int from, const st_real edge[3], int to) {
    st_real d[3];
    st_vec3_add(d, nodes + 3 * from, edge);
    st_vec3_sub(d, d, nodes + 3 * to);
    return st_vec3_norm(d) < ST_R(0.001) * st_vec3_norm(edge);
}

// Columns of the Jacobian: half the edges 01, 03, 04. False when the element is no parallelepiped.
static bool constant_jacobian(const st_real *nodes, st_real jacobian[9]) {
    static const int ends[3] = {1, 3, 4};
    st_real edge[3][3];
    for (int a = 0; a < 3; a++) st_vec3_sub(edge[a], nodes + 3 * ends[a], nodes);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) jacobian[3 * r + c] = edge[c][r] / 2;

    return hexahedron_stiffness_follows(nodes, 3, edge[0], 2) && hexahedron_stiffness_follows(nodes, 1, edge[2], 5) &&
           hexahedron_stiffness_follows(nodes, 2, edge[2], 6) && hexahedron_stiffness_follows(nodes, 3, edge[2], 7);
}

static void jacobian_at(const st_real *nodes, st_real g[ST_SHAPE_NODES][3], st_real jacobian[9]) {
    st_mat3_zero(jacobian);
    for (int i = 0; i < 8; i++)
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) jacobian[3 * r + c] += nodes[3 * i + r] * g[i][c];
}

// det B_iᵀ C B_j with the gradients p and q of nodes i and j.
static void hexahedron_stiffness_add_block(st_real *k, const st_real p[3], const st_real q[3], st_hooke hooke,
                                           st_real det) {
    const st_real dot = st_vec3_dot(p, q);

    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            const st_real shear = r == c ? dot - p[r] * q[r] : p[c] * q[r];
            const st_real direct = r == c ? hooke.diagonal : hooke.off_diagonal;
            k[24 * r + c] += det * (direct * p[r] * q[c] + hooke.shear * shear);
        }
}

static bool hexahedron_stiffness_add_point(const st_real *nodes, const st_real point[3], const st_real *constant,
                                           st_hooke hooke, st_real k[576]) {
    st_real g[ST_SHAPE_NODES][3], jacobian[9], inverse[9], q[8][3];

    // gradients in space
    st_shape_gradients(ST_HEXAHEDRON, point, g);
    if (!constant) jacobian_at(nodes, g, jacobian);
    st_mat3_cofactor(inverse, constant ? constant : jacobian); // of the transpose: rows and columns as needed below
    const st_real det = st_vec3_dot(inverse, constant ? constant : jacobian);
    if (!(fabs(det) > 1 / ST_REAL_MAX)) return false;
    for (int i = 0; i < 8; i++) {
        st_mat3_times_vec(q[i], inverse, g[i]); // Jac⁻ᵀ grad
        st_vec3_divide(q[i], q[i], det);
    }

    for (int i = 0; i < 8; i++)
        for (int j = i; j < 8; j++) hexahedron_stiffness_add_block(k + 72 * i + 3 * j, q[i], q[j], hooke, det);
    return true;
}

bool st_hexahedron_stiffness(const st_real nodes[24], st_hooke hooke, st_real k[576]) {
    const st_real gauss = 1 / sqrt(ST_R(3.0));
    st_real constant[9];
    const bool parallel = constant_jacobian(nodes, constant);
    bool regular = true;
    memset(k, 0, 576 * sizeof *k);

    // x slowest, z fastest, from - to +
    for (int p = 0; p < 8; p++) {
        const st_real point[3] = {p & 4 ? gauss : -gauss, p & 2 ? gauss : -gauss, p & 1 ? gauss : -gauss};
        regular = hexahedron_stiffness_add_point(nodes, point, parallel ? constant : NULL, hooke, k) && regular;
    }

    hexahedron_stiffness_mirror(k);
    return regular;
}
