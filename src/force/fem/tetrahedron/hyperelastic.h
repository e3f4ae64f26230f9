// Hyperelastic linear tetrahedra: what TetrahedronHyperelasticityFEMForceField and StandardTetrahedralFEMForceField
// share.
//
// With s_j the gradients of the shape functions and V the volume at rest, d_j = x_j - x_0,
//
//     F = Σ d_j ⊗ s_j,   C = Fᵀ F,   J = det F,       f_i = -V F S(C) s_i,
//
// S the second Piola-Kirchhoff stress of the material (hyperelastic_material.h). The derivative is exact: with F_m row
// m of F and H_m = s_l ⊗ F_m + F_m ⊗ s_l, the change of C with component m of x_l,
//
//     -df_k/dx_l = Tᵀ,     T(m, ·) = V ((s_k · S s_l) e_m + F dS(H_m) s_k),
//
// kept for the edges of the mesh (edge_blocks.h).
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_TETRAHEDRON_HYPERELASTIC_H
#define SETTEE_FORCE_FEM_TETRAHEDRON_HYPERELASTIC_H

#include "force/fem/tetrahedron/edge_blocks.h"
#include "force/fem/tetrahedron/hyperelastic_material.h"
#include "settee/plugin/physics.h"
#include "settee/plugin/topology.h"

typedef struct st_hyperelastic_rest {
    st_real gradient[12]; // s_0 to s_3
    st_real six;          // signed, 6 V
    st_real volume;       // positive
} st_hyperelastic_rest;

typedef struct st_hyperelastic {
    st_force force;
    st_object *topology;
    char *material_name;    // of one class
    int32_t material_index; // of the other
    st_reals parameters;
    st_reals anisotropy;
    char *parameter_file;
    bool regularization;
    char *ignored[2];

    const st_hyperelastic_material *material;
    st_element_mesh mesh;
    st_edge_blocks blocks;
    st_hyperelastic_rest *rest;   // of each element
    st_hyperelastic_point *point; // of each element, at the last force
} st_hyperelastic;

extern const st_class st_hyperelastic_class; // abstract: attributes and hooks

// After the material was chosen: parameters, mesh, rest shape.
st_status st_hyperelastic_build(st_hyperelastic *self);

#endif
