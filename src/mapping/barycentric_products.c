// Products with the rows of a barycentric J.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/barycentric_rows.h"
#include "math/vec3.h"

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

// Vectors that do not exist, such as the velocities of a visual model, are left alone.
static void barycentric_products_multiply(const st_barycentric_rows *rows, size_t parent_size, st_reals *to,
                                          size_t stride, const st_reals *from) {
    const size_t count = st_barycentric_count(rows);

    if (from->count < parent_size || to->count < count) return;

    const uint32_t *start = rows->start.data, *nodes = rows->nodes.data;
    const st_real *weights = rows->weights.data, *q = from->data;

    // p = Σ w q
    for (size_t i = 0; i < count; i++) {
        st_real sum[3] = {0, 0, 0};
        for (uint32_t k = start[i]; k < start[i + 1]; k++)
            st_vec3_add_scaled(sum, sum, q + 3 * (size_t)nodes[k], weights[k]);
        st_vec3_copy(to->data + i * stride, sum);
    }
}

void st_barycentric_apply(const st_barycentric_rows *rows, size_t parent_size, st_mapping *mapping, st_coord_id out,
                          st_const_coord_id in) {
    const size_t count = st_barycentric_count(rows);
    st_state *child = st_mapping_out(mapping);

    if (rows->start.count == 0) return; // before the search, or after one that failed
    if (child->size != count && st_state_resize(child, count) != ST_OK) return;

    barycentric_products_multiply(rows, parent_size, st_coord_list(child, out.index, ST_COORD_POSITION),
                                  st_state_dof(child)->coord,
                                  st_coord_list(st_mapping_in(mapping), in.index, ST_COORD_POSITION));
}

void st_barycentric_apply_j(const st_barycentric_rows *rows, size_t parent_size, st_mapping *mapping, st_deriv_id out,
                            st_const_deriv_id in) {
    const st_state *child = st_mapping_out(mapping);
    barycentric_products_multiply(rows, parent_size, st_deriv_list(child, out.index, ST_DERIV_VELOCITY),
                                  st_state_dof(child)->deriv,
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
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = rows->start.data[i]; k < rows->start.data[i + 1]; k++) {
            st_real *f = to->data + 3 * (size_t)rows->nodes.data[k];
            st_vec3_add_scaled(f, f, from->data + i * stride, rows->weights.data[k]);
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
