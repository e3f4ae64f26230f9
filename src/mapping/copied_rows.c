// Child DOFs that are copies of parent DOFs.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/copied_rows.h"

#include "base/array.h"
#include "mapping/states.h"

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static size_t parent_of(const st_copied_rows *rows, size_t i) { return rows->parent ? rows->parent[i] : 0; }

static size_t shared_derivs(const st_mapping *mapping, size_t in) {
    return smaller((size_t)st_state_dof(st_mapping_input(mapping, in))->deriv,
                   (size_t)st_state_dof(st_mapping_out(mapping))->deriv);
}

// Rows that both the child and the rows have.
static size_t row_count(const st_copied_rows *rows, const st_mapping *mapping) {
    return smaller(rows->count, st_mapping_out(mapping)->size);
}

void st_copied_rows_apply(const st_copied_rows *rows, st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    const st_state *child = st_mapping_out(mapping);
    st_real *to = st_whole_position(child, out.index);
    const size_t stride = (size_t)st_state_dof(child)->coord;
    for (size_t p = 0; to && p < mapping->input.count; p++) {
        const st_state *parent = st_mapping_input(mapping, p);
        const st_real *from = st_whole_position(parent, in.index);
        const size_t from_stride = (size_t)st_state_dof(parent)->coord;
        for (size_t i = 0; from && i < row_count(rows, mapping); i++)
            if (parent_of(rows, i) == p && rows->index[i] < parent->size)
                st_copy_reals(to + i * stride, from + rows->index[i] * from_stride, smaller(stride, from_stride));
    }
}

void st_copied_rows_apply_j(const st_copied_rows *rows, st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    const st_state *child = st_mapping_out(mapping);
    st_real *to = st_whole_velocity(child, out.index);
    const size_t stride = (size_t)st_state_dof(child)->deriv;
    for (size_t p = 0; to && p < mapping->input.count; p++) {
        const st_state *parent = st_mapping_input(mapping, p);
        const st_real *from = st_whole_velocity(parent, in.index);
        const size_t from_stride = (size_t)st_state_dof(parent)->deriv;
        for (size_t i = 0; from && i < row_count(rows, mapping); i++)
            if (parent_of(rows, i) == p && rows->index[i] < parent->size)
                st_copy_reals(to + i * stride, from + rows->index[i] * from_stride, smaller(stride, from_stride));
    }
}

void st_copied_rows_apply_jt(const st_copied_rows *rows, st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    const st_state *child = st_mapping_out(mapping);
    const st_real *from = st_whole_force(child, out.index);
    const size_t stride = (size_t)st_state_dof(child)->deriv;
    for (size_t p = 0; from && p < mapping->input.count; p++) {
        const st_state *parent = st_mapping_input(mapping, p);
        st_real *to = st_whole_force(parent, in.index);
        const size_t to_stride = (size_t)st_state_dof(parent)->deriv, width = shared_derivs(mapping, p);
        for (size_t i = 0; to && i < row_count(rows, mapping); i++)
            for (size_t c = 0; parent_of(rows, i) == p && rows->index[i] < parent->size && c < width; c++)
                to[rows->index[i] * to_stride + c] += from[i * stride + c];
    }
}

void st_copied_rows_jacobian(const st_copied_rows *rows, const st_mapping *mapping, size_t in, st_sink *sink) {
    const st_state *parent = st_mapping_input(mapping, in);
    const size_t stride = (size_t)st_state_dof(st_mapping_out(mapping))->deriv;
    const size_t from_stride = (size_t)st_state_dof(parent)->deriv, width = shared_derivs(mapping, in);
    st_real identity[36] = {0};
    for (size_t k = 0; k < width; k++) identity[k * width + k] = 1;
    for (size_t i = 0; i < row_count(rows, mapping); i++)
        if (parent_of(rows, i) == in && rows->index[i] < parent->size)
            sink->add(sink, i * stride, rows->index[i] * from_stride, (int)width, (int)width, identity);
}
