// Sinks: what becomes of the blocks in which a component describes its derivatives.
//
//     component ──add(row, col, block)──▶ sink ──▶  record      the sparsity of a matrix      (assembly/matrix_sink.h)
//                                                   slots       add into known places of it   (assembly/matrix_sink.h)
//                                                   product     df += factor · block · dx
//                                                   dense       add into a row-major array
//                                                   check       look at the indices, then pass on
//                                                   null        drop
//
// A component counts rows and columns from the first scalar of its own states. The window of a sink says where that
// block is in the target and how large it is. An addition that would leave the window is refused as a whole, so a
// wrong index can neither reach the block of another component nor memory that is not ours.
//
// Factors (k + b·rayleighStiffness and the like) belong to the sink: components never see them.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_STATE_SINK_H
#define SETTEE_STATE_SINK_H

#include "settee/plugin/sink.h"

// The component's own block: where its (0, 0) is in the target, and its size.
typedef struct st_window {
    size_t row, col;
    size_t rows, cols;
} st_window;

// What was refused: how often, and the first addition of them.
typedef struct st_refusals {
    size_t count;
    size_t row, col;
    size_t rows, cols;
} st_refusals;

static inline bool st_window_holds(const st_window *window, size_t row, size_t col, size_t rows, size_t cols) {
    return rows <= window->rows && cols <= window->cols && row <= window->rows - rows && col <= window->cols - cols;
}
// st_add_element through `add`, block by block: what a sink's own add_element must equal.
void st_add_element_blocks(st_sink *sink, size_t count, const uint32_t *nodes, size_t width, const st_real *matrix);
// The same for st_add_diagonal, scalar by scalar.
void st_add_diagonal_scalars(st_sink *sink, size_t row, size_t col, size_t n, st_real value);
void st_refuse_addition(st_refusals *refusals, size_t row, size_t col, size_t rows, size_t cols);

// Many elements of one kind in packs of ST_PACK_SIZE (math/pack.h), and what computes their matrices.
typedef struct st_element_source {
    size_t elements;
    size_t size, width;    // nodes of an element, scalars of a node
    const uint32_t *nodes; // [pack][corner][lane]
    // The matrices of packs [begin, end): [pack][lane][row][column]. Called by several threads, maybe twice for a pack.
    void (*matrices)(void *context, size_t begin, size_t end, st_real *matrices);
    void *context;
} st_element_source;
enum { ST_ELEMENT_SCALARS = 24 }; // most of an element

// Scalars of a state in the vectors of a system.
static inline size_t st_state_scalars(const st_state *state) { return state->size * st_state_dof(state)->deriv; }

// --- null -------------------------------------------------------------------------------------------

// Drops everything. It has no state: all users share it.
st_sink *st_null_sink(void);

// --- product ----------------------------------------------------------------------------------------

// df += factor · (block · dx); each row of a block is summed from left to right before the factor is applied.
typedef struct st_product_sink {
    st_sink sink;
    st_window window; // rows of df, columns of dx
    st_real factor;
    const st_real *dx;
    st_real *df;
    st_refusals refusals;
} st_product_sink;
void st_product_sink_init(st_product_sink *sink, st_real factor, size_t cols, const st_real *dx, size_t rows,
                          st_real *df);

// --- check ------------------------------------------------------------------------------------------

// Passes on what stays inside the component's own rows × cols scalars. Anything else is refused, and the first time
// an error in the name of the component says which row, which column, and what the valid range is. With `finite` an
// addition that holds an infinity or a NaN is refused, too.
typedef struct st_check_sink {
    st_sink sink;
    st_sink *target;
    const st_object *object;
    const char *what; // "stiffness"
    st_window window;
    bool finite;
    const char *key; // of the error, which is sent once; NULL: it is not sent
    size_t refused;
} st_check_sink;
void st_check_sink_init(st_check_sink *sink, st_sink *target, const st_object *object, const char *what, size_t rows,
                        size_t cols, bool finite, const char *key);
// The error that a refused addition is worth, for code that finds refusals in a sink afterwards.
void st_report_refusals(const st_object *object, const char *what, const st_window *window,
                        const st_refusals *refusals);

// --- accumulators -----------------------------------------------------------------------------------

// All blocks to one sink: for components of one state.
typedef struct st_single_accumulator {
    st_accumulator accumulator;
    st_sink *sink;
} st_single_accumulator;
void st_single_accumulator_init(st_single_accumulator *accumulator, st_sink *sink);

// A sink for each ordered pair of states. A component may hold several at once, so each pair has its own. What is
// asked for a pair that is not there is dropped.
enum { ST_PAIRS = 4 };
typedef struct st_pair_accumulator {
    st_accumulator accumulator;
    size_t count;
    struct st_pair_sink {
        const st_state *row, *col;
        st_sink *sink;
    } pairs[ST_PAIRS];
    size_t dropped; // pairs asked for in vain
} st_pair_accumulator;
void st_pair_accumulator_init(st_pair_accumulator *accumulator);
// False when the pair is there already or there is no room.
bool st_pair_accumulator_put(st_pair_accumulator *accumulator, const st_state *row, const st_state *col, st_sink *sink);

// df += factor · block · dx for the pairs of one or two states, with the vectors dx and df that the parameters name.
// `other` may be NULL or the same state.
//
//     st_product_accumulator product;
//     st_product_accumulator_init(&product, params, factor, force->state, force->other);
//     ops->stiffness(force, params, (st_stiffness){&product.pairs.accumulator});
typedef struct st_product_accumulator {
    st_pair_accumulator pairs;
    st_product_sink sinks[ST_PAIRS];
} st_product_accumulator;
void st_product_accumulator_init(st_product_accumulator *accumulator, const st_params *params, st_real factor,
                                 const st_state *state, const st_state *other);

#endif
