// Renaming: a mapped state whose DOFs are copies of others has no matrix of its own.
//
// Where J is made of identity blocks, one at most in a row, Jᵀ K J is K with other row and column numbers. What a
// component says of such a state is therefore said of the states that its DOFs are copies of, the roots, while it is
// being said: there are no products, the patterns are those of the roots, and a copy of an independent state is
// assembled as fast as that state itself. Copies of copies lead to the same roots.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ASSEMBLY_MAPPED_RENAMING_H
#define SETTEE_ASSEMBLY_MAPPED_RENAMING_H

#include "assembly/matrix_sink.h"
#include "settee/plugin/physics.h"

typedef struct st_renaming {
    st_mapping *mapping;
    size_t output;             // which of its outputs
    size_t child;              // place of the renamed state among the states
    size_t width;              // scalars of one of its DOFs
    ST_LIST(size_t) roots;     // places of the states that it is made of
    ST_LIST(uint32_t) root;    // of each DOF: its number in `roots`; ST_INVALID_INDEX: it copies nothing
    ST_LIST(uint32_t) scalars; // of each DOF: the root's scalar that its first one is a copy of
} st_renaming;

void st_renaming_free(st_renaming *renaming);

// Fills the lists of DOFs from the blocks of J. The inputs' own renamings, NULL where they have none, are complete.
typedef struct st_renaming_input {
    size_t place; // among the states; SIZE_MAX: not one of them
    const st_renaming *renaming;
} st_renaming_input;
bool st_renaming_fill(st_renaming *renaming, const st_renaming_input *inputs);

// Where the blocks between one root of the row state and one of the column state go.
typedef struct st_renamed_target {
    size_t pair; // number of a pair with a matrix (mapped.h); SIZE_MAX: none
    bool direct; // both roots are independent: into the matrix of the system
    st_matrix_sink matrix;
    st_sink *sink; // that one, or the null sink
} st_renamed_target;

// Passes blocks on under their new numbers. `targets` are rows of roots by columns of roots.
typedef struct st_renaming_sink {
    st_sink sink;
    st_window window;
    const st_renaming *row, *col; // NULL: that side keeps its numbers, and is its own root
    st_renamed_target *targets;
    st_uints *nodes; // scratch for many elements
    st_refusals refusals;
} st_renaming_sink;
void st_renaming_sink_init(st_renaming_sink *sink, st_window window, const st_renaming *row, const st_renaming *col,
                           st_renamed_target *targets, st_uints *nodes);

static inline size_t st_renaming_roots(const st_renaming *renaming) { return renaming ? renaming->roots.count : 1; }

#endif
