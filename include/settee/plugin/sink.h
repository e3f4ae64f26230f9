// Sinks: where a component puts its derivatives.
//
// A derivative is written once, as blocks handed to a sink. The engine chooses the sink: record the
// sparsity, add into known slots, multiply a vector, fill a dense matrix, check indices, drop.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PLUGIN_SINK_H
#define SETTEE_PLUGIN_SINK_H

#include "settee/plugin/state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct st_sink st_sink;
struct st_pool;
struct st_element_source; // many elements and what computes their matrices; of the engine

// A multiple of the n x n identity on the diagonal of each of `count` DOFs of n scalars: masses of points, say.
typedef struct st_diagonals {
    size_t count;
    size_t n;
    const uint32_t *dofs;  // NULL: 0, 1, 2 ...
    const st_real *values; // one for each
    bool same;             // the first value holds for all
} st_diagonals;

struct st_sink {
    // Adds a dense rows × cols block, row-major, whose upper left scalar is at (row, col) of the component's own
    // block: row 0 is the first scalar of the state that the force acts on.
    void (*add)(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block);
    // Optional: a whole element at once, with the arguments of st_add_element. NULL: block by block through `add`.
    void (*add_element)(st_sink *sink, size_t count, const uint32_t *nodes, size_t width, const st_real *matrix);
    // Optional: with the arguments of st_add_diagonal. NULL: scalar by scalar through `add`.
    void (*add_diagonal)(st_sink *sink, size_t row, size_t col, size_t n, st_real value);
    // Optional: many elements with the engine's threads. False: nothing was added, they have to come one at a time.
    bool (*add_elements)(st_sink *sink, struct st_pool *pool, const struct st_element_source *source);
    bool (*add_diagonals)(st_sink *sink, struct st_pool *pool, const st_diagonals *diagonals);
};

static inline void st_add_scalar(st_sink *s, size_t row, size_t col, st_real value) {
    s->add(s, row, col, 1, 1, &value);
}
static inline void st_add_2x2(st_sink *s, size_t row, size_t col, const st_real block[4]) {
    s->add(s, row, col, 2, 2, block);
}
static inline void st_add_3x3(st_sink *s, size_t row, size_t col, const st_real block[9]) {
    s->add(s, row, col, 3, 3, block);
}
static inline void st_add_6x6(st_sink *s, size_t row, size_t col, const st_real block[36]) {
    s->add(s, row, col, 6, 6, block);
}
// value times the n x n identity, whose upper left scalar is at (row, col): a mass.
ST_API void st_add_diagonal(st_sink *sink, size_t row, size_t col, size_t n, st_real value);
// The same for many DOFs, in their order; the pool may be NULL.
ST_API void st_add_diagonals(st_sink *sink, struct st_pool *pool, const st_diagonals *diagonals);
// A whole element: `count` nodes of `width` scalars each; `matrix` is the (count·width)² element matrix, row-major.
ST_API void st_add_element(st_sink *sink, size_t count, const uint32_t *nodes, size_t width, const st_real *matrix);

// Where a component puts its derivatives. Each role has its own type, so that one cannot be taken for another.
typedef struct st_accumulator {
    // The block that couples two of the component's states: ∂(force in `row`)/∂(position or velocity of `col`).
    st_sink *(*between)(struct st_accumulator *, const st_state *row, const st_state *col);
} st_accumulator;
typedef struct st_stiffness {
    st_accumulator *to;
} st_stiffness; // ∂f/∂x
typedef struct st_damping {
    st_accumulator *to;
} st_damping; // ∂f/∂v
typedef struct st_inertia {
    st_accumulator *to;
} st_inertia; // M

static inline st_sink *st_stiffness_between(st_stiffness k, const st_state *row, const st_state *col) {
    return k.to->between(k.to, row, col);
}
static inline st_sink *st_damping_between(st_damping b, const st_state *row, const st_state *col) {
    return b.to->between(b.to, row, col);
}
static inline st_sink *st_inertia_of(st_inertia m, const st_state *state) { return m.to->between(m.to, state, state); }

#ifdef __cplusplus
}
#endif
#endif
