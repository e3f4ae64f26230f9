// UMFPACK of SuiteSparse as a library of direct solvers: LU with partial pivoting, multifrontal.
//
// What is factored is Aᵀ, whose columns are the rows of A; the solves are with its transpose.
//
// SPDX-License-Identifier: Apache-2.0
#include <float.h>
#include <math.h>
#include <umfpack.h>

#include "base/array.h"
#include "linalg/csc.h"
#include "linalg/direct.h"

typedef struct solver {
    st_csc matrix;
    void *symbolic, *numeric;
    st_ordering planned;
    double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
    double *b, *x, *work; // n, n, 5 n
    int *work_numbers;    // n
    int size;
} solver;

static void *direct_umfpack_create(void) { return st_alloc(1, sizeof(solver)); }

static void direct_umfpack_release(solver *self) {
    umfpack_di_free_numeric(&self->numeric);
    umfpack_di_free_symbolic(&self->symbolic);
    st_csc_free(&self->matrix);
    st_free(self->b);
    st_free(self->x);
    st_free(self->work);
    st_free(self->work_numbers);
    *self = (solver){0};
}

static void direct_umfpack_destroy(void *object) {
    if (!object) return;
    direct_umfpack_release(object);
    st_free(object);
}

static void direct_umfpack_forget(void *object) { direct_umfpack_release(object); }

static void direct_umfpack_choose(double *control, st_ordering ordering) {
    umfpack_di_defaults(control);
    control[UMFPACK_PRL] = 0;

    // the strategy says which graph is ordered: A + Aᵀ or AᵀA
    switch (ordering) {
    case ST_ORDERING_BEST: break;
    case ST_ORDERING_AMD: control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC; break;
    case ST_ORDERING_COLAMD: control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_UNSYMMETRIC; break;
    case ST_ORDERING_METIS: control[UMFPACK_ORDERING] = UMFPACK_ORDERING_METIS; break;
    case ST_ORDERING_NATURAL: control[UMFPACK_ORDERING] = UMFPACK_ORDERING_NONE; break;
    }
}

static bool direct_umfpack_make_room(solver *self) {
    if (self->b && self->size == self->matrix.n) return true;
    const size_t n = (size_t)self->matrix.n;

    // UMFPACK allocates in solves unless it is given room
    st_free(self->b);
    st_free(self->x);
    st_free(self->work);
    st_free(self->work_numbers);
    self->b = st_alloc(n, sizeof *self->b);
    self->x = st_alloc(n, sizeof *self->x);
    self->work = st_alloc(5 * n, sizeof *self->work);
    self->work_numbers = st_alloc(n, sizeof *self->work_numbers);
    self->size = self->matrix.n;

    return self->b && self->x && self->work && self->work_numbers;
}

static st_status direct_umfpack_status_of(int result) {
    switch (result) {
    case UMFPACK_OK: return ST_OK;
    case UMFPACK_WARNING_singular_matrix: return ST_FAILED;
    case UMFPACK_ERROR_out_of_memory: return ST_OUT_OF_MEMORY;
    default: return ST_INVALID;
    }
}

// The row of A, a column of what was factored, with the smallest pivot.
static size_t find_singular(solver *self) {
    int *order = self->work_numbers, scaled = 0;
    double *diagonal = self->work;
    const int result =
        umfpack_di_get_numeric(NULL, NULL, NULL, NULL, NULL, NULL, NULL, order, diagonal, &scaled, NULL, self->numeric);
    size_t found = SIZE_MAX;
    double smallest = INFINITY;

    // the pivots are in the order of the columns
    for (int k = 0; result == UMFPACK_OK && k < self->matrix.n; k++) {
        if (!(fabs(diagonal[k]) < smallest)) continue;
        smallest = fabs(diagonal[k]);
        found = (size_t)order[k];
    }

    return found;
}

static st_status direct_umfpack_factor(void *object, st_pool *pool, const st_bsr *matrix,
                                       const st_direct_request *request, size_t *unknown) {
    (void)pool;
    solver *self = object;
    *unknown = SIZE_MAX;
    umfpack_di_free_numeric(&self->numeric);

    // A by rows, which is Aᵀ by columns
    st_status status = st_csc_copy(&self->matrix, matrix, false);
    if (status == ST_OK && !direct_umfpack_make_room(self)) status = ST_OUT_OF_MEMORY;
    if (status != ST_OK) return status;
    const st_csc *a = &self->matrix;

    // the analysis is kept while the pattern is
    if (!self->symbolic || a->changed || self->planned != request->ordering) {
        umfpack_di_free_symbolic(&self->symbolic);
        direct_umfpack_choose(self->control, request->ordering);
        self->planned = request->ordering;
        status = direct_umfpack_status_of(
            umfpack_di_symbolic(a->n, a->n, a->starts, a->rows, a->values, &self->symbolic, self->control, self->info));
        if (status != ST_OK) return status;
    }

    status = direct_umfpack_status_of(
        umfpack_di_numeric(a->starts, a->rows, a->values, self->symbolic, &self->numeric, self->control, self->info));

    // A pivot that is rounding only, compared to the largest one of the scaled matrix.
    if (status == ST_OK && a->n > 0 && !(self->info[UMFPACK_RCOND] > DBL_EPSILON)) status = ST_FAILED;
    if (status == ST_FAILED) *unknown = find_singular(self);
    if (status != ST_OK) umfpack_di_free_numeric(&self->numeric);

    return status;
}

static st_status direct_umfpack_solve(void *object, const st_real *b, st_real *x) {
    solver *self = object;
    if (!self->numeric) return ST_FAILED;
    const st_csc *a = &self->matrix;

    // (Aᵀ)ᵀ x = b
    for (int i = 0; i < a->n; i++) self->b[i] = (double)b[i];
    const int result = umfpack_di_wsolve(UMFPACK_At, a->starts, a->rows, a->values, self->x, self->b, self->numeric,
                                         self->control, self->info, self->work_numbers, self->work);
    for (int i = 0; result == UMFPACK_OK && i < a->n; i++) x[i] = (st_real)self->x[i];

    return direct_umfpack_status_of(result);
}

static size_t direct_umfpack_entries(const void *object) {
    const solver *self = object;
    return self->numeric ? (size_t)(self->info[UMFPACK_LNZ] + self->info[UMFPACK_UNZ]) : 0;
}

extern const st_direct_library st_direct_umfpack;
const st_direct_library st_direct_umfpack = {
    .name = "umfpack",
    .rank = 0,
    .methods = 1 << ST_DIRECT_LU,
    .create = direct_umfpack_create,
    .destroy = direct_umfpack_destroy,
    .factor = direct_umfpack_factor,
    .solve = direct_umfpack_solve,
    .entries = direct_umfpack_entries,
    .forget = direct_umfpack_forget,
};
