// VolumeMapping: the signed volume of each tetrahedron of a mesh.
//
//     v_k = p_k − p0,  out = v1 · (v2 × v3) / 6
//     ∂/∂p1 = v2 × v3 / 6,  ∂/∂p2 = v3 × v1 / 6,  ∂/∂p3 = v1 × v2 / 6,  ∂/∂p0 = minus their sum
//
// Geometric stiffness of a tetrahedron with the force f: f H_ij between its vertices,
//
//     H01 = [p2 − p3]×/6, H02 = [p3 − p1]×/6, H03 = [p1 − p2]×/6, H12 = [p0 − p3]×/6, H13 = [p2 − p0]×/6,
//     H23 = [p0 − p1]×/6, H_ji = H_ijᵀ, H_ii = 0
//
// Stabilized takes tetrahedra with f < 0 only.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/mesh_measure.h"
#include "math/mat3.h"

static st_real volume_mapping_measure(const st_gradient_rows *rows, size_t i, const st_real *p) {
    st_real v[4][3], sum[3] = {0, 0, 0};

    for (int k = 1; k < 4; k++) st_vec3_sub(v[k], p + 3 * k, p);

    // the gradients of p1, p2, p3; that of p0 is minus their sum
    for (int k = 1; k < 4; k++) {
        st_real *gradient = st_gradient(rows, i, k);

        st_vec3_cross(gradient, v[k % 3 + 1], v[(k + 1) % 3 + 1]);
        st_vec3_divide(gradient, gradient, 6);
        st_vec3_add(sum, sum, gradient);
    }

    st_vec3_negate(st_gradient(rows, i, 0), sum);

    // v1 · (v2 × v3) / 6
    st_real cross[3];
    st_vec3_cross(cross, v[2], v[3]);
    return st_vec3_dot(v[1], cross) / 6;
}

// [a − b]×/6 with the other two corners, in the order that makes (i, j, a, b) an odd permutation.
static void volume_mapping_hessian(const st_real *p, size_t i, size_t j, st_real h[9]) {
    static const int others[4][4][2] = {
        {{0, 0}, {2, 3}, {3, 1}, {1, 2}},
        {{3, 2}, {0, 0}, {0, 3}, {2, 0}},
        {{1, 3}, {3, 0}, {0, 0}, {0, 1}},
        {{2, 1}, {0, 2}, {1, 0}, {0, 0}},
    };
    st_real edge[3];

    // the diagonal of the table gives a zero edge, and with it H_ii = 0
    st_vec3_sub(edge, p + 3 * others[i][j][0], p + 3 * others[i][j][1]);
    st_vec3_scale(edge, edge, 1 / ST_R(6));
    st_mat3_cross(h, edge);
}

static st_status volume_mapping_init(st_object *object) {
    static const st_mesh_measure volume = {ST_TETRAHEDRON, ST_HEXAHEDRON,
                                           "hexahedra: only volumes of tetrahedra are known", volume_mapping_measure,
                                           volume_mapping_hessian};
    return st_measure_init(object, &volume);
}

static const st_field fields[] = {
    ST_FIELD(st_measure_mapping, topology, "topology", st_type_link, NULL, "the mesh whose tetrahedra are measured",
             .role = ST_ROLE(topology)),
    ST_GEOMETRIC_FIELD(st_measure_mapping, "Stabilized"),
    ST_FIELDS_END,
};

const st_class st_volume_mapping_class = {
    .name = "VolumeMapping",
    .help = "the signed volume of each tetrahedron of a mesh",
    .parent = &st_mapping_class,
    .templates = "Vec3,Vec1",
    .fields = fields,
    .size = sizeof(st_measure_mapping),
    .example = "<MeshTopology name=\"mesh\" position=\"0 0 0  1 0.2 0  0 1 0.5  0.3 0 1  1 1 1\" "
               "tetrahedra=\"0 1 2 3  1 2 3 4\"/>\n"
               "<MechanicalObject name=\"parent\"/>\n"
               "<Node name=\"volumes\">\n"
               "    <MechanicalObject name=\"child\" template=\"Vec1\"/>\n"
               "    <VolumeMapping topology=\"@../mesh\" input=\"@../parent\" output=\"@child\" "
               "geometricStiffness=\"Exact\"/>\n"
               "</Node>",
    .init = volume_mapping_init,
    .destroy = st_measure_destroy,
    .mapping = &st_measure_ops,
};
