// Von Mises stress in linear tetrahedra, for display.
//
// With grad u = Σ u_m ⊗ grad N_m:
//
//     strain = 1/2 (grad u + grad uᵀ), or Green's with 1/2 grad uᵀ grad u added
//     stress = 2 μ strain + λ tr(strain) 1
//     value  = sqrt(xx² + yy² + zz² - xx yy - yy zz - zz xx + 3 (yz² + xz² + xy²)), taken as 0 below 1e-10
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_TETRAHEDRON_VON_MISES_H
#define SETTEE_FORCE_FEM_TETRAHEDRON_VON_MISES_H

#include "force/fem/tetrahedron/tetra_model.h"

typedef enum st_strain_measure { ST_STRAIN_COROTATED = 1, ST_STRAIN_GREEN = 2 } st_strain_measure;

// One value for each element at positions x. Lamé's parameters of an element are `material` times 36 V where `scaled`
// is false, `material` as it is otherwise.
typedef struct st_von_mises {
    const st_tetra_model *model;
    const st_real *rest, *x;
    bool green, scaled;
    st_real *values;
} st_von_mises;
void st_von_mises_elements(st_von_mises *job, st_pool *pool);
// Means over the elements around each point.
void st_von_mises_nodes(st_tetra_model *model, const st_real *elements, st_real *nodes);

#endif
