// CHOLMOD of SuiteSparse as a library of direct solvers: LLᵀ, supernodal for large matrices, and simplicial LDLᵀ.
//
// SPDX-License-Identifier: Apache-2.0
#include <cholmod.h>
#include <float.h>
#include <math.h>

#include "base/array.h"
#include "linalg/csc.h"
#include "linalg/direct.h"

typedef struct solver {
    cholmod_common common;
    st_csc matrix;
    cholmod_factor *factor;
    st_direct_request planned;
    bool factored;
} solver;

static void *direct_cholmod_create(void) {
    solver *self = st_alloc(1, sizeof *self);
    if (!self) return NULL;
    cholmod_start(&self->common);
    self->common.print = 0;
    return self;
}

static void direct_cholmod_destroy(void *object) {
    solver *self = object;
    if (!self) return;
    cholmod_free_factor(&self->factor, &self->common);
    cholmod_finish(&self->common);
    st_csc_free(&self->matrix);
    st_free(self);
}

static st_status direct_cholmod_status_of(const solver *self) {
    if (self->common.status == CHOLMOD_OUT_OF_MEMORY) return ST_OUT_OF_MEMORY;
    return self->common.status >= 0 ? ST_OK : ST_INVALID;
}

// The upper triangle of Aᵀ by columns.
static cholmod_sparse view(const st_csc *a) {
    return (cholmod_sparse){.nrow = (size_t)a->n,
                            .ncol = (size_t)a->n,
                            .nzmax = (size_t)a->starts[a->n],
                            .p = a->starts,
                            .i = a->rows,
                            .x = a->values,
                            .stype = 1,
                            .itype = CHOLMOD_INT,
                            .xtype = CHOLMOD_REAL,
                            .dtype = CHOLMOD_DOUBLE,
                            .sorted = true,
                            .packed = true};
}

static void direct_cholmod_choose(cholmod_common *common, const st_direct_request *request) {
    const bool llt = request->method == ST_DIRECT_LLT;
    common->final_ll = llt;
    common->supernodal = llt ? CHOLMOD_AUTO : CHOLMOD_SIMPLICIAL;
    common->nmethods = request->ordering == ST_ORDERING_BEST ? 0 : 1;

    // without a choice CHOLMOD tries several and keeps the best
    switch (request->ordering) {
    case ST_ORDERING_NATURAL: common->method[0].ordering = CHOLMOD_NATURAL; break;
    case ST_ORDERING_METIS: common->method[0].ordering = CHOLMOD_METIS; break;
    default: common->method[0].ordering = CHOLMOD_AMD; break;
    }
}

static st_status direct_cholmod_analyze(solver *self, cholmod_sparse *a, const st_direct_request *request) {
    const bool same = self->planned.method == request->method && self->planned.ordering == request->ordering;
    if (self->factor && same && !self->matrix.changed) return ST_OK;

    // another pattern, method or order
    cholmod_free_factor(&self->factor, &self->common);
    direct_cholmod_choose(&self->common, request);
    self->planned = *request;
    self->factor = cholmod_analyze(a, &self->common);

    return self->factor ? ST_OK : direct_cholmod_status_of(self);
}

// The pivot of the k-th eliminated unknown: D of LDLᵀ, or the square of the diagonal entry of L.
static double pivot_of(const cholmod_factor *l, size_t k, size_t *supernode) {
    const double *x = l->x;
    if (!l->is_super) {
        const double d = x[((const int *)l->p)[k]];
        return l->is_ll ? d * d : d;
    }

    // supernodal: columns of one supernode are stored together, with the rows of its front
    const int *super = l->super, *rows = l->pi, *places = l->px;
    while (k >= (size_t)super[*supernode + 1]) ++*supernode;
    const size_t s = *supernode, column = k - (size_t)super[s], height = (size_t)(rows[s + 1] - rows[s]);
    const double d = x[(size_t)places[s] + column * (height + 1)];

    return d * d;
}

