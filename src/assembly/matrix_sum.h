// The sum of contributions as a sparse matrix: what the assembled systems and the assembled part of a matrix-free one
// have in common.
//
// Components may add what they like when they like: when an addition finds no slot, the pattern is recorded again and
// all is added once more. The pattern only grows while the structure of the scene and the sizes of its states stay the
// same, so that a steady step allocates nothing. matrix_sum.c lists the phases.
//
// A contribution of independent states writes into the matrix, one of mapped states into mapped matrices. So there are
// two lanes, which run at the same time where there are threads:
//
//     matrix   zero, contributions ─────────┐ ┌─ contributions ┐
//     mapped   zero, Jacobians, contrib. ───┴─┴─ contrib. ─────┴─ geometric, products, into the matrix
//                                           both
//
// A contribution that writes into both (an interaction between an independent and a mapped state) is waited for and
// runs alone. Every sum is thereby taken in the order of the list, whatever the number of threads.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ASSEMBLY_MATRIX_SUM_H
#define SETTEE_ASSEMBLY_MATRIX_SUM_H

#include "assembly/contribution.h"
#include "assembly/mapped.h"

typedef enum st_sum_scope {
    ST_SUM_INDEPENDENT, // contributions of independent states
    ST_SUM_GEOMETRIC,   // and the geometric stiffness between independent states
    ST_SUM_ALL,         // and all that acts on mapped states
    ST_SUM_CROSSED,     // and cross terms between bodies (cross_terms.h)
} st_sum_scope;

typedef struct st_matrix_sum {
    const st_plan *plan; // of which it was made
    uint32_t plan_version;
    ST_LIST(size_t) offsets; // of the independent states then
    st_sum_scope scope;
    st_contributions contributions;
    st_contributions former; // those of the plan before
    st_mapped mapped;
    st_assembly assembly;
    size_t refused; // contributions of which additions were refused in the last pass
} st_matrix_sum;

typedef struct st_sum_request {
    st_params params;
    bool kinds[ST_CONTRIBUTION_KINDS]; // which contributions are wanted
    bool geometric;                    // and the geometric stiffness
    const st_object *only;             // of this component alone; NULL: of all
    int32_t block;                     // scalars along one side of a block; 0: as the states have them
    bool check;                        // look at indices before additions are made
    bool finite;                       // and at numbers
    bool silent;                       // report no refusals
} st_sum_request;

// Looks at the plan again where the scene's structure or the sizes of states have changed. The pattern is kept where the
// contributions are the same, as when contacts come that are no forces. Contributions of forces that
// `takes` denies are left out; NULL: none. False: out of memory.
bool st_matrix_sum_refresh(st_matrix_sum *sum, const st_plan *plan, st_sum_scope scope,
                           bool (*takes)(const st_plan *plan, const st_force *force));
// ST_FAILED: a component gives other blocks each time that it is asked.
st_status st_matrix_sum_assemble(st_matrix_sum *sum, const st_sum_request *request);
void st_matrix_sum_free(st_matrix_sum *sum); // leaves an empty one

#endif
