// Sparse LDLᵀ, up-looking: L grows row by row. See ldl.h.
//
// Row k of L solves the triangular system L₁ D₁ l = a, where L₁ D₁ L₁ᵀ is the factor so far and a the entries of
// column k above the diagonal of P A Pᵀ; then d_k = a_kk - Σ l_i² d_i. The entries of l that are not zero are those
// that the entries of a reach in the elimination tree (the parent of i is the first row below i with an entry in
// column i of L), and any order of the tree from the leaves up solves the system.
//
// The analysis keeps, for every k, the places in A of the entries that it needs (`gather`), so that the factorization
// reads A without searching or permuting it.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/ldl.h"

#include <string.h>
#include <tgmath.h>

#include "base/array.h"

enum { LANES = 4 }; // right-hand sides that go through the factor together

// What depends on the pattern.
typedef struct analysis {
    int32_t n;
    st_ordering ordering;
    bool own_permutation; // given by the caller
    st_ldl_couple couple;
    size_t *starts; // the analyzed pattern
    int32_t *columns;
    int32_t *permutation; // k-th eliminated unknown
    int32_t *position;    // its inverse
    size_t *gather_starts;
    int32_t *gather_index; // i ≤ k in P A Pᵀ
    size_t *gather_source; // place of the entry in the values of A
    int32_t *parent;       // elimination tree; -1 for a root
    size_t *column_starts; // of L
} analysis;

struct st_ldl {
    analysis a;
    bool factored;
    int32_t *rows;           // of the entries of L, column by column
    st_real *values;         //
    st_real *pivots;         // D while factoring
    st_real *inverse_pivots; // D⁻¹
    size_t *column_ends;     // entries of each column that are known so far
    int32_t *mark;           // last row that visited a column
    int32_t *reach;          // columns of the row at hand
    st_real *row;            // the row at hand, dense
    st_real *work;           // of solves
    size_t work_count;
};

static void analysis_free(analysis *a) {
    st_free(a->starts);
    st_free(a->columns);
    st_free(a->permutation);
    st_free(a->position);
    st_free(a->gather_starts);
    st_free(a->gather_index);
    st_free(a->gather_source);
    st_free(a->parent);
    st_free(a->column_starts);
    *a = (analysis){0};
}

static void factor_free(st_ldl *ldl) {
    st_free(ldl->rows);
    st_free(ldl->values);
    st_free(ldl->pivots);
    st_free(ldl->inverse_pivots);
    st_free(ldl->column_ends);
    st_free(ldl->mark);
    st_free(ldl->reach);
    st_free(ldl->row);
    st_free(ldl->work);
}

st_ldl *st_ldl_create(void) { return st_alloc(1, sizeof(st_ldl)); }

void st_ldl_free(st_ldl *ldl) {
    if (!ldl) return;
    analysis_free(&ldl->a);
    factor_free(ldl);
    st_free(ldl);
}

// ---- analysis -------------------------------------------------------------------------------------------------------

// In a matrix of which the lower triangle alone is stored, a row without entries may have some in its column.
static bool can_be_factored(const st_bsr *matrix, st_ldl_couple couple) {
    if (matrix->block != 1 || matrix->rows <= 0 || matrix->rows != matrix->cols) return false;
    for (int32_t i = 0; i < matrix->rows && couple == ST_LDL_LATER_ROW; i++)
        if (matrix->starts[i] == matrix->starts[i + 1]) return false;
    return true;
}

static bool same_pattern(const analysis *a, const st_bsr *matrix) {
    const size_t count = st_bsr_count(matrix);
    return a->n == matrix->rows && a->starts[a->n] == count &&
           memcmp(a->starts, matrix->starts, ((size_t)a->n + 1) * sizeof *a->starts) == 0 &&
           memcmp(a->columns, matrix->columns, count * sizeof *a->columns) == 0;
}

static bool analysis_create(analysis *a, const st_bsr *matrix, st_ldl_couple couple) {
    const size_t n = (size_t)matrix->rows, count = st_bsr_count(matrix);
    *a = (analysis){.n = matrix->rows, .couple = couple};
    a->starts = st_alloc(n + 1, sizeof *a->starts);
    a->columns = st_alloc(count, sizeof *a->columns);
    a->permutation = st_alloc(n, sizeof *a->permutation);
    a->position = st_alloc(n, sizeof *a->position);
    a->gather_starts = st_alloc(n + 1, sizeof *a->gather_starts);
    a->gather_index = st_alloc(count, sizeof *a->gather_index);
    a->gather_source = st_alloc(count, sizeof *a->gather_source);
    a->parent = st_alloc(n, sizeof *a->parent);
    a->column_starts = st_alloc(n + 1, sizeof *a->column_starts);
    if (!a->starts || !a->columns || !a->permutation || !a->position || !a->gather_starts || !a->gather_index ||
        !a->gather_source || !a->parent || !a->column_starts)
        return false;
    memcpy(a->starts, matrix->starts, (n + 1) * sizeof *a->starts);
    memcpy(a->columns, matrix->columns, count * sizeof *a->columns);
    return true;
}

