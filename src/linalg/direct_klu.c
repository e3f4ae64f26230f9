// KLU of SuiteSparse as a library of direct solvers: LU with partial pivoting of the blocks of a block triangular form,
// for very sparse matrices.
//
// What is factored is Aᵀ, whose columns are the rows of A; the solves are with its transpose.
//
// SPDX-License-Identifier: Apache-2.0
#include <float.h>
#include <klu.h>
#include <math.h>

#include "base/array.h"
#include "linalg/csc.h"
#include "linalg/direct.h"

typedef struct solver {
    klu_common common;
    st_csc matrix;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    st_ordering planned;
    double *x;
    int size;
} solver;

static void *direct_klu_create(void) {
    solver *self = st_alloc(1, sizeof *self);
    if (self) klu_defaults(&self->common);
    return self;
}

static void direct_klu_forget(void *object) {
    solver *self = object;
    klu_free_numeric(&self->numeric, &self->common);
    klu_free_symbolic(&self->symbolic, &self->common);
    st_csc_free(&self->matrix);
    st_free(self->x);
    self->x = NULL;
}

static void direct_klu_destroy(void *object) {
    if (!object) return;
    direct_klu_forget(object);
    st_free(object);
}

static st_status direct_klu_status_of(const solver *self) {
    switch (self->common.status) {
    case KLU_OK: return ST_OK;
    case KLU_SINGULAR: return ST_FAILED;
    case KLU_OUT_OF_MEMORY: return ST_OUT_OF_MEMORY;
    default: return ST_INVALID;
    }
}

static st_status direct_klu_analyze(solver *self, st_ordering ordering) {
    st_csc *a = &self->matrix;
    if (self->symbolic && !a->changed && self->planned == ordering) return ST_OK;

    // another pattern or order
    klu_free_symbolic(&self->symbolic, &self->common);
    self->planned = ordering;
    self->common.ordering = ordering == ST_ORDERING_COLAMD;
    self->symbolic = ordering == ST_ORDERING_NATURAL
                         ? klu_analyze_given(a->n, a->starts, a->rows, NULL, NULL, &self->common)
                         : klu_analyze(a->n, a->starts, a->rows, &self->common);

    return self->symbolic ? ST_OK : direct_klu_status_of(self);
}

// The row of A, a column of what was factored, with the smallest pivot.
static size_t find_singular(const solver *self) {
    const double *diagonal = self->numeric->Udiag;
    size_t found = SIZE_MAX;
    double smallest = INFINITY;

    // the diagonal of U is in the order of Q
    for (int k = 0; k < self->matrix.n; k++) {
        if (!(fabs(diagonal[k]) < smallest)) continue;
        smallest = fabs(diagonal[k]);
        found = (size_t)self->symbolic->Q[k];
    }

    return found;
}

static st_status direct_klu_factor(void *object, st_pool *pool, const st_bsr *matrix, const st_direct_request *request,
                                   size_t *unknown) {
    (void)pool;
    solver *self = object;
    *unknown = SIZE_MAX;
    klu_free_numeric(&self->numeric, &self->common);
    if (request->ordering == ST_ORDERING_METIS) return ST_INVALID; // KLU orders by AMD or COLAMD

    // A by rows, which is Aᵀ by columns
    st_status status = st_csc_copy(&self->matrix, matrix, false);
    if (status != ST_OK) return status;
    st_csc *a = &self->matrix;

    // room for solves
    if (!self->x || self->size != a->n) {
        st_free(self->x);
        self->x = st_alloc((size_t)a->n, sizeof *self->x);
        self->size = a->n;
        if (!self->x) return ST_OUT_OF_MEMORY;
    }

    // the analysis is kept while the pattern is; then the numbers
    status = direct_klu_analyze(self, request->ordering);
    if (status != ST_OK) return status;
    self->numeric = klu_factor(a->starts, a->rows, a->values, self->symbolic, &self->common);
    status = direct_klu_status_of(self);

    // A pivot that is rounding only, compared to the largest one of the scaled matrix.
    if (status == ST_OK && klu_rcond(self->symbolic, self->numeric, &self->common) &&
        !(self->common.rcond > DBL_EPSILON)) {
        status = ST_FAILED;
        *unknown = find_singular(self);
    } else if (status == ST_FAILED && self->common.singular_col >= 0 && self->common.singular_col < a->n)
        *unknown = (size_t)self->common.singular_col;

    if (status != ST_OK) klu_free_numeric(&self->numeric, &self->common);
    return status;
}

static st_status direct_klu_solve(void *object, const st_real *b, st_real *x) {
    solver *self = object;
    if (!self->numeric) return ST_FAILED;
    const int n = self->matrix.n;

    // (Aᵀ)ᵀ x = b
    for (int i = 0; i < n; i++) self->x[i] = (double)b[i];
    if (!klu_tsolve(self->symbolic, self->numeric, n, 1, self->x, &self->common)) return direct_klu_status_of(self);
    for (int i = 0; i < n; i++) x[i] = (st_real)self->x[i];
    return ST_OK;
}

static size_t direct_klu_entries(const void *object) {
    const solver *self = object;
    return self->numeric ? (size_t)self->numeric->lnz + (size_t)self->numeric->unz : 0;
}

extern const st_direct_library st_direct_klu;
const st_direct_library st_direct_klu = {
    .name = "klu",
    .rank = 1,
    .methods = 1 << ST_DIRECT_LU,
    .create = direct_klu_create,
    .destroy = direct_klu_destroy,
    .factor = direct_klu_factor,
    .solve = direct_klu_solve,
    .entries = direct_klu_entries,
    .forget = direct_klu_forget,
};
