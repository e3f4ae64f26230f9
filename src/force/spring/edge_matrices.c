// One 3x3 matrix for each pair of points: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/edge_matrices.h"

#include "math/mat3.h"

void st_edge_matrices_apply(const st_edge_matrices *edges, size_t points, const st_real *x, const st_real *rest,
                            st_real factor, st_real *target) {
    for (size_t e = 0; e < edges->count; e++) {
        const st_edge_matrix *edge = &edges->data[e];
        const size_t a = 3 * (size_t)edge->a, b = 3 * (size_t)edge->b;
        if (edge->a >= points || edge->b >= points) continue;
        st_real d[3], push[3];
        for (size_t i = 0; i < 3; i++)
            d[i] = rest ? (x[a + i] - rest[a + i]) - (x[b + i] - rest[b + i]) : x[a + i] - x[b + i];

        // m d on a, -mᵀ d on b
        st_mat3_times_vec(push, edge->m, d);
        for (size_t i = 0; i < 3; i++) target[a + i] += push[i] * factor;
        st_mat3_transpose_times_vec(push, edge->m, d);
        for (size_t i = 0; i < 3; i++) target[b + i] -= push[i] * factor;
    }
}

void st_edge_matrices_blocks(const st_edge_matrices *edges, const st_state *state, st_stiffness k) {
    if (!edges->count) return;

    st_sink *sink = st_stiffness_between(k, state, state);
    for (size_t e = 0; e < edges->count; e++) {
        const st_edge_matrix *edge = &edges->data[e];
        const size_t a = 3 * (size_t)edge->a, b = 3 * (size_t)edge->b;
        if (edge->a >= state->size || edge->b >= state->size) continue;

        st_real transposed[9], negative[9];
        st_mat3_transpose(transposed, edge->m);
        st_mat3_scale(negative, edge->m, -1);

        // [m -m; -mᵀ mᵀ]
        st_add_3x3(sink, a, a, edge->m);
        st_add_3x3(sink, a, b, negative);
        st_mat3_scale(negative, transposed, -1);
        st_add_3x3(sink, b, a, negative);
        st_add_3x3(sink, b, b, transposed);
    }
}