// Fills `position`; false when the permutation is none.
static bool invert_permutation(analysis *a) {
    for (int32_t i = 0; i < a->n; i++) a->position[i] = -1;
    for (int32_t k = 0; k < a->n; k++) {
        const int32_t i = a->permutation[k];
        if (i < 0 || i >= a->n || a->position[i] >= 0) return false;
        a->position[i] = k;
    }
    return true;
}

// Where entry (i, j) of A stands in the upper triangle of P A Pᵀ: column k, row *index. False when it is not read.
static bool locate(const analysis *a, int32_t i, int32_t j, int32_t *k, int32_t *index) {
    const int32_t pi = a->position[i], pj = a->position[j];
    *k = pi > pj ? pi : pj;
    *index = pi > pj ? pj : pi;
    return a->couple == ST_LDL_LOWER ? j <= i : pj <= pi;
}

static void build_gather(analysis *a) {
    int32_t k, index;
    for (int32_t i = 0; i < a->n; i++)
        for (size_t s = a->starts[i]; s < a->starts[i + 1]; s++)
            if (locate(a, i, a->columns[s], &k, &index)) a->gather_starts[k + 1]++;
    for (int32_t i = 0; i < a->n; i++) a->gather_starts[i + 1] += a->gather_starts[i];
    // The starts serve as cursors, which leaves each at the start of the next column: they are shifted back after.
    for (int32_t i = 0; i < a->n; i++) {
        for (size_t s = a->starts[i]; s < a->starts[i + 1]; s++) {
            if (!locate(a, i, a->columns[s], &k, &index)) continue;
            const size_t place = a->gather_starts[k]++;
            a->gather_index[place] = index;
            a->gather_source[place] = s;
        }
    }
    memmove(a->gather_starts + 1, a->gather_starts, (size_t)a->n * sizeof *a->gather_starts);
    a->gather_starts[0] = 0;
}

// The elimination tree and the number of entries in each column of L: row k has an entry in column i if i lies on the
// way from an entry of A in column k up the tree to k.
static bool build_tree(analysis *a) {
    int32_t *mark = st_alloc((size_t)a->n, sizeof *mark);
    if (!mark) return false;
    for (int32_t k = 0; k < a->n; k++) {
        a->parent[k] = -1;
        mark[k] = k;
        for (size_t g = a->gather_starts[k]; g < a->gather_starts[k + 1]; g++) {
            for (int32_t i = a->gather_index[g]; mark[i] != k; i = a->parent[i]) {
                if (a->parent[i] < 0) a->parent[i] = k;
                a->column_starts[i + 1]++;
                mark[i] = k;
            }
        }
    }
    for (int32_t i = 0; i < a->n; i++) a->column_starts[i + 1] += a->column_starts[i];
    st_free(mark);
    return true;
}

static bool factor_create(st_ldl *f, const analysis *a) {
    const size_t n = (size_t)a->n, count = a->column_starts[a->n];
    f->rows = st_alloc(count, sizeof *f->rows);
    f->values = st_alloc(count, sizeof *f->values);
    f->pivots = st_alloc(n, sizeof *f->pivots);
    f->inverse_pivots = st_alloc(n, sizeof *f->inverse_pivots);
    f->column_ends = st_alloc(n, sizeof *f->column_ends);
    f->mark = st_alloc(n, sizeof *f->mark);
    f->reach = st_alloc(n, sizeof *f->reach);
    f->row = st_alloc(n, sizeof *f->row);
    f->work = st_alloc(n, sizeof *f->work);
    f->work_count = n;
    return f->rows && f->values && f->pivots && f->inverse_pivots && f->column_ends && f->mark && f->reach && f->row &&
           f->work;
}

// Everything that follows from a permutation; the former analysis and factor are replaced only by a whole new one.
static st_status finish_analysis(st_ldl *ldl, analysis *a) {
    st_ldl fresh = {0};
    st_status status = ST_OK;
    if (!invert_permutation(a)) {
        status = ST_INVALID;
    } else {
        build_gather(a);
        if (!build_tree(a) || !factor_create(&fresh, a)) status = ST_OUT_OF_MEMORY;
    }
    if (status != ST_OK) {
        analysis_free(a);
        factor_free(&fresh);
        return status;
    }
    analysis_free(&ldl->a);
    factor_free(ldl);
    *ldl = fresh;
    ldl->a = *a;
    return ST_OK;
}

