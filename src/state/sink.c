// Sinks that need no matrix: null, product, dense; accumulators; whole elements. See sink.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "state/sink.h"

enum { ELEMENT_BLOCK = 6 }; // widest node of an element

void st_refuse_addition(st_refusals *refusals, size_t row, size_t col, size_t rows, size_t cols) {
    if (refusals->count++ > 0) return;

    // the first one is reported
    refusals->row = row;
    refusals->col = col;
    refusals->rows = rows;
    refusals->cols = cols;
}

// ---------------------------------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------------------------------

void st_add_element(st_sink *sink, size_t count, const uint32_t *nodes, size_t width, const st_real *matrix) {
    if (sink->add_element) sink->add_element(sink, count, nodes, width, matrix);
    else st_add_element_blocks(sink, count, nodes, width, matrix);
}

void st_add_diagonal_scalars(st_sink *sink, size_t row, size_t col, size_t n, st_real value) {
    for (size_t i = 0; i < n; i++) st_add_scalar(sink, row + i, col + i, value);
}

void st_add_diagonal(st_sink *sink, size_t row, size_t col, size_t n, st_real value) {
    if (sink->add_diagonal) sink->add_diagonal(sink, row, col, n, value);
    else st_add_diagonal_scalars(sink, row, col, n, value);
}

void st_add_diagonals(st_sink *sink, struct st_pool *pool, const st_diagonals *d) {
    if (sink->add_diagonals && sink->add_diagonals(sink, pool, d)) return;

    // a sink without it gets the blocks one after the other
    for (size_t i = 0; i < d->count; i++) {
        const size_t at = (d->dofs ? d->dofs[i] : i) * d->n;
        st_add_diagonal(sink, at, at, d->n, d->values[d->same ? 0 : i]);
    }
}

void st_add_element_blocks(st_sink *sink, size_t count, const uint32_t *nodes, size_t width, const st_real *matrix) {
    if (width < 1 || width > ELEMENT_BLOCK) return;
    const size_t stride = count * width;
    st_real block[ELEMENT_BLOCK * ELEMENT_BLOCK];

    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            const st_real *corner = matrix + i * width * stride + j * width;
            for (size_t r = 0; r < width; r++)
                for (size_t c = 0; c < width; c++) block[r * width + c] = corner[r * stride + c];
            sink->add(sink, (size_t)nodes[i] * width, (size_t)nodes[j] * width, width, width, block);
        }
    }
}

// ---------------------------------------------------------------------------------------------------
// Null
// ---------------------------------------------------------------------------------------------------

static void add_nowhere(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    (void)sink, (void)row, (void)col, (void)rows, (void)cols, (void)block;
}

st_sink *st_null_sink(void) {
    static const st_sink sink = {.add = add_nowhere};
    return (st_sink *)&sink; // it holds nothing that could be written
}

// ---------------------------------------------------------------------------------------------------
// Product
// ---------------------------------------------------------------------------------------------------

static inline void sink_multiply(st_product_sink *s, size_t row, size_t col, size_t rows, size_t cols,
                                 const st_real *block) {
    const st_real *dx = s->dx + col;
    st_real *df = s->df + row;

    // df += factor · (block · dx), row by row
    for (size_t r = 0; r < rows; r++) {
        st_real sum = 0;
        for (size_t c = 0; c < cols; c++) sum += block[r * cols + c] * dx[c];
        df[r] += s->factor * sum;
    }
}

static void sink_add_product(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    st_product_sink *s = (st_product_sink *)sink;
    if (!st_window_holds(&s->window, row, col, rows, cols)) {
        st_refuse_addition(&s->refusals, row, col, rows, cols);
    } else if (rows == 3 && cols == 3) {
        // constant sizes: the loops are unrolled
        sink_multiply(s, row, col, 3, 3, block);
    } else {
        sink_multiply(s, row, col, rows, cols, block);
    }
}

void st_product_sink_init(st_product_sink *sink, st_real factor, size_t cols, const st_real *dx, size_t rows,
                          st_real *df) {
    *sink = (st_product_sink){.sink = {.add = sink_add_product},
                              .window = {.rows = rows, .cols = cols},
                              .factor = factor,
                              .dx = dx,
                              .df = df};
}

// ---------------------------------------------------------------------------------------------------
// Accumulators
// ---------------------------------------------------------------------------------------------------

static st_sink *the_only_one(st_accumulator *accumulator, const st_state *row, const st_state *col) {
    (void)row, (void)col;
    return ((st_single_accumulator *)accumulator)->sink;
}

void st_single_accumulator_init(st_single_accumulator *accumulator, st_sink *sink) {
    *accumulator = (st_single_accumulator){.accumulator = {the_only_one}, .sink = sink};
}

static st_sink *of_pair(st_accumulator *accumulator, const st_state *row, const st_state *col) {
    st_pair_accumulator *a = (st_pair_accumulator *)accumulator;

    for (size_t i = 0; i < a->count; i++)
        if (a->pairs[i].row == row && a->pairs[i].col == col) return a->pairs[i].sink;

    // not a pair of the component's own states: dropped, and counted for the report
    a->dropped++;
    return st_null_sink();
}

void st_pair_accumulator_init(st_pair_accumulator *accumulator) {
    *accumulator = (st_pair_accumulator){.accumulator = {of_pair}};
}

bool st_pair_accumulator_put(st_pair_accumulator *accumulator, const st_state *row, const st_state *col,
                             st_sink *sink) {
    if (accumulator->count == ST_PAIRS) return false;
    for (size_t i = 0; i < accumulator->count; i++)
        if (accumulator->pairs[i].row == row && accumulator->pairs[i].col == col) return false;

    accumulator->pairs[accumulator->count++] = (struct st_pair_sink){row, col, sink};
    return true;
}

void st_product_accumulator_init(st_product_accumulator *accumulator, const st_params *params, st_real factor,
                                 const st_state *state, const st_state *other) {
    const st_state *states[2] = {state, other};
    const size_t count = other && other != state ? 2 : 1;

    // a sink for each pair of states, with the vectors of both
    st_pair_accumulator_init(&accumulator->pairs);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            st_product_sink *sink = &accumulator->sinks[i * count + j];
            st_product_sink_init(sink, factor, st_state_scalars(states[j]), st_dx(states[j], params),
                                 st_state_scalars(states[i]), st_df(states[i], params));
            st_pair_accumulator_put(&accumulator->pairs, states[i], states[j], &sink->sink);
        }
    }
}
