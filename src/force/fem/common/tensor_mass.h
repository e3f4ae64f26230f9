// What the tensor-mass forces share: linear elasticity kept as one 3x3 matrix D for each edge 0 1 of the mesh,
//
//     f_1 += D (u_1 - u_0),  f_0 -= Dᵀ (u_1 - u_0),     u the displacement from the rest position
//
// D is the sum of what the elements around the edge add; it is the block of the stiffness between both vertices.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_COMMON_TENSOR_MASS_H
#define SETTEE_FORCE_FEM_COMMON_TENSOR_MASS_H

#include "force/spring/edge_matrices.h"
#include "settee/plugin/topology.h"

typedef struct st_tensor_mass {
    st_force base;
    st_real poisson, young;
    st_object *topology;

    st_real lambda, mu;
    st_edge_matrices edges; // a is the second vertex of the edge of the mesh, b the first
    st_reals rest;          // positions at rest when it was initialized
} st_tensor_mass;

extern const st_class st_tensor_mass_class; // abstract

// Adds the matrices of one element with these vertices and edges; false when it is flat.
typedef bool st_tensor_element(st_tensor_mass *force, const uint32_t *vertices, const uint32_t *edges);

// For init, after λ and μ are set: goes through all elements of one kind.
st_status st_tensor_mass_build(st_tensor_mass *force, st_element kind, st_tensor_element *add);
// m belongs to df_k += m (d_k - d_l), where `first` is the vertex k of the two: it goes into the edge as it is, or
// transposed.
void st_tensor_mass_add(st_tensor_mass *force, uint32_t edge, uint32_t first, const st_real m[9]);

#endif
