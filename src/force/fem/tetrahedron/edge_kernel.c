// The loops over packs of tetrahedra and edges (edge_model.h gives the formulas). Compiled for each instruction
// set (math/simd.h).
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/tetrahedron/edge_model.h"
#include "math/pack_rotation.h"
#include "topology/tables.h"

// K_lk of the edge from k to l.
ST_PACK_INLINE void edge_stiffness(st_pack b[9], const st_pack *l, const st_pack *k, const st_pack material[2]) {
    const st_pack dot = st_pack3_dot(l, k) * material[1];

    for (int m = 0; m < 3; m++)
        for (int n = 0; n < 3; n++) {
            b[3 * m + n] = material[0] * l[m] * k[n] + material[1] * k[m] * l[n];
            if (m == n) b[3 * m + n] += dot;
        }
}

ST_PACK_INLINE void gather_edges(st_pack d[18], const st_edge_call *call, size_t p) {
    const uint32_t *nodes = call->model->mesh.nodes + p * ST_PACK_SIZE * 4;
    st_pack x[12];
    for (int i = 0; i < 4; i++) st_pack3_gather(x + 3 * i, call->x, nodes + ST_PACK_SIZE * i);
    for (int e = 0; e < 6; e++)
        st_pack3_sub(d + 3 * e, x + 3 * st_tetrahedron_edges[e][1], x + 3 * st_tetrahedron_edges[e][0]);
}

// R = Aᵀ B
ST_PACK_INLINE void relative_rotation(st_pack r[9], const st_pack a[9], const st_pack b[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
}

ST_PACK_INLINE void find_rotation(st_pack r[9], st_edge_model *model, size_t p, const st_pack d[18],
                                  st_edge_method method) {
    st_pack a[9], frame[9];
    st_pack_mask singular = {0};

    if (method == ST_EDGE_QR) {
        st_pack_frame_rows(frame, d, d + 3);
        relative_rotation(r, frame, model->rest_frame[p]);
    } else if (method == ST_EDGE_POLAR2) {
        for (int k = 0; k < 9; k++) a[k] = d[k];
        singular = st_pack_polar(frame, a);
        relative_rotation(r, frame, model->rest_frame[p]);
    } else { // deformation gradient: Σ d_j ⊗ s_j
        const st_pack *s = model->gradient[p] + 3;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) a[3 * i + j] = d[i] * s[j] + d[3 + i] * s[3 + j] + d[6 + i] * s[6 + j];
        singular = st_pack_polar(r, a);
    }

    // several threads may find one: all write the same
    if (st_pack_any(singular)) __atomic_store_n(&model->singular, true, __ATOMIC_RELAXED);
}

ST_PACK_INLINE void force_body(void *context, size_t begin, size_t end, st_real *results, st_edge_method method) {
    const st_edge_call *call = context;
    st_edge_model *model = call->model;
    for (size_t p = begin; p < end; p++, results += 48) {
        st_pack d[18], rotation[9], f[12], b[9], u[3], r[3];

        // R, kept for the derivative
        gather_edges(d, call, p);
        if (method != ST_EDGE_NONE) {
            find_rotation(rotation, model, p, d, method);
            for (int k = 0; k < 9; k++) model->rotation[p][k] = rotation[k];
        }

        // u = Rᵀ d - E,   F_l += K_lk u,   F_k -= K_lkᵀ u
        for (int k = 0; k < 12; k++) f[k] = st_pack_splat(0);
        for (int e = 0; e < 6; e++) {
            const int k = st_tetrahedron_edges[e][0], l = st_tetrahedron_edges[e][1];
            if (method == ST_EDGE_NONE)
                for (int i = 0; i < 3; i++) u[i] = d[3 * e + i];
            else st_pack9_transpose_times_vec(u, rotation, d + 3 * e);
            st_pack3_sub(u, u, model->rest_edge[p] + 3 * e);

            edge_stiffness(b, model->gradient[p] + 3 * l, model->gradient[p] + 3 * k, model->material[p]);
            st_pack9_times_vec(r, b, u);
            for (int i = 0; i < 3; i++) f[3 * l + i] += r[i];
            st_pack9_transpose_times_vec(r, b, u);
            for (int i = 0; i < 3; i++) f[3 * k + i] -= r[i];
        }

        // f = R F
        for (int i = 0; i < 12; i += 3) {
            for (int c = 0; c < 3; c++) r[c] = f[i + c];
            if (method != ST_EDGE_NONE) st_pack9_times_vec(r, rotation, f + i);
            for (int c = 0; c < 3; c++) st_pack_store(results + (i + c) * ST_PACK_SIZE, r[c]);
        }
    }
}