// CHOLMOD takes every pivot that is not 0. One that is nothing but rounding of its diagonal entry is refused, as by
// settee's own factorization. Gives its unknown; SIZE_MAX: there is none.
static size_t find_rounding(const solver *self) {
    const cholmod_factor *l = self->factor;
    const st_csc *a = &self->matrix;
    const int *permutation = l->Perm;
    size_t supernode = 0;

    // in the order of elimination: the first one is the cause of the others
    for (size_t k = 0; k < l->n; k++) {
        const int unknown = permutation[k], last = a->starts[unknown + 1] - 1; // the diagonal entry ends its column
        const double entry = last >= a->starts[unknown] && a->rows[last] == unknown ? a->values[last] : 0;
        if (!(fabs(pivot_of(l, k, &supernode)) > 2 * DBL_EPSILON * fabs(entry))) return (size_t)unknown;
    }

    return SIZE_MAX;
}

static st_status direct_cholmod_factor(void *object, st_pool *pool, const st_bsr *matrix,
                                       const st_direct_request *request, size_t *unknown) {
    (void)pool;
    solver *self = object;
    *unknown = SIZE_MAX;
    self->factored = false;

    // COLAMD orders for AᵀA; CHOLMOD has it for such products only.
    if (request->ordering == ST_ORDERING_COLAMD) return ST_INVALID;

    // the lower triangle of A
    st_status status = st_csc_copy(&self->matrix, matrix, true);
    if (status != ST_OK) return status;

    // the analysis is kept while the pattern is
    cholmod_sparse a = view(&self->matrix);
    status = direct_cholmod_analyze(self, &a, request);
    if (status != ST_OK) return status;

    cholmod_factorize(&a, self->factor, &self->common);
    status = direct_cholmod_status_of(self);

    // CHOLMOD stopped at a pivot, or went over one that means nothing
    if (status == ST_OK && self->factor->minor < self->factor->n) {
        const int *permutation = self->factor->Perm;
        *unknown = (size_t)permutation[self->factor->minor];
        status = ST_FAILED;
    } else if (status == ST_OK && (*unknown = find_rounding(self)) != SIZE_MAX) {
        status = ST_FAILED;
    }

    self->factored = status == ST_OK;
    return status;
}

static st_status direct_cholmod_solve(void *object, const st_real *b, st_real *x) {
    solver *self = object;
    if (!self->factored) return ST_FAILED;
    const size_t n = self->factor->n;

    // CHOLMOD works in double, whatever st_real is
    cholmod_dense *rhs = cholmod_allocate_dense(n, 1, n, CHOLMOD_REAL, &self->common);
    for (size_t i = 0; rhs && i < n; i++) ((double *)rhs->x)[i] = (double)b[i];
    cholmod_dense *solution = rhs ? cholmod_solve(CHOLMOD_A, self->factor, rhs, &self->common) : NULL;
    for (size_t i = 0; solution && i < n; i++) x[i] = (st_real)((const double *)solution->x)[i];

    const st_status status = solution ? ST_OK : ST_OUT_OF_MEMORY;
    cholmod_free_dense(&rhs, &self->common);
    cholmod_free_dense(&solution, &self->common);

    return status;
}

static size_t direct_cholmod_entries(const void *object) {
    const solver *self = object;
    if (!self->factored) return 0;
    return self->factor->is_super ? self->factor->xsize : self->factor->nzmax;
}

static void direct_cholmod_forget(void *object) {
    solver *self = object;
    cholmod_free_factor(&self->factor, &self->common);
    st_csc_free(&self->matrix);
    self->factored = false;
}

extern const st_direct_library st_direct_cholmod;
const st_direct_library st_direct_cholmod = {
    .name = "cholmod",
    .rank = 1,
    .methods = 1 << ST_DIRECT_LDLT | 1 << ST_DIRECT_LLT,
    .create = direct_cholmod_create,
    .destroy = direct_cholmod_destroy,
    .factor = direct_cholmod_factor,
    .solve = direct_cholmod_solve,
    .entries = direct_cholmod_entries,
    .forget = direct_cholmod_forget,
};
