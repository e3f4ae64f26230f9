// From a stream of additions to a sparsity pattern, and back to the same stream with known places.
//
// The first assembly of a matrix does not know its pattern: it records where each addition (block row, block column)
// goes. st_pattern_compress turns that list into the sorted pattern without repetitions and gives each addition its
// slot, the place of its block in the matrix. As assemblies repeat the same additions in the same order, the later
// ones need no search: the k-th addition goes to the k-th slot. st_slots holds that list and checks it, addition by
// addition: one that comes elsewhere than recorded, or beyond the end, has no slot; the caller looks it up or records
// again.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_PATTERN_H
#define SETTEE_LINALG_PATTERN_H

#include "linalg/bsr.h"
#include "settee/types.h"

typedef struct st_addition {
    int32_t row, col; // of the block
    uint32_t slot;    // of the block in the matrix; ST_INVALID_INDEX until compressed
} st_addition;

typedef ST_LIST(st_addition) st_additions;

typedef struct st_pattern {
    int32_t rows, cols;     // in blocks
    st_additions additions; // in the order of recording
    size_t *starts;         // rows + 1, after compressing
    int32_t *columns;       // increasing within a row, after compressing
} st_pattern;

// The slots of a stream. Where an addition goes is known from the pattern of the matrix, so that a slot is four bytes.
typedef struct st_slots {
    ST_LIST(uint32_t) list;
    size_t cursor;          // next addition
    const size_t *starts;   // of the matrix, borrowed
    const int32_t *columns; //
} st_slots;

// Empties the pattern and sets its size; memory of the additions is kept. An all-zero st_pattern is valid.
st_status st_pattern_begin(st_pattern *pattern, int32_t rows, int32_t cols);
// ST_INVALID when the block is out of range: nothing is recorded then.
st_status st_pattern_record(st_pattern *pattern, int32_t row, int32_t col);
// Records every diagonal block, or every block of a former matrix (the pattern of a system only grows).
st_status st_pattern_record_diagonal(st_pattern *pattern);
st_status st_pattern_record_matrix(st_pattern *pattern, const st_bsr *matrix);
// Makes starts, columns and the slot of each addition. Time and memory grow in proportion to the additions.
st_status st_pattern_compress(st_pattern *pattern);
// A matrix of zeros with the compressed pattern, in blocks of height x width. The rows of the pattern become those of the
// matrix: nothing but them is needed any more, and the pattern is empty afterwards.
st_status st_pattern_take_matrix(st_pattern *pattern, int32_t height, int32_t width, st_bsr *matrix);
void st_pattern_free(st_pattern *pattern);

// The slots of additions [first, end) of a compressed pattern: others (a diagonal, a former matrix) are not part of the
// stream that repeats. starts and columns are those of the matrix that was made of the pattern; they must stay.
st_status st_slots_take(st_slots *slots, const st_pattern *pattern, size_t first, size_t end, const size_t *starts,
                        const int32_t *columns);
void st_slots_free(st_slots *slots);

// Slot of the k-th addition if it was recorded for this block, else ST_INVALID_INDEX. Several threads may call it.
static inline uint32_t st_slots_at(const st_slots *slots, size_t k, int32_t row, int32_t col) {
    if (k >= slots->list.count) return ST_INVALID_INDEX;
    const uint32_t slot = slots->list.data[k];
    const bool same = slots->columns[slot] == col && slots->starts[row] <= slot && slot < slots->starts[row + 1];
    return same ? slot : ST_INVALID_INDEX;
}

// Slot of the next addition. ST_INVALID_INDEX when it is not the recorded one: the cursor then stays, so that an extra
// addition in between does not put the following ones off. Fewer additions than recorded do no harm.
static inline uint32_t st_slots_next(st_slots *slots, int32_t row, int32_t col) {
    const uint32_t slot = st_slots_at(slots, slots->cursor, row, col);
    if (slot != ST_INVALID_INDEX) slots->cursor++;
    return slot;
}

// Had more than one in ST_STALE_PART additions to be looked up? Recording the stream again pays then.
enum { ST_STALE_PART = 16 };
static inline bool st_slots_is_stale(const st_slots *slots, size_t misses) {
    return misses > slots->list.count / ST_STALE_PART;
}

#endif