// R K_lk Rᵀ for the six edges, transposed where the edge of the mesh runs the other way.
static void blocks_loop(void *context, size_t begin, size_t end, st_real *results) {
    const st_edge_call *call = context;
    const st_edge_model *model = call->model;
    for (size_t p = begin; p < end; p++) {
        const st_pack *rotation = model->rotation[p];
        for (int e = 0; e < 6; e++) {
            const int k = st_tetrahedron_edges[e][0], l = st_tetrahedron_edges[e][1];
            st_pack b[9], t[9], r[9];
            edge_stiffness(b, model->gradient[p] + 3 * l, model->gradient[p] + 3 * k, model->material[p]);
            for (int i = 0; i < 3; i++) st_pack9_transpose_times_vec(t + 3 * i, b, rotation + 3 * i); // t = R K
            for (int i = 0; i < 3; i++) st_pack9_times_vec(r + 3 * i, rotation, t + 3 * i);           // r = t Rᵀ

            const st_pack_mask along = (st_pack_mask)(model->blocks.along[p][e] > st_pack_splat(0));
            for (int i = 0; i < 9; i++, results += ST_PACK_SIZE)
                st_pack_store(results, st_pack_select(along, r[i], r[i % 3 * 3 + i / 3]));
        }
    }
}

static void product_loop(void *context, size_t begin, size_t end, st_real *results) {
    const st_edge_product *call = context;
    const st_edge_blocks *blocks = call->blocks;
    const st_pack factor = st_pack_splat(call->factor);
    for (size_t p = begin; p < end; p++, results += 24) {
        const uint32_t *nodes = blocks->edges.nodes + p * ST_PACK_SIZE * 2;
        st_pack a[3], d[3], b[9], r[3];

        // d = factor (dx_1 - dx_0)
        st_pack3_gather(a, call->dx, nodes);
        st_pack3_gather(d, call->dx, nodes + ST_PACK_SIZE);
        for (int i = 0; i < 3; i++) d[i] = (d[i] - a[i]) * factor;

        // B of the four edges
        const st_real *block[4];
        for (size_t lane = 0; lane < 4; lane++) {
            const size_t edge = p * ST_PACK_SIZE + lane;
            block[lane] = blocks->block + 9 * (edge < blocks->edges.count ? edge : blocks->edges.count - 1);
        }
        for (int i = 0; i < 9; i++) b[i] = st_pack_set(block[0][i], block[1][i], block[2][i], block[3][i]);

        // df_0 = -Bᵀ d, df_1 = B d
        st_pack9_transpose_times_vec(r, b, d);
        for (int i = 0; i < 3; i++) st_pack_store(results + i * ST_PACK_SIZE, -r[i]);
        st_pack9_times_vec(r, b, d);
        for (int i = 0; i < 3; i++) st_pack_store(results + (3 + i) * ST_PACK_SIZE, r[i]);
    }
}

#define FORCE(name, method)                                                                                            \
    static void name(void *context, size_t begin, size_t end, st_real *results) {                                      \
        force_body(context, begin, end, results, method);                                                              \
    }
FORCE(force_qr, ST_EDGE_QR)
FORCE(force_polar, ST_EDGE_POLAR)
FORCE(force_polar2, ST_EDGE_POLAR2)
FORCE(force_none, ST_EDGE_NONE)

const st_edge_kernels ST_KERNEL(st_edge_kernels) = {
    .force = {force_qr, force_polar, force_polar2, force_none}, .blocks = blocks_loop, .product = product_loop};
