// Shape vectors of a linear tetrahedron: the gradients of its shape functions, up to one common sign.
//
//     S_j = ± ((p_{j+2} - p_{j+1}) × (p_{j+3} - p_{j+1})) / 6V,   + for even j, - for odd j, indices modulo 4
//     6V = ((p_1 - p_0) × (p_2 - p_0))·(p_0 - p_3)
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_TETRAHEDRON_TETRA_SHAPE_VECTORS_H
#define SETTEE_FORCE_FEM_TETRAHEDRON_TETRA_SHAPE_VECTORS_H

#include "math/vec3.h"

// 6V, with its sign; 0 for a flat tetrahedron, whose shape vectors are then not set.
static inline st_real st_tetra_shape_vectors(const st_real *const p[4], st_real shape[4][3]) {
    st_real u[3], w[3], d[3];
    st_vec3_sub(u, p[1], p[0]);
    st_vec3_sub(w, p[2], p[0]);
    st_vec3_sub(d, p[0], p[3]);
    st_vec3_cross(u, u, w);
    const st_real volume = st_vec3_dot(u, d);

    for (int j = 0; j < 4 && volume != 0; j++) {
        st_vec3_sub(u, p[(j + 2) % 4], p[(j + 1) % 4]);
        st_vec3_sub(w, p[(j + 3) % 4], p[(j + 1) % 4]);
        st_vec3_cross(shape[j], u, w);
        st_vec3_divide(shape[j], shape[j], j % 2 ? -volume : volume);
    }
    return volume;
}

#endif
