// What the parts of the LDLᵀ factorization share: ldl.c (factorization), ldl_solve.c, ldl_sparse.c.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_LDL_FACTOR_H
#define SETTEE_LINALG_LDL_FACTOR_H

#include "base/array.h"
#include "linalg/ldl_plan.h"

// A row of H and the first front that it enters.
typedef struct st_ldl_row {
    int32_t front;
    size_t row;
} st_ldl_row;

struct st_ldl {
    st_ldl_plan plan;
    bool analyzed, factored;
    unsigned uses; // factorizations since the analysis
    const st_ldl_kernels *kernels;
    st_real *numbers; // L, update matrices and scratch; after the factorization vectors of solves, too
    st_real *inverse; // D⁻¹, padded
    size_t *failed;   // by group: first place without a pivot

    // Room for many of them, kept.
    st_reals lanes; // right-hand sides
    struct {
        ST_LIST(st_ldl_row) rows;
        ST_LIST(char) reaches;
        ST_LIST(size_t) places;
        ST_LIST(int32_t) fronts;
        st_reals reals;
    } sparse; // of products with sparse rows
};

static inline st_ldl_view st_ldl_view_of(const st_ldl *ldl, int32_t s) {
    const st_ldl_front *front = &ldl->plan.fronts[s];
    return (st_ldl_view){.panel = ldl->numbers + front->panel,
                         .update = ldl->numbers + front->update,
                         .pivots = (size_t)front->pivots,
                         .below = (size_t)front->below,
                         .inverse = ldl->inverse + front->place,
                         .failed = SIZE_MAX};
}

#endif
