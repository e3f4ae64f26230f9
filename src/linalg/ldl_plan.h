// The plan of a sparse LDLᵀ factorization: everything that depends on the pattern alone. See ldl_plan.c.
//
// L is not an st_bsr: its columns are stored as dense fronts in tiles of a register's width (ldl_kernels.h), which is
// where the speed of the factorization comes from.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_LDL_PLAN_H
#define SETTEE_LINALG_LDL_PLAN_H

#include "linalg/bsr.h"
#include "linalg/ldl.h"
#include "linalg/ldl_kernels.h"
#include "linalg/ordering.h"

// One supernode as a dense front. Rows of a front are numbered in scalars: pivots first, padded to whole tiles, then
// the rows below.
typedef struct st_ldl_front {
    size_t panel;        // its place among the numbers
    size_t update;       // of its update matrix
    size_t scratch;      // of U, while it is eliminated
    size_t place;        // of its first pivot in vectors that are padded alike
    size_t entries;      // first of its entries of A; they end with those of the next front
    int32_t columns;     // pivots in blocks
    int32_t pivots;      // in tiles
    int32_t below;       // in tiles
    int32_t group;       // who eliminates it
    int32_t child, next; // first child; next child of its parent; -1: none
} st_ldl_front;

// Where a block of A goes in its front.
typedef struct st_ldl_entry {
    uint32_t slot;  // in A
    int32_t row;    // blocks of the front, pivots first
    int32_t column; // block among the pivots; its complement (~) when the transposed block is meant
} st_ldl_entry;

// A range of fronts that one thread eliminates from the first to the last.
typedef struct st_ldl_group {
    int32_t first, end;
} st_ldl_group;

typedef struct st_ldl_plan {
    int32_t block, n; // scalars of a block; blocks
    st_ldl_couple couple;
    st_ordering ordering;
    bool parallel;
    bool quick; // ordered by AMD although the best order was asked for

    // The pattern that was analyzed, and which of its slots hold nothing but zeros so far.
    size_t *starts;
    int32_t *columns;
    const bool *used; // by slot, while the plan is made; NULL: all are
    uint32_t *empty;  // the slots that are not used
    size_t empty_count;

    st_elimination e;
    st_ldl_front *fronts; // e.supernodes + 1
    st_ldl_entry *entries;
    int32_t *relative;    // for each row of e.rows, its place in the front of the parent, in blocks
    st_ldl_group *groups; // the last one holds what the others leave over: the top of the tree
    int32_t group_count;

    size_t numbers;    // reals of L with padding, update matrices and scratch
    size_t vectors;    // where those of solves are among them
    size_t padded;     // length of padded vectors
    size_t *places;    // of the first scalar of the k-th eliminated block in padded vectors
    size_t most_below; // rows below a front, padded: the largest
    size_t most_pivots;
    size_t entries_of_l; // below the diagonal, without padding
} st_ldl_plan;

// What the caller wants.
typedef struct st_ldl_request {
    st_ordering ordering;
    st_ldl_couple couple;
    bool parallel;
    bool quick; // the best order is not worth the search
} st_ldl_request;

// Plans for the slots of `matrix` for which used holds; `used` has one flag per slot; NULL: all.
st_status st_ldl_plan_create(st_ldl_plan *plan, const st_bsr *matrix, const bool *used, const st_ldl_request *request);
void st_ldl_plan_free(st_ldl_plan *plan);

// Places for all numbers, once fronts and groups are known; false: out of memory. See ldl_places.c.
bool st_ldl_make_places(st_ldl_plan *plan);

// Rows below a front in blocks.
static inline size_t st_ldl_rows_below(const st_ldl_plan *plan, int32_t s) {
    return plan->e.row_starts[s + 1] - plan->e.row_starts[s];
}

// First row of block `row` of front s, in scalars with padding.
static inline size_t st_ldl_front_row(const st_ldl_plan *plan, const st_ldl_front *front, int32_t row) {
    const size_t b = (size_t)plan->block;
    if (row < front->columns) return (size_t)row * b;
    return (size_t)front->pivots * ST_LDL_TILE + (size_t)(row - front->columns) * b;
}

#endif
