// The loops over packs of beams: products and matrices. Compiled for each instruction set (math/simd.h).
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/beam/beam_model.h"

// Translations (offset 0) or rotations (offset 3) of a node, which has 6 reals.
ST_PACK_INLINE void gather_vectors(st_pack r[3], const st_real *x, const uint32_t *nodes, size_t offset) {
    for (size_t k = 0; k < 3; k++)
        r[k] = st_pack_set(x[6 * (size_t)nodes[0] + offset + k], x[6 * (size_t)nodes[1] + offset + k],
                           x[6 * (size_t)nodes[2] + offset + k], x[6 * (size_t)nodes[3] + offset + k]);
}

static void product_loop(void *context, size_t begin, size_t end, st_real *results) {
    const st_beam_call *call = context;
    const st_beam_model *model = call->model;
    const st_pack factor = st_pack_splat(call->factor);
    for (size_t p = begin; p < end; p++) {
        st_pack d[12], f[12], v[3];

        // d = Rᵀ dx, for translation and rotation of both ends
        const st_pack *rotation = model->rotation[p];
        for (size_t i = 0; i < 4; i++) {
            gather_vectors(v, call->x, model->mesh.nodes + (2 * p + i / 2) * ST_PACK_SIZE, 3 * (i % 2));
            st_pack9_transpose_times_vec(d + 3 * i, rotation, v);
        }

        // df = -factor R k d
        st_beam_local_force(f, model->constants[p], d);
        for (int i = 0; i < 4; i++) {
            st_pack9_times_vec(v, rotation, f + 3 * i);
            for (int k = 0; k < 3; k++, results += ST_PACK_SIZE) st_pack_store(results, -(factor * v[k]));
        }
    }
}

// -R k Rᵀ of one block.
ST_PACK_INLINE void turn_block(st_pack *matrix, const st_pack *k, const st_pack rotation[9], int i, int j) {
    st_pack t[9], r[3];

    // t = R k
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            t[3 * a + b] = rotation[3 * a] * k[12 * i + j + b] + rotation[3 * a + 1] * k[12 * (i + 1) + j + b] +
                           rotation[3 * a + 2] * k[12 * (i + 2) + j + b];

    for (int a = 0; a < 3; a++) {
        st_pack9_times_vec(r, rotation, t + 3 * a); // row a of t Rᵀ
        for (int b = 0; b < 3; b++) matrix[12 * (i + a) + j + b] = -r[b];
    }
}

// Without a trace of rounding: the upper blocks are mirrored, those on the diagonal averaged.
ST_PACK_INLINE void make_symmetric(st_pack matrix[144]) {
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < i; j++) {
            const st_pack upper = matrix[12 * j + i], lower = matrix[12 * i + j];
            const st_pack both = i / 3 == j / 3 ? (upper + lower) * st_pack_splat(ST_R(0.5)) : upper;
            matrix[12 * j + i] = matrix[12 * i + j] = both;
        }
}

static void matrix_loop(void *context, size_t begin, size_t end, st_real *results) {
    const st_beam_call *call = context;
    const st_beam_model *model = call->model;
    for (size_t p = begin; p < end; p++, results += 144 * ST_PACK_SIZE) {
        st_pack k[144], matrix[144];

        // the columns of k are the forces of unit displacements
        for (int j = 0; j < 12; j++) {
            st_pack unit[12], column[12];
            for (int i = 0; i < 12; i++) unit[i] = st_pack_splat(i == j ? 1 : 0);
            st_beam_local_force(column, model->constants[p], unit);
            for (int i = 0; i < 12; i++) k[12 * i + j] = column[i];
        }

        // block by block into the world
        for (int i = 0; i < 12; i += 3)
            for (int j = 0; j < 12; j += 3) turn_block(matrix, k, model->rotation[p], i, j);
        if (model->symmetric) make_symmetric(matrix);
        st_pack_separate(results, matrix, 144);
    }
}

const st_beam_kernels ST_KERNEL(st_beam_kernels) = {.product = product_loop, .matrix = matrix_loop};
