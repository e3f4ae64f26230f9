// Contributions: what an assembled matrix is the sum of.
//
//     A = Σ (k + b·rayleighStiffness) ∂f/∂x  +  Σ (m - b·rayleighMass) M  +  Σ b ∂f/∂v
//
// A contribution is one component and one kind of matrix. It couples the component's states, pair by pair; a pair of
// two independent states goes to their places in A, one with a mapped state into a matrix of its own (mapped.h). The
// list holds the stiffnesses first, then the masses, then the dampings, each in the order of the plan. Components below
// a mapping with mapForces="0" come last: SOFA's products leave them out, its matrices do not.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ASSEMBLY_CONTRIBUTION_H
#define SETTEE_ASSEMBLY_CONTRIBUTION_H

#include "plan/plan.h"
#include "state/sink.h"

typedef enum st_contribution_kind {
    ST_CONTRIBUTES_STIFFNESS,
    ST_CONTRIBUTES_MASS,
    ST_CONTRIBUTES_DAMPING
} st_contribution_kind;
enum { ST_CONTRIBUTION_KINDS = 3 };

// Where its blocks go: into the matrix, into mapped matrices, into both; 0: it takes no part.
typedef enum st_contribution_target {
    ST_INTO_MATRIX = 1,
    ST_INTO_MAPPED = 2,
    ST_INTO_BOTH = ST_INTO_MATRIX | ST_INTO_MAPPED
} st_contribution_target;

typedef struct st_contribution {
    st_contribution_kind kind;
    st_force *force; // or a mass, which is one
    size_t pair_count;
    struct st_contribution_pair {
        const st_state *row, *col;       // as the component asks for it
        const st_state *at_row, *at_col; // whose rows and columns it gets: theirs, but in a cross term; NULL: none
        size_t row_index, col_index;     // places of these among the independent states; SIZE_MAX: not one of them
        size_t mapped;                   // number of the mapped matrix (mapped.h); SIZE_MAX: none
    } pairs[ST_PAIRS];
    st_contribution_target target;
    bool is_cross_term; // cross_terms.h
    bool refused;       // additions were, when it was last asked
    double began, took; // when components are timed: its calls in this assembly
} st_contribution;

typedef ST_LIST(st_contribution) st_contributions;

// Replaces the list by the contributions of the plan. False: out of memory.
bool st_contributions_make(st_contributions *list, const st_plan *plan);

// Whose rows and columns a pair gets.
void st_contribution_place(struct st_contribution_pair *pair, const st_plan *plan, const st_state *row,
                           const st_state *col);

static inline bool st_pair_is_independent(const struct st_contribution_pair *pair) {
    return pair->row_index != SIZE_MAX && pair->col_index != SIZE_MAX;
}

// Does the component describe such a matrix?
bool st_contribution_exists(const st_force *force, st_contribution_kind kind);
const char *st_contribution_name(st_contribution_kind kind); // "stiffness"
// What its matrix is multiplied by. Exactly 0: the component need not be called.
st_real st_contribution_factor(const st_contribution *contribution, const st_params *params);
// Lets the component describe its matrix, without the factor.
void st_contribution_call(const st_contribution *contribution, const st_params *params, st_accumulator *accumulator);

#endif
