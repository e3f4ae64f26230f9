// Derivatives kept as one 3x3 matrix for each pair of points: what depends on the difference of two displacements,
//
//     df_a += m (d_a - d_b),     df_b -= mᵀ (d_a - d_b)
//
// Shared by the triangle springs and by the tensor-mass forces.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_SPRING_EDGE_MATRICES_H
#define SETTEE_FORCE_SPRING_EDGE_MATRICES_H

#include "settee/plugin/physics.h"

typedef struct st_edge_matrix {
    uint32_t a, b;
    st_real m[9];
} st_edge_matrix;

typedef ST_LIST(st_edge_matrix) st_edge_matrices;

// target += factor × what is above, with d = x - rest; `rest` may be NULL. Points beyond `points` are left out.
void st_edge_matrices_apply(const st_edge_matrices *edges, size_t points, const st_real *x, const st_real *rest,
                            st_real factor, st_real *target);
void st_edge_matrices_blocks(const st_edge_matrices *edges, const st_state *state, st_stiffness k);

#endif
