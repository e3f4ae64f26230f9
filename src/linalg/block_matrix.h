// Sparse matrices of rectangular blocks that are filled again and again from the same stream of additions.
//
// They couple two states: the Jacobian of a mapping, or the stiffness between a mapped state and another one. A block
// has the height of the row state's unit and the width of the column state's: 3 where a DOF has a multiple of three
// scalars, else 2 or 1. Rows are compressed as in bsr.h; recording and adding work as in sink_assembly.h.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_BLOCK_MATRIX_H
#define SETTEE_LINALG_BLOCK_MATRIX_H

#include "linalg/pattern.h"
#include "state/sink.h"

typedef struct st_block_matrix {
    int32_t height, width; // scalars of a block
    int32_t rows, cols;    // in blocks
    size_t *starts;        // rows + 1; NULL until recorded
    int32_t *columns;      // increasing within a row
    st_real *values;       // height * width per slot, row-major
    st_real *weights;      // one per slot where every block is that times the identity; NULL: they are not

    st_pattern pattern; // while recording
    st_slots slots;     // of the stream of additions
    ST_LIST(size_t) parts;
    size_t skipped;  // recorded before the stream: the blocks of the former matrix
    size_t streamed; // end of the stream in the record: what follows has its place without being part of it
    bool recording;
    bool grown; // an addition of this pass has no place
    size_t misses;
    st_status status;
} st_block_matrix;

static inline size_t st_block_matrix_count(const st_block_matrix *m) { return m->starts ? m->starts[m->rows] : 0; }
static inline size_t st_block_matrix_area(const st_block_matrix *m) { return (size_t)m->height * (size_t)m->width; }

// All of it, in scalars.
static inline st_window st_block_matrix_window(const st_block_matrix *m) {
    return (st_window){.rows = (size_t)m->rows * (size_t)m->height, .cols = (size_t)m->cols * (size_t)m->width};
}

// Sizes are in blocks. `keep`: the new pattern contains the present one, where the sizes are equal.
st_status st_block_matrix_begin_record(st_block_matrix *matrix, int32_t height, int32_t width, size_t rows, size_t cols,
                                       size_t part_count, bool keep);
// The stream of additions ends here. Further places may be recorded through st_block_matrix_reserve until the end.
void st_block_matrix_end_stream(st_block_matrix *matrix);
void st_block_matrix_reserve(st_block_matrix *matrix, int32_t row, int32_t col);
st_status st_block_matrix_end_record(st_block_matrix *matrix);
void st_block_matrix_begin_add(st_block_matrix *matrix, struct st_pool *pool); // values 0, stream from its begin
void st_block_matrix_part(st_block_matrix *matrix, size_t part); // as st_assembly_part; SIZE_MAX changes nothing
bool st_block_matrix_is_stale(const st_block_matrix *matrix);    // recording again pays
void st_block_matrix_free(st_block_matrix *matrix);              // leaves an empty one
// After the numbers are there, for a matrix that is multiplied again and again: are the blocks weights times the
// identity? Weights hold until the next recording or adding.
st_status st_block_matrix_find_weights(st_block_matrix *matrix);

// Adds factor · block, or records its place: whatever the matrix is doing when the sink is made.
typedef struct st_block_sink {
    st_sink sink;
    st_window window;
    st_real factor;
    st_block_matrix *matrix;
    st_refusals refusals;
} st_block_sink;
void st_block_sink_init(st_block_sink *sink, st_block_matrix *matrix, st_window window, st_real factor);

#endif
