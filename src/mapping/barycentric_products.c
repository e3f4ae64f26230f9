// Products with the rows of a barycentric J. The three components of a point are summed side by side.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/barycentric_rows.h"
#include "math/pack.h"
#include "math/simd.h"
#include "scene/scene.h"

enum { POINT_GRAIN = 1024 }; // points of a chunk

bool st_barycentric_rows_begin(st_barycentric_rows *rows) {
    rows->start.count = rows->nodes.count = rows->weights.count = 0;
    return st_list_push(&rows->start, 0);
}

bool st_barycentric_rows_add(st_barycentric_rows *rows, size_t count, const uint32_t *nodes, const st_real *weights) {
    const size_t old = rows->nodes.count, now = old + count;
    if (now > UINT32_MAX || !st_list_set_count(&rows->nodes, now, 1) || !st_list_set_count(&rows->weights, now, 1))
        return false;

    st_copy_bytes(rows->nodes.data + old, nodes, count * sizeof *nodes);
    st_copy_reals(rows->weights.data + old, weights, (size_t)count);
    return st_list_push(&rows->start, (uint32_t)now);
}

typedef struct barycentric_product {
    const uint32_t *start, *nodes;
    const st_real *weights, *q;
    size_t last; // node of q, behind which there is nothing to read
    st_real *p;
    size_t stride; // of p
} barycentric_product;

// p = Σ w q
ST_PACK_INLINE void multiply_rows(const barycentric_product *b, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        st_pack sum = st_pack_splat(0);

        // three components and a fourth lane, which nobody looks at
        for (uint32_t k = b->start[i]; k < b->start[i + 1]; k++) {
            const st_real *q = b->q + 3 * (size_t)b->nodes[k];
            const st_pack v = b->nodes[k] < b->last ? st_pack_load(q) : st_pack_set(q[0], q[1], q[2], 0);
            sum += v * st_pack_splat(b->weights[k]);
        }

        st_real *p = b->p + i * b->stride;
        st_pair_store(p, __builtin_shufflevector(sum, sum, 0, 1));
        p[2] = sum[2];
    }
}

static void multiply_portable(void *context, size_t begin, size_t end) { multiply_rows(context, begin, end); }
ST_AVX2 static void multiply_avx2(void *context, size_t begin, size_t end) { multiply_rows(context, begin, end); }

// Vectors that do not exist, such as the velocities of a visual model, are left alone.
static void barycentric_products_multiply(const st_barycentric_rows *rows, size_t parent_size, st_pool *pool,
                                          st_reals *to, size_t stride, const st_reals *from) {
    const size_t count = st_barycentric_count(rows);
    if (from->count < parent_size || to->count < count || from->count == 0) return;

    barycentric_product b = {.start = rows->start.data,
                             .nodes = rows->nodes.data,
                             .weights = rows->weights.data,
                             .q = from->data,
                             .last = from->count - 1,
                             .p = to->data,
                             .stride = stride};
    st_parallel_for(pool, count, POINT_GRAIN, ST_HAS_AVX2() ? multiply_avx2 : multiply_portable, &b);
}

void st_barycentric_apply(const st_barycentric_rows *rows, size_t parent_size, st_mapping *mapping, st_coord_id out,
                          st_const_coord_id in) {
    const size_t count = st_barycentric_count(rows);
    st_state *child = st_mapping_out(mapping);

    if (rows->start.count == 0) return; // before the search, or after one that failed
    if (child->size != count && st_state_resize(child, count) != ST_OK) return;

    barycentric_products_multiply(rows, parent_size, mapping->object.scene->pool,
                                  st_coord_list(child, out.index, ST_COORD_POSITION), st_state_dof(child)->coord,
                                  st_coord_list(st_mapping_in(mapping), in.index, ST_COORD_POSITION));
}

void st_barycentric_apply_j(const st_barycentric_rows *rows, size_t parent_size, st_mapping *mapping, st_deriv_id out,
                            st_const_deriv_id in) {
    const st_state *child = st_mapping_out(mapping);
    barycentric_products_multiply(rows, parent_size, mapping->object.scene->pool,
                                  st_deriv_list(child, out.index, ST_DERIV_VELOCITY), st_state_dof(child)->deriv,
                                  st_deriv_list(st_mapping_in(mapping), in.index, ST_DERIV_VELOCITY));
}

void st_barycentric_apply_jt(const st_barycentric_rows *rows, size_t parent_size, st_mapping *mapping, st_deriv_id in,
                             st_const_deriv_id out) {
    const st_state *child = st_mapping_out(mapping);
    const size_t count = st_barycentric_count(rows), stride = st_state_dof(child)->deriv;
    const st_reals *from = st_deriv_list(child, out.index, ST_DERIV_FORCE);
    st_reals *to = st_deriv_list(st_mapping_in(mapping), in.index, ST_DERIV_FORCE);

    if (to->count < parent_size || from->count < count) return;

    // f_q += w f_p, in the order of the points
    const uint32_t *start = rows->start.data, *nodes = rows->nodes.data;
    const st_real *weights = rows->weights.data;
    for (size_t i = 0; i < count; i++) {
        const st_real *p = from->data + i * stride, z = p[2];
        const st_pack_pair xy = st_pair_load(p);
        for (uint32_t k = start[i]; k < start[i + 1]; k++) {
            const st_real w = weights[k];
            st_real *f = to->data + 3 * (size_t)nodes[k];
            st_pair_store(f, st_pair_load(f) + xy * (st_pack_pair){w, w});
            f[2] += z * w;
        }
    }
}

void st_barycentric_jacobian(const st_barycentric_rows *rows, size_t parent_size, const st_mapping *mapping,
                             st_sink *sink) {
    const st_state *child = st_mapping_out(mapping);
    const size_t count = st_barycentric_count(rows), stride = st_state_dof(child)->deriv;

    if (st_mapping_in(mapping)->size < parent_size || child->size < count) return;

    for (size_t i = 0; i < count; i++)
        for (uint32_t k = rows->start.data[i]; k < rows->start.data[i + 1]; k++) {
            const st_real w = rows->weights.data[k];
            const st_real block[9] = {w, 0, 0, 0, w, 0, 0, 0, w};
            st_add_3x3(sink, i * stride, 3 * (size_t)rows->nodes.data[k], block);
        }
}
