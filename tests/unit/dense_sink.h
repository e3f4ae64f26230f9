// A sink that fills a dense matrix, to compare with.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TESTS_DENSE_SINK_H
#define SETTEE_TESTS_DENSE_SINK_H

#include "state/sink.h"

// values[(window.row + row) · stride + window.col + col] += factor · block.
typedef struct dense_sink {
    st_sink sink;
    st_window window;
    st_real factor;
    st_real *values;
    size_t stride;
    st_refusals refusals;
} dense_sink;

static inline void dense_sink_add(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols,
                                  const st_real *block) {
    dense_sink *s = (dense_sink *)sink;
    if (!st_window_holds(&s->window, row, col, rows, cols)) {
        st_refuse_addition(&s->refusals, row, col, rows, cols);
        return;
    }

    // the window says where the block of the component begins
    st_real *corner = s->values + (s->window.row + row) * s->stride + s->window.col + col;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++) corner[r * s->stride + c] += s->factor * block[r * cols + c];
}

static inline void dense_sink_init(dense_sink *sink, st_window window, st_real factor, st_real *values, size_t stride) {
    *sink = (dense_sink){
        .sink = {.add = dense_sink_add}, .window = window, .factor = factor, .values = values, .stride = stride};
}

#endif
