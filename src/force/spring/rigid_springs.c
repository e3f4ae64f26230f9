// The derivative of springs between rigids: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/rigid_springs.h"

#include "math/quat.h"

void st_rigid_spring_matrix(st_real matrix[9], const st_real q[4], const st_real k[3]) {
    st_real rotation[9], diagonal[9];

    st_quat_to_matrix(rotation, q);
    st_mat3_diagonal(diagonal, k[0], k[1], k[2]);

    st_mat3_multiply(matrix, rotation, diagonal);
    st_mat3_multiply_transpose(matrix, matrix, rotation);
}

static bool rigid_springs_in_range(const st_rigid_spring *s, const st_state *one, const st_state *two) {
    return s->a < one->size && (s->anchored || s->b < two->size);
}

static void rigid_springs_add_block(st_sink *sink, size_t row, size_t col, const st_rigid_spring *s, st_real sign) {
    st_real block[9];
    st_mat3_scale(block, s->linear, sign);
    st_add_3x3(sink, 6 * row, 6 * col, block);

    st_mat3_scale(block, s->angular, sign);
    st_add_3x3(sink, 6 * row + 3, 6 * col + 3, block);
}

void st_rigid_springs_blocks(const st_rigid_springs *springs, const st_state *one, const st_state *two,
                             st_stiffness k) {
    if (!one || !two || !springs->count) return;

    st_sink *k11 = st_stiffness_between(k, one, one), *k12 = st_stiffness_between(k, one, two);
    st_sink *k21 = st_stiffness_between(k, two, one), *k22 = st_stiffness_between(k, two, two);

    for (size_t i = 0; i < springs->count; i++) {
        const st_rigid_spring *s = &springs->data[i];
        if (!rigid_springs_in_range(s, one, two)) continue;

        // [-A A; A -A]
        rigid_springs_add_block(k11, s->a, s->a, s, -1);
        if (s->anchored) continue;
        rigid_springs_add_block(k12, s->a, s->b, s, 1);
        rigid_springs_add_block(k21, s->b, s->a, s, 1);
        rigid_springs_add_block(k22, s->b, s->b, s, -1);
    }
}

void st_rigid_springs_product(const st_rigid_springs *springs, const st_state *one, const st_state *two,
                              const st_params *params, st_real k) {
    if (!one || !two) return;
    for (size_t i = 0; i < springs->count; i++) {
        const st_rigid_spring *s = &springs->data[i];
        if (!rigid_springs_in_range(s, one, two)) continue;

        const st_real *dx1 = st_dx(one, params) + 6 * (size_t)s->a;
        const st_real *dx2 = s->anchored ? NULL : st_dx(two, params) + 6 * (size_t)s->b;
        st_real *df1 = st_df(one, params) + 6 * (size_t)s->a, d[6], push[6];

        // A (dx_b - dx_a)
        for (int j = 0; j < 6; j++) d[j] = (dx2 ? dx2[j] : 0) - dx1[j];
        st_mat3_times_vec(push, s->linear, d);
        st_mat3_times_vec(push + 3, s->angular, d + 3);
        for (int j = 0; j < 6; j++) df1[j] += push[j] * k;

        if (!dx2) continue;
        st_real *df2 = st_df(two, params) + 6 * (size_t)s->b;
        for (int j = 0; j < 6; j++) df2[j] -= push[j] * k;
    }
}
