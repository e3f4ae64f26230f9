// AreaMapping: the area of each triangle of a mesh.
//
//     N = (p1 − p0) × (p2 − p0),  out = ½ |N|
//     ∂/∂p0 = (p1 − p2) × N / (2 |N|),  ∂/∂p1 = (p2 − p0) × N / (2 |N|),  ∂/∂p2 = −(p1 − p0) × N / (2 |N|)
//
// Geometric stiffness of a triangle with the force f: f H_ij between its vertices, with e_i = p_{i+1} − p_{i+2}
// (cyclic), n = N · N, a_i = N × e_i:
//
//     H_ij = (−a_i a_jᵀ + n ((e_i · e_j) I − e_j e_iᵀ) + s_ij n [N]×) / (2 n^{3/2}),   s = (0 −1 1; 1 0 −1; −1 1 0)
//
// Stabilized takes triangles with f < 0 only. A triangle without area has neither gradient nor geometric term.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/mesh_measure.h"
#include "math/mat3.h"

static void normal_of(const st_real *p, st_real normal[3]) {
    st_real a[3], b[3];
    st_vec3_sub(a, p + 3, p);
    st_vec3_sub(b, p + 6, p);
    st_vec3_cross(normal, a, b);
}

static st_real area_mapping_measure(const st_gradient_rows *rows, size_t i, const st_real *p) {
    st_real normal[3], edge[3];

    normal_of(p, normal);

    // without area the gradient is zero
    const st_real norm = st_vec3_norm(normal), k = norm > 0 ? 1 / (2 * norm) : 0;

    for (int v = 0; v < 3; v++) {
        st_vec3_sub(edge, p + 3 * ((v + 1) % 3), p + 3 * ((v + 2) % 3));
        st_vec3_cross(edge, edge, normal);
        st_vec3_scale(st_gradient(rows, i, v), edge, k);
    }

    return norm / 2;
}

static void area_mapping_hessian(const st_real *p, size_t i, size_t j, st_real h[9]) {
    static const int sign[3][3] = {{0, -1, 1}, {1, 0, -1}, {-1, 1, 0}};
    st_real normal[3], e[3][3], ai[3], aj[3], part[9];
    st_mat3_zero(h);

    // n = N · N; without area there is no Hessian
    normal_of(p, normal);
    const st_real n = st_vec3_norm2(normal), scale = 2 * n * sqrt(n);
    if (!(scale > 0)) return;

    for (int k = 0; k < 3; k++) st_vec3_sub(e[k], p + 3 * ((k + 1) % 3), p + 3 * ((k + 2) % 3));

    // −a_i a_jᵀ + n ((e_i · e_j) I − e_j e_iᵀ) + s_ij n [N]×
    st_vec3_cross(ai, normal, e[i]);
    st_vec3_cross(aj, normal, e[j]);
    const st_real diagonal = n * st_vec3_dot(e[i], e[j]);
    st_mat3_diagonal(h, diagonal, diagonal, diagonal);
    st_mat3_outer(part, ai, aj);
    st_mat3_add_scaled(h, h, part, -1);
    st_mat3_outer(part, e[j], e[i]);
    st_mat3_add_scaled(h, h, part, -n);
    st_mat3_cross(part, normal);
    st_mat3_add_scaled(h, h, part, (st_real)sign[i][j] * n);

    for (int k = 0; k < 9; k++) h[k] /= scale; // of a tiny triangle, 1 / scale may be infinite
}

static st_status area_mapping_init(st_object *object) {
    static const st_mesh_measure area = {ST_TRIANGLE, ST_QUAD, "quads: only areas of triangles are known",
                                         area_mapping_measure, area_mapping_hessian};
    return st_measure_init(object, &area);
}

static const st_field fields[] = {
    ST_FIELD(st_measure_mapping, topology, "topology", st_type_link, NULL, "the mesh whose triangles are measured",
             .role = ST_ROLE(topology)),
    ST_GEOMETRIC_FIELD(st_measure_mapping, "Stabilized"),
    ST_FIELDS_END,
};

const st_class st_area_mapping_class = {
    .name = "AreaMapping",
    .help = "the area of each triangle of a mesh",
    .parent = &st_mapping_class,
    .templates = "Vec3,Vec1",
    .fields = fields,
    .size = sizeof(st_measure_mapping),
    .example = "<MeshTopology name=\"mesh\" position=\"0 0 0  1 0.2 0  1 1 0.5  0 1 1\" triangles=\"0 1 2  0 2 3\"/>\n"
               "<MechanicalObject name=\"parent\"/>\n"
               "<Node name=\"areas\">\n"
               "    <MechanicalObject name=\"child\" template=\"Vec1\"/>\n"
               "    <AreaMapping topology=\"@../mesh\" input=\"@../parent\" output=\"@child\" "
               "geometricStiffness=\"Exact\"/>\n"
               "</Node>",
    .init = area_mapping_init,
    .destroy = st_measure_destroy,
    .mapping = &st_measure_ops,
};
