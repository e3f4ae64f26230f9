// settee's own sparse LDLᵀ (ldl.h) as a library of direct solvers. LLᵀ is LDLᵀ with positive pivots.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/direct.h"

static void *direct_settee_create(void) { return st_ldl_create(); }
static void direct_settee_destroy(void *self) { st_ldl_free(self); }

// The first unknown in the order of elimination whose pivot is not positive; SIZE_MAX: none.
static size_t find_negative(const st_ldl *ldl, const st_bsr *matrix) {
    const size_t b = st_bsr_block(matrix);
    const int32_t *permutation = st_ldl_permutation(ldl);

    for (int32_t k = 0; k < matrix->rows; k++)
        for (size_t c = 0; c < b; c++) {
            const size_t unknown = (size_t)permutation[k] * b + c;
            if (!(st_ldl_inverse_pivot(ldl, unknown) > 0)) return unknown;
        }

    return SIZE_MAX;
}

static st_status direct_settee_factor(void *self, st_pool *pool, const st_bsr *matrix, const st_direct_request *request,
                                      size_t *unknown) {
    *unknown = SIZE_MAX;
    st_status status = st_ldl_analyze(self, pool, matrix, request->ordering, request->couple);
    if (status == ST_OK) status = st_ldl_factor(self, pool, matrix, unknown);
    if (status != ST_OK || request->method == ST_DIRECT_LDLT) return status;

    // LLᵀ exists where all of D is positive
    *unknown = find_negative(self, matrix);
    if (*unknown == SIZE_MAX) return ST_OK;
    st_ldl_drop(self);

    return ST_FAILED;
}

static st_status direct_settee_solve(void *self, const st_real *b, st_real *x) { return st_ldl_solve(self, b, x); }
static size_t direct_settee_entries(const void *self) { return st_ldl_entries(self); }
static void direct_settee_forget(void *self) { st_ldl_forget(self); }
static bool direct_settee_stands(void *self) { return st_ldl_stands(self); }

static st_status direct_settee_solve_many(void *self, st_pool *pool, size_t count, const st_real *b, st_real *x) {
    return st_ldl_solve_many(self, pool, count, b, x);
}

static st_status direct_settee_compliance(void *self, st_pool *pool, const st_sparse_rows *h, st_real factor_,
                                          st_real *w) {
    return st_ldl_compliance(self, pool, h, factor_, w);
}

extern const st_direct_library st_direct_settee;
const st_direct_library st_direct_settee = {
    .name = "settee",
    .rank = 0,
    .methods = 1 << ST_DIRECT_LDLT | 1 << ST_DIRECT_LLT,
    .create = direct_settee_create,
    .destroy = direct_settee_destroy,
    .factor = direct_settee_factor,
    .solve = direct_settee_solve,
    .entries = direct_settee_entries,
    .forget = direct_settee_forget,
    .stands = direct_settee_stands,
    .solve_many = direct_settee_solve_many,
    .compliance = direct_settee_compliance,
};
