// A sparse matrix that is assembled again and again from the same stream of additions.
//
//     st_assembly_begin_record   every addition through a record sink leaves its place
//     st_assembly_end_record     the places become the pattern, and the list of slots of the stream
//     st_assembly_begin_add      values 0; every addition through a slot sink goes to its slot
//     ...
//
// The additions of a step usually come in the recorded order, so the slot of each is known without a search. One that
// comes out of order is looked up; one for which the matrix has no room sets `grown`, and the caller records and adds
// once more. Nobody has to promise that a pattern stands.
//
// The stream is cut into parts, one per contribution (a component and a kind of matrix): st_assembly_part says which
// one follows, so that a part that grows or shrinks does not put the others off.
//
// The diagonal is always stored: Dirichlet conditions write there.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ASSEMBLY_SINK_ASSEMBLY_H
#define SETTEE_ASSEMBLY_SINK_ASSEMBLY_H

#include "linalg/pattern.h"
#include "state/sink.h"

struct st_known_rows; // assembly/known_elements.h

typedef struct st_assembly {
    int32_t block; // scalars along one side of the matrix's blocks
    st_bsr matrix;
    st_pattern pattern; // while recording
    st_slots slots;
    ST_LIST(size_t) parts; // first addition of each part in the slots
    bool recording;
    size_t skipped; // additions recorded for the diagonal and the former matrix
    size_t misses;  // additions of this pass that came out of order
    bool grown;     // an addition of this pass has no place in the matrix
    st_status status;

    bool recorded;     // the stream of additions is known, and the next one is expected to be the same
    bool keep;         // the pattern so far is part of the next one
    size_t recordings; // so many times the pattern was recorded
} st_assembly;

// `keep` makes the new pattern contain that of the present matrix, if the sizes are equal. size is in scalars and must
// be a multiple of block; ST_INVALID otherwise.
st_status st_assembly_begin_record(st_assembly *assembly, int32_t block, size_t size, size_t part_count, bool keep);
st_status st_assembly_end_record(st_assembly *assembly);
void st_assembly_begin_add(st_assembly *assembly, struct st_pool *pool); // the pool may be NULL
// What is added from now on, recording or adding, belongs to this part (parts are recorded in increasing order).
void st_assembly_part(st_assembly *assembly, size_t part);
// So many additions came out of order that recording the stream again pays.
bool st_assembly_is_stale(const st_assembly *assembly);
void st_assembly_free(st_assembly *assembly); // leaves an empty one

// The whole story: records if the stream is not known, adds, and does both again when an addition found no place.
// `record` goes from begin_record to end_record, `add` from begin_add to the last addition. ST_FAILED: it grows each
// time.
typedef enum st_assembly_result {
    ST_ASSEMBLY_STEADY,
    ST_ASSEMBLY_STALE, // complete, but better recorded again before the next one
    ST_ASSEMBLY_GREW,  // not complete
} st_assembly_result;
st_status st_assembly_run(st_assembly *assembly, st_status (*record)(void *context, bool keep),
                          st_assembly_result (*add)(void *context), void *context);
// The pattern so far means nothing any more: the next run records a new one.
void st_assembly_forget(st_assembly *assembly);

// Adds factor · block to the matrix, or records its place: whatever the assembly is doing when the sink is made.
typedef struct st_matrix_sink {
    st_sink sink;
    st_window window;
    st_real factor;
    st_assembly *assembly;
    st_refusals refusals;
} st_matrix_sink;
void st_matrix_sink_init(st_matrix_sink *sink, st_assembly *assembly, st_window window, st_real factor);
// All 3 x 3 blocks of another matrix, if their slots are the next ones of the stream. False: nothing was added.
bool st_matrix_sink_add_rows(const st_matrix_sink *sink, struct st_pool *pool, const struct st_known_rows *rows);

#endif
