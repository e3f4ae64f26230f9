// Mapped matrices: what components on mapped states contribute to the matrix of the independent ones.
//
// A mapping p = J(q) turns a stiffness between two states into one between their parents:
//
//     K_qt += Jᵀ K_pt,     K_tq += K_tp J.
//
// Contributions that touch a mapped state are added up in one matrix for each ordered pair (row state, column state).
// Mapped states are then eliminated one by one, each after all states that are mapped from it: first as a row of every
// pair, then as a column. What is left couples independent states and is added to A. Chains, several inputs or
// outputs, and forces between any two states need nothing special.
//
// States that are copies of others (identity and subset mappings) have no matrices and no products: what is said of
// them is said of the states that they copy (mapped_renaming.h).
//
// The geometric stiffness ∂(Jᵀf)/∂q of a mapping is added to the matrices of its inputs, and goes on up from there.
//
//     structure   which pairs there are, which products in which order     when the scene changes
//     record      patterns, and the plans of the products                  when a pattern changes
//     add         numbers                                                  at every build, without allocation
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ASSEMBLY_MAPPED_H
#define SETTEE_ASSEMBLY_MAPPED_H

#include "assembly/contribution.h"
#include "assembly/mapped_renaming.h"
#include "base/pointer_table.h"
#include "linalg/block_product.h"

typedef struct st_mapped_state {
    const st_state *state;
    size_t independent; // place among the plan's independent states; SIZE_MAX: mapped
    size_t size;        // DOFs when the patterns were recorded
    bool eliminated;    // mapped, and its place in the order is known
    st_mapping *driver; // the mapping onto it; NULL: none
    size_t output;      // which of its outputs it is
    size_t renaming;    // its number among the renamings; SIZE_MAX: it has matrices
} st_mapped_state;

// Matrix between two states; `row` and `col` are places in the list of states.
typedef struct st_mapped_pair {
    size_t row, col;
    st_assembly assembly;
    st_renamed_target *targets; // where a renamed state is among them: instead of a matrix
    st_uints nodes;             // scratch
} st_mapped_pair;

// J of one output of a mapping with respect to one of its inputs, or to a root of a renamed one.
typedef struct st_mapped_jacobian {
    st_mapping *mapping;
    size_t out, in;             // which of its outputs and inputs
    size_t child, parent;       // places in the list of states
    size_t via;                 // the renaming that leads from the input to the parent; SIZE_MAX: none
    st_renamed_target *targets; // of the roots of that renaming
    st_assembly assembly;
    bool known; // constant, and computed
} st_mapped_jacobian;

typedef struct st_mapped_step {
    size_t source, target, jacobian;
    bool rows; // Jᵀ source, else source J
    st_block_product product;
} st_mapped_step;

typedef struct st_mapped {
    const st_plan *plan;
    ST_LIST(st_mapped_state) states;
    ST_LIST(st_renaming) renamings; // copies after what they copy
    st_pointer_table places;        // of states
    st_pointer_table pair_places;   // of pairs, by their two states
    ST_LIST(st_mapped_pair) pairs;
    ST_LIST(st_mapped_jacobian) jacobians; // by child
    ST_LIST(size_t) order;                 // mapped states, those that nothing is mapped from first
    ST_LIST(st_mapped_step) steps;
    ST_LIST(st_mapping *) geometric; // mappings that have a geometric stiffness
} st_mapped;

static inline size_t st_mapped_place(const st_mapped *mapped, const st_state *state) {
    return st_pointer_table_get(&mapped->places, state, NULL);
}
// NULL: the state at this place has matrices.
static inline const st_renaming *st_mapped_renaming(const st_mapped *mapped, size_t place) {
    const size_t number = mapped->states.data[place].renaming;
    return number == SIZE_MAX ? NULL : &mapped->renamings.data[number];
}

// --- structure ----------------------------------------------------------------------------------------

// Looks at the states and mappings of the plan. No pair is known yet. False: out of memory.
bool st_mapped_begin(st_mapped *mapped, const st_plan *plan);
// The number of the pair, entered if it was not there; SIZE_MAX when the pair has no part in the matrix (one of its
// states is not the plan's, or hangs on a cycle of mappings) or couples independent states, or when it is out of memory
// (`ok`).
size_t st_mapped_pair_of(st_mapped *mapped, const st_state *row, const st_state *col, bool *ok);
// After the last pair: the products.
bool st_mapped_end(st_mapped *mapped);
void st_mapped_free(st_mapped *mapped);
// For st_mapped_begin: finds the states that are copies.
bool st_mapped_find_copies(st_mapped *mapped);

// --- record, add --------------------------------------------------------------------------------------

bool st_mapped_sizes_changed(const st_mapped *mapped);
st_status st_mapped_begin_record(st_mapped *mapped, size_t part_count, bool keep);
// After all contributions were recorded: plans the products and records what reaches the independent states.
// Parts of the assembly: one per pair, from `first_part` on.
st_status st_mapped_end_record(st_mapped *mapped, st_assembly *assembly, size_t first_part);
void st_mapped_begin_add(st_mapped *mapped); // and the Jacobians
// After all contributions were added: the products; then what they come to, into the assembly. Nothing when a matrix
// has grown: all of it will be recorded and added once more.
void st_mapped_multiply(st_mapped *mapped);
void st_mapped_pass_on(st_mapped *mapped, st_assembly *assembly, size_t first_part);
// Where the additions of a pair end up: ST_INTO_MATRIX through copies of independent states, or else mapped matrices.
unsigned st_mapped_target(const st_mapped *mapped, size_t pair);
// The sink of a pair, for one part of the stream, which begins here (SIZE_MAX: it has begun); `place` says where it may
// stand until the part is complete.
typedef struct st_mapped_sink {
    st_matrix_sink matrix;
    st_renaming_sink renaming;
} st_mapped_sink;
st_sink *st_mapped_open(st_mapped *mapped, size_t pair, size_t part, st_assembly *assembly, st_real factor,
                        st_mapped_sink *place);
// What it refused, and of which window; NULL: nothing.
const st_refusals *st_mapped_refusals(const st_mapped_sink *sink, st_window *window);
// Where copies stand at present; before anything is recorded.
bool st_mapped_fill_renamings(st_mapped *mapped);
bool st_mapped_has_grown(const st_mapped *mapped);
bool st_mapped_is_stale(const st_mapped *mapped);

// Geometric stiffness of the mappings, k times, into the pairs and the assembly; recording or adding. `first_part`: one
// part per mapping.
typedef struct st_geometric_request {
    bool project;          // false: only between independent states
    bool check, finite;    // look at indices, and at numbers, before an addition is made
    const st_object *only; // of this mapping alone; NULL: of all
} st_geometric_request;
void st_mapped_add_geometric(st_mapped *mapped, st_assembly *assembly, const st_params *params, size_t first_part,
                             const st_geometric_request *request);

#endif