st_status st_ldl_analyze(st_ldl *ldl, const st_bsr *matrix, st_ordering ordering, st_ldl_couple couple) {
    if (!can_be_factored(matrix, couple)) return ST_INVALID;
    if (ldl->a.n > 0 && !ldl->a.own_permutation && ldl->a.ordering == ordering && ldl->a.couple == couple &&
        same_pattern(&ldl->a, matrix))
        return ST_OK;
    analysis a;
    st_status status = ST_OUT_OF_MEMORY;
    if (analysis_create(&a, matrix, couple)) {
        a.ordering = ordering;
        status = st_ordering_compute(ordering, a.n, a.starts, a.columns, a.permutation);
    }
    if (status == ST_OK) return finish_analysis(ldl, &a);
    analysis_free(&a);
    return status;
}

st_status st_ldl_analyze_permuted(st_ldl *ldl, const st_bsr *matrix, const int32_t *permutation, st_ldl_couple couple) {
    if (!can_be_factored(matrix, couple)) return ST_INVALID;
    analysis a;
    if (!analysis_create(&a, matrix, couple)) {
        analysis_free(&a);
        return ST_OUT_OF_MEMORY;
    }
    a.own_permutation = true;
    memcpy(a.permutation, permutation, (size_t)a.n * sizeof *permutation);
    return finish_analysis(ldl, &a);
}

// ---- factorization --------------------------------------------------------------------------------------------------

// Scatters column k of P A Pᵀ into the dense row and lists in reach[top … n - 1] the columns of row k of L, from the
// leaves up. Each walk up the tree is put before those already listed, which are its continuation.
static int32_t find_reach(st_ldl *ldl, const st_real *values, int32_t k) {
    const analysis *a = &ldl->a;
    int32_t top = a->n;
    ldl->mark[k] = k;
    for (size_t g = a->gather_starts[k]; g < a->gather_starts[k + 1]; g++) {
        int32_t i = a->gather_index[g], length = 0;
        ldl->row[i] += values[a->gather_source[g]];
        for (; ldl->mark[i] != k; i = a->parent[i]) {
            ldl->reach[length++] = i;
            ldl->mark[i] = k;
        }
        while (length > 0) ldl->reach[--top] = ldl->reach[--length];
    }
    return top;
}

// Row k of L and its pivot; false when the pivot cannot be divided by.
static bool factor_row(st_ldl *ldl, const st_real *values, int32_t k) {
    const int32_t n = ldl->a.n, top = find_reach(ldl, values, k);
    st_real *row = ldl->row, pivot = row[k];
    row[k] = 0;
    for (int32_t r = top; r < n; r++) {
        const int32_t i = ldl->reach[r];
        const size_t end = ldl->column_ends[i]++;
        const st_real y = row[i], l = y / ldl->pivots[i];
        row[i] = 0;
        for (size_t s = ldl->a.column_starts[i]; s < end; s++) row[ldl->rows[s]] -= ldl->values[s] * y;
        pivot -= l * y;
        ldl->rows[end] = k;
        ldl->values[end] = l;
    }
    ldl->pivots[k] = pivot;
    return pivot != 0 && isfinite(pivot);
}

st_status st_ldl_factor(st_ldl *ldl, const st_bsr *matrix, size_t *column) {
    const int32_t n = ldl->a.n;
    if (n == 0 || matrix->block != 1 || matrix->rows != n || st_bsr_count(matrix) != ldl->a.starts[n])
        return ST_INVALID;
    ldl->factored = false;
    memcpy(ldl->column_ends, ldl->a.column_starts, (size_t)n * sizeof *ldl->column_ends);
    memset(ldl->row, 0, (size_t)n * sizeof *ldl->row);
    for (int32_t k = 0; k < n; k++) ldl->mark[k] = -1;
    for (int32_t k = 0; k < n; k++) {
        if (factor_row(ldl, matrix->values, k)) continue;
        if (column) *column = (size_t)ldl->a.permutation[k];
        return ST_FAILED;
    }
    for (int32_t k = 0; k < n; k++) ldl->inverse_pivots[k] = 1 / ldl->pivots[k];
    ldl->factored = true;
    return ST_OK;
}

// ---- solution -------------------------------------------------------------------------------------------------------

// A column of L that meets a zero changes nothing: right-hand sides of constraints have few entries that are not zero.
void st_ldl_forward(const st_ldl *ldl, const st_real *b, st_real *u) {
    const size_t *starts = ldl->a.column_starts;
    for (int32_t k = 0; k < ldl->a.n; k++) u[k] = b[ldl->a.permutation[k]];
    for (int32_t k = 0; k < ldl->a.n; k++) {
        const st_real y = u[k];
        if (y == 0) continue;
        for (size_t s = starts[k]; s < starts[k + 1]; s++) u[ldl->rows[s]] -= ldl->values[s] * y;
    }
}

