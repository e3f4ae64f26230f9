// Products with J, Jᵀ and the geometric stiffness of a mapping: its own where it has them, else from its blocks.
//
// Vectors that do not exist, such as the velocities of a visual model, are left alone.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/mapping_product.h"

#include <string.h>

#include "mapping/states.h"

static const st_mapping_ops *ops_of(const st_mapping *mapping) { return mapping->object.type->mapping; }

void st_mapping_report(st_mapping *mapping, const char *what, const st_window *window, const st_refusals *refusals) {
    if (!refusals || refusals->count == 0 || !st_first_time(&mapping->object, ST_REFUSED_BLOCKS)) return;
    st_report_refusals(&mapping->object, what, window, refusals);
}

// ---------------------------------------------------------------------------------------------------
// J
// ---------------------------------------------------------------------------------------------------

void st_mapping_multiply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    for (size_t i = 0; i < mapping->output.count; i++) {
        const st_state *child = st_mapping_output(mapping, i);
        st_real *to = st_whole_velocity(child, out.index);
        if (!to) continue;
        memset(to, 0, st_state_scalars(child) * sizeof *to);
        for (size_t j = 0; j < mapping->input.count; j++) {
            const st_state *parent = st_mapping_input(mapping, j);
            const st_real *from = st_whole_velocity(parent, in.index);
            if (!from) continue;

            // to += J from, of this pair
            st_product_sink product;
            st_product_sink_init(&product, 1, st_state_scalars(parent), from, st_state_scalars(child), to);
            ops_of(mapping)->jacobian(mapping, i, j, &product.sink);
            st_mapping_report(mapping, "Jacobian", &product.window, &product.refusals);
        }
    }
}

void st_mapping_apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    if (ops_of(mapping)->apply_j) ops_of(mapping)->apply_j(mapping, out, in);
    else st_mapping_multiply_j(mapping, out, in);
}

void st_mapping_apply_acceleration(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in, st_const_deriv_id v) {
    st_mapping_apply_j(mapping, out, in);
    if (ops_of(mapping)->add_curvature) ops_of(mapping)->add_curvature(mapping, out, v);
}

// ---------------------------------------------------------------------------------------------------
// Jᵀ
// ---------------------------------------------------------------------------------------------------

// to += Jᵀ from: the transposed block times the rows' values.
typedef struct transposed_sink {
    st_sink sink;
    st_window window;
    const st_real *from; // rows
    st_real *to;         // columns
    st_refusals refusals;
} transposed_sink;

static void add_transposed(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    transposed_sink *self = (transposed_sink *)sink;
    if (!st_window_holds(&self->window, row, col, rows, cols)) {
        st_refuse_addition(&self->refusals, row, col, rows, cols);
        return;
    }

    for (size_t c = 0; c < cols; c++) {
        st_real sum = 0;
        for (size_t r = 0; r < rows; r++) sum += block[r * cols + c] * self->from[row + r];
        self->to[col + c] += sum;
    }
}

void st_mapping_multiply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    for (size_t i = 0; i < mapping->output.count; i++) {
        const st_state *child = st_mapping_output(mapping, i);
        for (size_t j = 0; j < mapping->input.count; j++) {
            const st_state *parent = st_mapping_input(mapping, j);
            transposed_sink product = {.sink = {.add = add_transposed},
                                       .window = {.rows = st_state_scalars(child), .cols = st_state_scalars(parent)},
                                       .from = st_whole_force(child, out.index),
                                       .to = st_whole_force(parent, in.index)};
            if (!product.from || !product.to) continue;
            ops_of(mapping)->jacobian(mapping, i, j, &product.sink);
            st_mapping_report(mapping, "Jacobian", &product.window, &product.refusals);
        }
    }
}

void st_mapping_apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    if (ops_of(mapping)->apply_jt) ops_of(mapping)->apply_jt(mapping, in, out);
    else st_mapping_multiply_jt(mapping, in, out);
}

// ---------------------------------------------------------------------------------------------------
// Geometric stiffness
// ---------------------------------------------------------------------------------------------------

// One sink for each pair of inputs that is asked for: a product with the column's dx, into the row's df.
typedef struct geometric_products {
    st_accumulator accumulator;
    st_mapping *mapping;
    const st_params *params;
    st_real k;
    st_product_sink sink; // blocks of one pair are given before the next pair is asked for
} geometric_products;

static st_sink *mapping_product_between(st_accumulator *accumulator, const st_state *row, const st_state *col) {
    geometric_products *self = (geometric_products *)accumulator;
    st_real *df = st_mapping_has_input(self->mapping, row) ? st_whole_dforce(row, self->params->df.index) : NULL;
    const st_real *dx = st_mapping_has_input(self->mapping, col) ? st_whole_dx(col, self->params->dx.index) : NULL;

    st_mapping_report(self->mapping, "geometric stiffness", &self->sink.window, &self->sink.refusals);
    if (!df || !dx) return st_null_sink();
    st_product_sink_init(&self->sink, self->k, st_state_scalars(col), dx, st_state_scalars(row), df);
    return &self->sink.sink;
}

void st_mapping_multiply_geometric(st_mapping *mapping, const st_params *params, st_real k) {
    if (!ops_of(mapping)->geometric) return;
    geometric_products products = {
        .accumulator = {.between = mapping_product_between}, .mapping = mapping, .params = params, .k = k};
    ops_of(mapping)->geometric(mapping, params, (st_stiffness){&products.accumulator});
    st_mapping_report(mapping, "geometric stiffness", &products.sink.window, &products.sink.refusals);
}

void st_mapping_apply_geometric(st_mapping *mapping, const st_params *params, st_real k) {
    if (ops_of(mapping)->apply_geometric) ops_of(mapping)->apply_geometric(mapping, params, k);
    else st_mapping_multiply_geometric(mapping, params, k);
}
