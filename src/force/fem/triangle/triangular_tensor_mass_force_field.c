// TriangularTensorMassForceField: linear elasticity of a membrane of triangles in plane stress, kept as one 3x3 matrix
// for each edge (tensor_mass.h).
//
//     edge j of a triangle, between k = j + 1 and l = j + 2, with a = p_j - p_k, b = p_j - p_l, A the area:
//     λ / 4A a bᵀ + μ / 8A b aᵀ - cot_j (λ + μ) / 2 1
//     λ = E ν / (1 - ν²),  μ = E (1 - ν) / (1 - ν²)
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/common/tensor_mass.h"
#include "math/mat3.h"

static bool triangular_tensor_mass_add_triangle(st_tensor_mass *force, const uint32_t *v, const uint32_t *edges) {
    const st_real *p[3];
    st_real squares[3], d[3], sum = 0;
    for (int j = 0; j < 3; j++) p[j] = force->rest.data + 3 * (size_t)v[j];

    // the area from the squares of the edges: 16 A² = Σ s_j (s_k + s_l - s_j)
    for (int j = 0; j < 3; j++) {
        st_vec3_sub(d, p[(j + 1) % 3], p[(j + 2) % 3]);
        squares[j] = st_vec3_norm2(d);
    }
    for (int j = 0; j < 3; j++) sum += squares[j] * (squares[(j + 1) % 3] + squares[(j + 2) % 3] - squares[j]);
    const st_real area = sqrt(sum) / 4;
    if (!(area > 0)) return false;

    // λ / 4A a bᵀ + μ / 8A b aᵀ - cot_j (λ + μ) / 2 1
    for (int j = 0; j < 3; j++) {
        const int k = (j + 1) % 3, l = (j + 2) % 3;
        const st_real cot = (squares[k] + squares[l] - squares[j]) / (4 * area);
        st_real a[3], b[3], m[9], mirrored[9];
        st_vec3_sub(a, p[j], p[k]);
        st_vec3_sub(b, p[j], p[l]);
        st_mat3_outer(m, a, b);
        st_mat3_scale(m, m, force->lambda / (4 * area));
        st_mat3_outer(mirrored, b, a);
        st_mat3_add_scaled(m, m, mirrored, force->mu / (8 * area));
        for (int i = 0; i < 9; i += 4) m[i] -= cot * (force->lambda + force->mu) / 2;
        st_tensor_mass_add(force, edges[j], v[k], m);
    }
    return true;
}

static st_status triangular_tensor_mass_init(st_object *object) {
    st_tensor_mass *force = (st_tensor_mass *)object;
    const st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;

    const st_real plane = 1 - force->poisson * force->poisson;
    if (!(plane > 0) || !(force->young >= 0 && force->young <= ST_REAL_MAX))
        return st_invalid(object,
                          "poissonRatio = %g, youngModulus = %g: the ratio must be between -1 and 1, the modulus not "
                          "negative; there is no force",
                          (double)force->poisson, (double)force->young);

    // plane stress: λ = E ν / (1 - ν²), μ = E (1 - ν) / (1 - ν²), which is twice the shear modulus
    force->lambda = force->young * force->poisson / plane;
    force->mu = force->young * (1 - force->poisson) / plane;
    return st_tensor_mass_build(force, ST_TRIANGLE, triangular_tensor_mass_add_triangle);
}

const st_class st_triangular_tensor_mass_force_field_class = {
    .name = "TriangularTensorMassForceField",
    .help = "linear elasticity of a membrane of triangles, kept as one matrix for each edge",
    .parent = &st_tensor_mass_class,
    .templates = "Vec3",
    .size = sizeof(st_tensor_mass),
    .example = "<MeshTopology triangles=\"0 1 2  1 3 2\"/>\n"
               "<MechanicalObject rest_position=\"0 0 0  1 0 0  0 1 0  1 1 0\" "
               "position=\"0 0 0  1.1 0 0  0 1 0.1  1 1.2 0\"/>\n"
               "<TriangularTensorMassForceField youngModulus=\"100\" poissonRatio=\"0.3\"/>",
    .init = triangular_tensor_mass_init,
};