void st_ldl_backward(const st_ldl *ldl, st_real *u, st_real *x) {
    const size_t *starts = ldl->a.column_starts;
    for (int32_t k = ldl->a.n - 1; k >= 0; k--) {
        st_real y = u[k];
        for (size_t s = starts[k]; s < starts[k + 1]; s++) y -= ldl->values[s] * u[ldl->rows[s]];
        u[k] = y;
    }
    for (int32_t k = 0; k < ldl->a.n; k++) x[ldl->a.permutation[k]] = u[k];
}

st_status st_ldl_solve(st_ldl *ldl, const st_real *b, st_real *x) {
    if (!ldl->factored) return ST_FAILED;
    st_ldl_forward(ldl, b, ldl->work);
    for (int32_t k = 0; k < ldl->a.n; k++) ldl->work[k] *= ldl->inverse_pivots[k];
    st_ldl_backward(ldl, ldl->work, x);
    return ST_OK;
}

typedef struct many {
    const st_ldl *ldl;
    size_t count;
    const st_real *b;
    st_real *x;
} many;

// L y = b, then y = D⁻¹ y, then Lᵀ x = y, on LANES interleaved right-hand sides.
static void solve_lanes(const st_ldl *ldl, st_real (*w)[LANES]) {
    const size_t *starts = ldl->a.column_starts;
    for (int32_t k = 0; k < ldl->a.n; k++)
        for (size_t s = starts[k]; s < starts[k + 1]; s++)
            for (int c = 0; c < LANES; c++) w[ldl->rows[s]][c] -= ldl->values[s] * w[k][c];
    for (int32_t k = 0; k < ldl->a.n; k++)
        for (int c = 0; c < LANES; c++) w[k][c] *= ldl->inverse_pivots[k];
    for (int32_t k = ldl->a.n - 1; k >= 0; k--)
        for (size_t s = starts[k]; s < starts[k + 1]; s++)
            for (int c = 0; c < LANES; c++) w[k][c] -= ldl->values[s] * w[ldl->rows[s]][c];
}

static void solve_groups(void *context, size_t begin, size_t end) {
    const many *m = context;
    const st_ldl *ldl = m->ldl;
    const size_t n = (size_t)ldl->a.n;
    for (size_t group = begin; group < end; group++) {
        st_real(*w)[LANES] = (st_real(*)[LANES])(void *)&ldl->work[group * LANES * n];
        const size_t first = group * LANES, used = m->count - first < LANES ? m->count - first : LANES;
        for (size_t k = 0; k < n; k++)
            for (size_t c = 0; c < LANES; c++)
                w[k][c] = c < used ? m->b[(first + c) * n + (size_t)ldl->a.permutation[k]] : 0;
        solve_lanes(ldl, w);
        for (size_t k = 0; k < n; k++)
            for (size_t c = 0; c < used; c++) m->x[(first + c) * n + (size_t)ldl->a.permutation[k]] = w[k][c];
    }
}

st_status st_ldl_solve_many(st_ldl *ldl, st_pool *pool, size_t count, const st_real *b, st_real *x) {
    if (!ldl->factored) return ST_FAILED;
    if (count == 0) return ST_OK;
    const size_t n = (size_t)ldl->a.n, groups = (count - 1) / LANES + 1;
    if (groups > SIZE_MAX / LANES / n) return ST_OUT_OF_MEMORY;
    if (ldl->work_count < groups * LANES * n) {
        st_real *work = st_alloc(groups * LANES * n, sizeof *work);
        if (!work) return ST_OUT_OF_MEMORY;
        st_free(ldl->work);
        ldl->work = work;
        ldl->work_count = groups * LANES * n;
    }
    many m = {.ldl = ldl, .count = count, .b = b, .x = x};
    st_parallel_for(pool, groups, 1, solve_groups, &m);
    return ST_OK;
}

int32_t st_ldl_size(const st_ldl *ldl) { return ldl->a.n; }
size_t st_ldl_entries(const st_ldl *ldl) { return ldl->a.n ? ldl->a.column_starts[ldl->a.n] : 0; }
bool st_ldl_is_factored(const st_ldl *ldl) { return ldl->factored; }
const int32_t *st_ldl_permutation(const st_ldl *ldl) { return ldl->a.permutation; }
const st_real *st_ldl_inverse_pivots(const st_ldl *ldl) { return ldl->inverse_pivots; }
