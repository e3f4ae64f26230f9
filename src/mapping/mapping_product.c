// Products with J, Jᵀ and the geometric stiffness of a mapping: its own where it has them, else from its blocks.
//
// Vectors that do not exist, such as the velocities of a visual model, are left alone.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "linalg/sink.h"
#include "settee/physics.h"

static const st_mapping_ops *ops_of(const st_mapping *mapping) { return mapping->object.type->mapping; }
static st_state *input_of(const st_mapping *m, size_t i) { return (st_state *)m->input.data[i]; }
static st_state *output_of(const st_mapping *m, size_t i) { return (st_state *)m->output.data[i]; }

// The vector behind an id when it has an entry for each DOF of its state.
static st_real *whole(const st_state *state, int index, int standard) {
    const st_reals *list = st_deriv_list(state, index, standard);
    return list->count == state->size ? list->data : NULL;
}

// to += Jᵀ from: the transposed block times the rows' values.
typedef struct transposed_sink {
    st_sink sink;
    size_t rows, cols;
    const st_real *from; // rows
    st_real *to;         // cols
} transposed_sink;

static void add_transposed(st_sink *sink, size_t row, size_t col, int rows, int cols, const st_real *block) {
    const transposed_sink *self = (const transposed_sink *)sink;
    const st_window window = {.rows = self->rows, .cols = self->cols};
    if (!st_window_holds(&window, row, col, rows, cols)) return;
    for (int c = 0; c < cols; c++) {
        st_real sum = 0;
        for (int r = 0; r < rows; r++) sum += block[r * cols + c] * self->from[row + (size_t)r];
        self->to[col + (size_t)c] += sum;
    }
}

void st_mapping_apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    if (ops_of(mapping)->apply_j) {
        ops_of(mapping)->apply_j(mapping, out, in);
        return;
    }
    for (size_t i = 0; i < mapping->output.count; i++) {
        const st_state *child = output_of(mapping, i);
        st_real *to = whole(child, out.index, ST_DERIV_VELOCITY);
        if (!to) continue;
        memset(to, 0, st_state_scalars(child) * sizeof *to);
        for (size_t j = 0; j < mapping->input.count; j++) {
            const st_state *parent = input_of(mapping, j);
            const st_real *from = whole(parent, in.index, ST_DERIV_VELOCITY);
            if (!from) continue;
            st_product_sink product;
            st_product_sink_init(&product, 1, st_state_scalars(parent), from, st_state_scalars(child), to);
            ops_of(mapping)->jacobian(mapping, i, j, &product.sink);
        }
    }
}

void st_mapping_apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    if (ops_of(mapping)->apply_jt) {
        ops_of(mapping)->apply_jt(mapping, in, out);
        return;
    }
    for (size_t i = 0; i < mapping->output.count; i++) {
        const st_state *child = output_of(mapping, i);
        for (size_t j = 0; j < mapping->input.count; j++) {
            const st_state *parent = input_of(mapping, j);
            transposed_sink product = {.sink = {.add = add_transposed},
                                       .rows = st_state_scalars(child),
                                       .cols = st_state_scalars(parent),
                                       .from = whole(child, out.index, ST_DERIV_FORCE),
                                       .to = whole(parent, in.index, ST_DERIV_FORCE)};
            if (product.from && product.to) ops_of(mapping)->jacobian(mapping, i, j, &product.sink);
        }
    }
}

// One sink for each pair of inputs that is asked for: a product with the column's dx, into the row's df.
typedef struct geometric_products {
    st_accumulator accumulator;
    const st_mapping *mapping;
    const st_params *params;
    st_real k;
    st_product_sink sink; // blocks of one pair are given before the next pair is asked for
} geometric_products;

static bool is_input(const st_mapping *mapping, const st_state *state) {
    for (size_t i = 0; i < mapping->input.count; i++)
        if (input_of(mapping, i) == state) return true;
    return false;
}

static st_sink *between(st_accumulator *accumulator, const st_state *row, const st_state *col) {
    geometric_products *self = (geometric_products *)accumulator;
    st_real *df = is_input(self->mapping, row) ? whole(row, self->params->df.index, ST_DERIV_DFORCE) : NULL;
    const st_real *dx = is_input(self->mapping, col) ? whole(col, self->params->dx.index, ST_DERIV_DX) : NULL;
    if (!df || !dx) return st_null_sink();
    st_product_sink_init(&self->sink, self->k, st_state_scalars(col), dx, st_state_scalars(row), df);
    return &self->sink.sink;
}

void st_mapping_apply_geometric(st_mapping *mapping, const st_params *params, st_real k) {
    const st_mapping_ops *ops = ops_of(mapping);
    if (ops->apply_geometric) {
        ops->apply_geometric(mapping, params, k);
        return;
    }
    if (!ops->geometric) return;
    geometric_products products = {.accumulator = {.between = between}, .mapping = mapping, .params = params, .k = k};
    ops->geometric(mapping, params, (st_stiffness){&products.accumulator});
}
