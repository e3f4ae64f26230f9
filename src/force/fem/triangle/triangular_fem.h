// TriangularFEMForceField as a base: the anisotropic one has another material.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_TRIANGLE_TRIANGULAR_FEM_H
#define SETTEE_FORCE_FEM_TRIANGLE_TRIANGULAR_FEM_H

#include "force/fem/triangle/triangle_fem.h"
#include "force/fem/triangle/triangular_stress.h"

typedef struct st_triangular_fem {
    st_triangle_fem base;
    st_reals rotated_initial;        // nine reals a triangle: its corners at rest in its frame
    st_reals initial_transformation; // nine reals a triangle: rows of that frame
    bool compute_principal_stress;
    bool show_stress_value, show_stress_vector, show_fracturable;
    st_triangular_stress stress;
    st_reals area; // at rest
} st_triangular_fem;

extern const st_class st_triangular_fem_force_field_class;

#endif
