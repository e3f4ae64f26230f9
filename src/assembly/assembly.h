// A sparse matrix that is assembled again and again from the same stream of additions.
//
//     st_assembly_begin_record   every addition leaves its place
//     st_assembly_end_record     the places become the pattern, and the list of slots of the stream
//     st_assembly_begin_add      values 0; every addition goes to its slot
//     ...
//
// The additions of a step usually come in the recorded order, so the slot of each is known without a search. One that
// comes out of order is looked up; one for which the matrix has no room sets `grown`, and the caller records and adds
// once more. Nobody has to promise that a pattern stays as it is.
//
// The stream is cut into parts, one per contribution (a component and a kind of matrix): st_assembly_part says which
// one follows, so that a part that grows or shrinks does not put the others off.
//
// Components write through the sink of matrix_sink.h. The matrices of systems, the Jacobians of mappings and what is
// between mapped states (mapped.h) are all made this way.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ASSEMBLY_ASSEMBLY_H
#define SETTEE_ASSEMBLY_ASSEMBLY_H

#include "linalg/pattern.h"
#include "state/sink.h"

typedef struct st_assembly {
    st_bsr matrix;
    st_slots slots;        // of the stream
    ST_LIST(size_t) parts; // first addition of each part in the slots

    // while recording
    bool recording;
    int32_t height, width; // scalars of a block
    st_pattern pattern;
    size_t skipped;  // additions before the stream: the diagonal and the former matrix
    size_t streamed; // end of the stream; what follows gets a place without being part of it. SIZE_MAX: nothing follows
    st_status status;

    // while adding
    size_t misses; // additions of this pass that came out of order
    bool grown;    // an addition of this pass has no place in the matrix

    // from one build to the next
    bool recorded;     // the stream is known, and the next one is expected to be the same
    bool keep;         // the pattern so far is part of the next one
    size_t recordings; // so many times the pattern was recorded
} st_assembly;

// A square matrix of `size` scalars, a multiple of `block`; ST_INVALID otherwise. The diagonal is always stored:
// Dirichlet conditions write there. `keep` makes the new pattern contain the present one, where the sizes are equal.
st_status st_assembly_begin_record(st_assembly *assembly, int32_t block, size_t size, size_t part_count, bool keep);
// The same for a matrix of rows × cols blocks of height × width scalars, without a diagonal.
st_status st_assembly_begin_record_blocks(st_assembly *assembly, int32_t height, int32_t width, size_t rows,
                                          size_t cols, size_t part_count, bool keep);
// The stream of additions ends here. Further places may be recorded in the pattern until the end.
void st_assembly_end_stream(st_assembly *assembly);
st_status st_assembly_end_record(st_assembly *assembly);

void st_assembly_begin_add(st_assembly *assembly, st_pool *pool); // the pool may be NULL

// What follows, recording or adding, belongs to this part (parts are recorded in increasing order). SIZE_MAX changes
// nothing.
void st_assembly_part(st_assembly *assembly, size_t part);
// Address of the block that the next addition of the stream goes to. NULL: the matrix has none, and has `grown`.
static inline st_real *st_assembly_next_block(st_assembly *assembly, size_t row, size_t col, size_t area);
// So many additions came out of order that recording the stream again pays.
bool st_assembly_is_stale(const st_assembly *assembly);

// All of it, in scalars.
st_window st_assembly_window(const st_assembly *assembly);
// The pattern so far means nothing any more: the next recording starts from scratch.
void st_assembly_forget(st_assembly *assembly);
void st_assembly_free(st_assembly *assembly); // leaves an empty one

// A pattern is recorded and its numbers added at most so often in one build: components that grow it each time that
// they are asked never come to an end.
enum { ST_ASSEMBLY_ATTEMPTS = 3 };

st_real *st_assembly_look_up(st_assembly *assembly, size_t row, size_t col, size_t area); // for the next one

static inline st_real *st_assembly_next_block(st_assembly *a, size_t row, size_t col, size_t area) {
    const uint32_t slot = st_slots_next(&a->slots, (int32_t)row, (int32_t)col);
    return slot != ST_INVALID_INDEX ? &a->matrix.values[slot * area] : st_assembly_look_up(a, row, col, area);
}

#endif
