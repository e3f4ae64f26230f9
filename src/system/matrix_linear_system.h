// A linear system with an assembled sparse matrix, for the classes that derive from it or look into it.
// matrix_linear_system.c tells how it works.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SYSTEM_MATRIX_LINEAR_SYSTEM_H
#define SETTEE_SYSTEM_MATRIX_LINEAR_SYSTEM_H

#include "assembly/matrix_sum.h"
#include "system/system.h"

typedef struct st_matrix_linear_system {
    st_system system;

    // attributes
    bool assemble_stiffness, assemble_mass, assemble_damping, assemble_geometric_stiffness;
    bool apply_projective_constraints, apply_mapped_components;
    bool check_indices;
    bool parallel_assembly;

    const st_object *only; // the one component whose part is gathered (settee/matrix.h); NULL: all

    st_matrix_sum sum;
    st_bools fixed; // scalars whose row and column are the identity's
    bool built;     // since the last reset: the matrix can be kept
} st_matrix_linear_system;

extern const st_class st_matrix_linear_system_class;

#endif
