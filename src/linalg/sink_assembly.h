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
#ifndef SETTEE_LINALG_SINK_ASSEMBLY_H
#define SETTEE_LINALG_SINK_ASSEMBLY_H

#include "linalg/pattern.h"
#include "linalg/sink.h"

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
} st_assembly;

// `keep` makes the new pattern contain that of the present matrix, if the sizes are equal. size is in scalars and must
// be a multiple of block; ST_INVALID otherwise.
st_status st_assembly_begin_record(st_assembly *assembly, int32_t block, size_t size, size_t part_count, bool keep);
st_status st_assembly_end_record(st_assembly *assembly);
void st_assembly_begin_add(st_assembly *assembly);
// What is added from now on, recording or adding, belongs to this part (parts are recorded in increasing order).
void st_assembly_part(st_assembly *assembly, size_t part);
// So many additions came out of order that recording the stream again pays.
bool st_assembly_is_stale(const st_assembly *assembly);
void st_assembly_free(st_assembly *assembly); // leaves an empty one

// Adds factor · block to the matrix, or records its place: whatever the assembly is doing when the sink is made.
typedef struct st_matrix_sink {
    st_sink sink;
    st_window window;
    st_real factor;
    st_assembly *assembly;
    st_refusals refusals;
} st_matrix_sink;
void st_matrix_sink_init(st_matrix_sink *sink, st_assembly *assembly, st_window window, st_real factor);

#endif
