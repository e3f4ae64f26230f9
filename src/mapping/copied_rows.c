// Child DOFs that are copies of parent DOFs.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/copied_rows.h"

#include "base/array.h"
#include "mapping/states.h"

static size_t copied_rows_smaller(size_t a, size_t b) { return a < b ? a : b; }

// Rows that both the child and the lists have.
static size_t row_count(const st_mapping *mapping) {
    const st_copied_mapping *self = (const st_copied_mapping *)mapping;
    return copied_rows_smaller(self->in_order ? st_mapping_in(mapping)->size : self->index.count,
                               st_mapping_out(mapping)->size);
}

// The DOF of input `in` that child i is a copy of; SIZE_MAX: it is none of that input.
static inline size_t source_of(const st_copied_mapping *self, size_t in, size_t i, size_t parent_size) {
    if (self->in_order) return i;

    if ((self->parent.count ? self->parent.data[i] : 0) != in) return SIZE_MAX;
    return self->index.data[i] < parent_size ? self->index.data[i] : SIZE_MAX;
}

static size_t shared_derivs(const st_mapping *mapping, size_t in) {
    return copied_rows_smaller(st_state_dof(st_mapping_input(mapping, in))->deriv,
                               st_state_dof(st_mapping_out(mapping))->deriv);
}

// The rows of one input, of vectors with the given numbers of reals for a DOF.
static void copied_rows_copy(const st_mapping *mapping, size_t in, st_real *to, size_t stride, const st_real *from,
                             size_t from_stride) {
    const st_copied_mapping *self = (const st_copied_mapping *)mapping;
    const size_t count = row_count(mapping), parent_size = st_mapping_input(mapping, in)->size;
    if (!to || !from) return;

    // whole vectors where nothing is left out
    if (self->in_order && stride == from_stride) {
        st_copy_reals(to, from, count * stride);
        return;
    }

    for (size_t i = 0; i < count; i++) {
        const size_t source = source_of(self, in, i, parent_size);
        if (source != SIZE_MAX)
            st_copy_reals(to + i * stride, from + source * from_stride, copied_rows_smaller(stride, from_stride));
    }
}

void st_copied_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    const st_state *child = st_mapping_out(mapping);
    for (size_t p = 0; p < mapping->input.count; p++) {
        const st_state *parent = st_mapping_input(mapping, p);
        copied_rows_copy(mapping, p, st_whole_position(child, out.index), st_state_dof(child)->coord,
                         st_whole_position(parent, in.index), st_state_dof(parent)->coord);
    }
}

// A DOF whose parent has left the mesh does not move.
static void stop_others(const st_copied_mapping *self, const st_state *child, st_real *v) {
    const size_t stride = st_state_dof(child)->deriv;
    for (size_t i = 0; v && !self->in_order && i < self->index.count && i < child->size; i++)
        for (size_t k = 0; self->index.data[i] == ST_INVALID_INDEX && k < stride; k++) v[i * stride + k] = 0;
}

void st_copied_apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    const st_state *child = st_mapping_out(mapping);
    stop_others((const st_copied_mapping *)mapping, child, st_whole_velocity(child, out.index));

    for (size_t p = 0; p < mapping->input.count; p++) {
        const st_state *parent = st_mapping_input(mapping, p);
        copied_rows_copy(mapping, p, st_whole_velocity(child, out.index), st_state_dof(child)->deriv,
                         st_whole_velocity(parent, in.index), st_state_dof(parent)->deriv);
    }
}

void st_copied_apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    const st_copied_mapping *self = (const st_copied_mapping *)mapping;
    const st_state *child = st_mapping_out(mapping);
    const st_real *from = st_whole_force(child, out.index);
    const size_t stride = st_state_dof(child)->deriv, count = row_count(mapping);

    for (size_t p = 0; from && p < mapping->input.count; p++) {
        const st_state *parent = st_mapping_input(mapping, p);
        st_real *to = st_whole_force(parent, in.index);
        const size_t to_stride = st_state_dof(parent)->deriv, width = shared_derivs(mapping, p);

        // f += f_p, as far as the child knows it
        for (size_t i = 0; to && i < count; i++) {
            const size_t source = source_of(self, p, i, parent->size);
            for (size_t c = 0; source != SIZE_MAX && c < width; c++) to[source * to_stride + c] += from[i * stride + c];
        }
    }
}

void st_copied_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    if (out > 0) return; // there is one output
    const st_state *parent = st_mapping_input(mapping, in);
    const size_t stride = st_state_dof(st_mapping_out(mapping))->deriv, count = row_count(mapping);
    const size_t from_stride = st_state_dof(parent)->deriv, width = shared_derivs(mapping, in);

    st_real identity[36] = {0};
    for (size_t k = 0; k < width; k++) identity[k * width + k] = 1;

    for (size_t i = 0; i < count; i++) {
        const size_t source = source_of((const st_copied_mapping *)mapping, in, i, parent->size);
        if (source != SIZE_MAX) sink->add(sink, i * stride, source * from_stride, (int)width, (int)width, identity);
    }
}

const st_mapping_ops st_copied_ops = {
    .apply = st_copied_apply,
    .apply_j = st_copied_apply_j,
    .apply_jt = st_copied_apply_jt,
    .jacobian = st_copied_jacobian,
};

void st_copied_destroy(st_object *object) {
    st_copied_mapping *self = (st_copied_mapping *)object;
    st_list_free(&self->index);
    st_list_free(&self->parent);
}
