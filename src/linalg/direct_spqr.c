// SPQR of SuiteSparse as a library of direct solvers: A E = Q R, multifrontal.
//
// A matrix whose numerical rank is less than its size is refused as singular.
//
// SPDX-License-Identifier: Apache-2.0
#include <SuiteSparseQR_C.h>

#include "base/array.h"
#include "linalg/csc.h"
#include "linalg/direct.h"

typedef struct solver {
    cholmod_common common; // with long indices
    st_csc matrix;
    cholmod_sparse *sparse; // A by columns
    SuiteSparseQR_C_factorization *qr;
    st_ordering planned;
    bool factored;
} solver;

static void *direct_spqr_create(void) {
    solver *self = st_alloc(1, sizeof *self);
    if (!self) return NULL;
    cholmod_l_start(&self->common);
    self->common.print = 0;
    return self;
}

static void direct_spqr_forget(void *object) {
    solver *self = object;
    SuiteSparseQR_C_free(&self->qr, &self->common);
    cholmod_l_free_sparse(&self->sparse, &self->common);
    st_csc_free(&self->matrix);
    self->factored = false;
}

static void direct_spqr_destroy(void *object) {
    solver *self = object;
    if (!self) return;
    direct_spqr_forget(self);
    cholmod_l_finish(&self->common);
    st_free(self);
}

static st_status direct_spqr_status_of(const solver *self) {
    if (self->common.status == CHOLMOD_OUT_OF_MEMORY) return ST_OUT_OF_MEMORY;
    return self->common.status >= 0 ? ST_OK : ST_INVALID;
}

// Aᵀ with long indices, transposed by CHOLMOD.
static st_status make_sparse(solver *self) {
    const st_csc *a = &self->matrix;
    const size_t n = (size_t)a->n, count = (size_t)a->starts[a->n];

    cholmod_l_free_sparse(&self->sparse, &self->common);

    // SPQR works on long indices
    cholmod_sparse *rows = cholmod_l_allocate_sparse(n, n, count, true, true, 0, CHOLMOD_REAL, &self->common);
    if (!rows) return ST_OUT_OF_MEMORY;

    for (size_t i = 0; i <= n; i++) ((SuiteSparse_long *)rows->p)[i] = a->starts[i];
    for (size_t k = 0; k < count; k++) ((SuiteSparse_long *)rows->i)[k] = a->rows[k];
    for (size_t k = 0; k < count; k++) ((double *)rows->x)[k] = a->values[k];

    // the rows of A were its columns
    self->sparse = cholmod_l_transpose(rows, 1, &self->common);
    cholmod_l_free_sparse(&rows, &self->common);

    return self->sparse ? ST_OK : direct_spqr_status_of(self);
}

static int ordering_of(st_ordering ordering) {
    switch (ordering) {
    case ST_ORDERING_NATURAL: return SPQR_ORDERING_FIXED;
    case ST_ORDERING_AMD: return SPQR_ORDERING_AMD;
    case ST_ORDERING_COLAMD: return SPQR_ORDERING_COLAMD;
    case ST_ORDERING_METIS: return SPQR_ORDERING_METIS;
    default: return SPQR_ORDERING_DEFAULT;
    }
}

// The first column of A that depends on others: with R asked for, those columns come last in the order of the columns
// of R.
static size_t find_dependent(solver *self) {
    SuiteSparse_long *order = NULL;
    cholmod_sparse *r = NULL;
    const SuiteSparse_long rank = SuiteSparseQR_C(ordering_of(self->planned), SPQR_DEFAULT_TOL, 0, 0, self->sparse,
                                                  NULL, NULL, NULL, NULL, &r, &order, NULL, NULL, NULL, &self->common);
    const size_t n = (size_t)self->matrix.n;

    // columns beyond the rank come last
    size_t found = SIZE_MAX;
    if (rank >= 0 && (size_t)rank < n) found = order ? (size_t)order[rank] : (size_t)rank;
    cholmod_l_free_sparse(&r, &self->common);
    cholmod_l_free(n, sizeof *order, order, &self->common);

    return found;
}

static st_status direct_spqr_factor(void *object, st_pool *pool, const st_bsr *matrix, const st_direct_request *request,
                                    size_t *unknown) {
    (void)pool;
    solver *self = object;
    *unknown = SIZE_MAX;
    self->factored = false;

    st_status status = st_csc_copy(&self->matrix, matrix, false);
    if (status == ST_OK) status = make_sparse(self);
    if (status != ST_OK) return status;

    // the analysis is kept while the pattern is
    if (!self->qr || self->matrix.changed || self->planned != request->ordering) {
        SuiteSparseQR_C_free(&self->qr, &self->common);
        self->planned = request->ordering;
        self->qr = SuiteSparseQR_C_symbolic(ordering_of(request->ordering), 1, self->sparse, &self->common);
        if (!self->qr) return direct_spqr_status_of(self);
    }

    SuiteSparseQR_C_numeric(SPQR_DEFAULT_TOL, self->sparse, self->qr, &self->common);
    status = direct_spqr_status_of(self);

    // the rank that was found is less than n
    if (status == ST_OK && self->common.SPQR_istat[4] < self->matrix.n) {
        status = ST_FAILED;
        *unknown = find_dependent(self);
    }

    self->factored = status == ST_OK;
    return status;
}

static st_status direct_spqr_solve(void *object, const st_real *b, st_real *x) {
    solver *self = object;
    if (!self->factored) return ST_FAILED;
    const size_t n = (size_t)self->matrix.n;
    cholmod_common *common = &self->common;
    cholmod_dense *rhs = cholmod_l_allocate_dense(n, 1, n, CHOLMOD_REAL, common);

    for (size_t i = 0; rhs && i < n; i++) ((double *)rhs->x)[i] = (double)b[i];

    // A E = Q R:  y = Qᵀ b, x = E R⁻¹ y
    cholmod_dense *rotated = rhs ? SuiteSparseQR_C_qmult(SPQR_QTX, self->qr, rhs, common) : NULL;
    cholmod_dense *solution = rotated ? SuiteSparseQR_C_solve(SPQR_RETX_EQUALS_B, self->qr, rotated, common) : NULL;
    for (size_t i = 0; solution && i < n; i++) x[i] = (st_real)((const double *)solution->x)[i];

    const st_status status = solution ? ST_OK : ST_OUT_OF_MEMORY;
    cholmod_l_free_dense(&rhs, common);
    cholmod_l_free_dense(&rotated, common);
    cholmod_l_free_dense(&solution, common);

    return status;
}

static size_t direct_spqr_entries(const void *object) {
    const solver *self = object;
    return self->factored ? (size_t)self->common.SPQR_istat[0] : 0;
}

extern const st_direct_library st_direct_spqr;
const st_direct_library st_direct_spqr = {
    .name = "spqr",
    .rank = 0,
    .methods = 1 << ST_DIRECT_QR,
    .create = direct_spqr_create,
    .destroy = direct_spqr_destroy,
    .factor = direct_spqr_factor,
    .solve = direct_spqr_solve,
    .entries = direct_spqr_entries,
    .forget = direct_spqr_forget,
};
