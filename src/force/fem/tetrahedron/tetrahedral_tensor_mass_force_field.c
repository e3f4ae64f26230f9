// TetrahedralTensorMassForceField: linear elasticity on tetrahedra, kept as one 3x3 matrix for each edge
// (tensor_mass.h).
//
//     edge k l of a tetrahedron:   V (λ S_l S_kᵀ + μ S_k S_lᵀ + μ (S_k·S_l) 1),      S: see tetra_shape_vectors.h
//     λ = E ν / ((1 - 2ν) (1 + ν)),  μ = E / (2 (1 + ν))
//
// (S. Cotin, H. Delingette, N. Ayache: A hybrid elastic model for real-time cutting, 2000.)
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/common/tensor_mass.h"
#include "force/fem/tetrahedron/tetra_shape_vectors.h"
#include "math/mat3.h"
#include "topology/tables.h"

static bool add_tetrahedron(st_tensor_mass *force, const uint32_t *v, const uint32_t *edges) {
    const st_real *p[4];
    st_real shape[4][3];

    // shape vectors S_j: the gradients of the shape functions
    for (int j = 0; j < 4; j++) p[j] = force->rest.data + 3 * (size_t)v[j];
    const st_real volume = fabs(st_tetra_shape_vectors(p, shape)) / 6;
    if (!(volume > 0)) return false;

    // V (λ S_l S_kᵀ + μ S_k S_lᵀ + μ (S_k·S_l) 1) of the six edges
    const st_real lambda = force->lambda * volume, mu = force->mu * volume;
    for (int n = 0; n < 6; n++) {
        const int k = st_tetrahedron_edges[n][0], l = st_tetrahedron_edges[n][1];
        st_real m[9], mirrored[9];
        st_mat3_outer(m, shape[l], shape[k]);
        st_mat3_scale(m, m, lambda);
        st_mat3_outer(mirrored, shape[k], shape[l]);
        st_mat3_add_scaled(m, m, mirrored, mu);
        for (int i = 0; i < 9; i += 4) m[i] += mu * st_vec3_dot(shape[k], shape[l]);
        st_tensor_mass_add(force, edges[n], v[l], m);
    }
    return true;
}

static st_status tetrahedral_tensor_mass_init(st_object *object) {
    st_tensor_mass *force = (st_tensor_mass *)object;
    const st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;

    const st_real volumetric = (1 - 2 * force->poisson) * (1 + force->poisson);
    if (!(volumetric > 0) || !(force->young >= 0 && force->young <= ST_REAL_MAX))
        return st_invalid(object,
                          "poissonRatio = %g, youngModulus = %g: the ratio must be between -1 and 0.5, the modulus not "
                          "negative; there is no force",
                          (double)force->poisson, (double)force->young);

    force->lambda = force->young * force->poisson / volumetric;
    force->mu = force->young / (2 * (1 + force->poisson));
    return st_tensor_mass_build(force, ST_TETRAHEDRON, add_tetrahedron);
}

const st_class st_tetrahedral_tensor_mass_force_field_class = {
    .name = "TetrahedralTensorMassForceField",
    .help = "linear elasticity on tetrahedra, kept as one matrix for each edge",
    .parent = &st_tensor_mass_class,
    .templates = "Vec3",
    .size = sizeof(st_tensor_mass),
    .example = "<MeshTopology tetrahedra=\"0 1 2 3  1 2 3 4\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0  0 0 1  1 1 1\"/>\n"
               "<TetrahedralTensorMassForceField youngModulus=\"100\" poissonRatio=\"0.3\"/>",
    .init = tetrahedral_tensor_mass_init,
};
