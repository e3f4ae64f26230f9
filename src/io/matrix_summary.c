// Figures of a matrix: size, entries, symmetry, bandwidth, and by its factorization P A Pᵀ = L D Lᵀ definiteness (the
// signs of D are those of the eigenvalues), fill, and condition. The largest eigenvalue is found by power iteration,
// the smallest by inverse iteration: an estimate from below of the condition number, good to a few percent as a rule.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/array.h"
#include "io/matrix_file.h"
#include "linalg/ldl.h"
#include "system/probe.h"

enum { ITERATIONS = 60 };

static void count_rows(const st_bsr *scalar, st_matrix_summary *summary) {
    for (int32_t i = 0; i < scalar->rows; i++) {
        summary->zero_rows += scalar->starts[i] == scalar->starts[i + 1];
        for (size_t s = scalar->starts[i]; s < scalar->starts[i + 1]; s++) {
            const size_t distance = (size_t)(scalar->columns[s] > i ? scalar->columns[s] - i : i - scalar->columns[s]);
            if (distance > summary->bandwidth) summary->bandwidth = distance;
        }
    }
}

static double normalize(st_real *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)x[i] * (double)x[i];
    const double length = sqrt(sum);
    for (size_t i = 0; length > 0 && i < n; i++) x[i] = (st_real)((double)x[i] / length);
    return length;
}

// A start that no symmetry of the matrix is likely to be orthogonal to.
static void start(st_real *x, size_t n) {
    uint32_t seed = 2463534242u;
    for (size_t i = 0; i < n; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        x[i] = (st_real)((double)seed / 4294967296.0 - 0.5);
    }
    normalize(x, n);
}

// |λ|max of A, or of A⁻¹ by its factor.
static double largest_eigenvalue(const st_bsr *a, st_ldl *inverse, st_real *x, st_real *y) {
    const size_t n = (size_t)a->rows;
    double value = 0;
    start(x, n);
    for (int i = 0; i < ITERATIONS; i++) {
        if (inverse) {
            if (st_ldl_solve(inverse, x, y) != ST_OK) return 0;
        } else {
            st_bsr_multiply(a, NULL, x, y);
        }
        st_copy_reals(x, y, n);
        value = normalize(x, n);
    }
    return value;
}

static void factor(const st_bsr *a, st_matrix_summary *summary) {
    const size_t n = (size_t)a->rows;
    st_ldl *ldl = st_ldl_create();
    st_real *x = st_alloc(n, sizeof *x), *y = st_alloc(n, sizeof *y);
    if (ldl && x && y && st_ldl_analyze(ldl, NULL, a, ST_ORDERING_AMD, ST_LDL_LATER_ROW) == ST_OK) {
        summary->factor_entries = st_ldl_entries(ldl) + n;
        summary->factored = st_ldl_factor(ldl, NULL, a, NULL) == ST_OK;
    }
    if (summary->factored) {
        for (size_t i = 0; i < n; i++) {
            summary->positive += st_ldl_inverse_pivot(ldl, i) > 0;
            summary->negative += st_ldl_inverse_pivot(ldl, i) < 0;
        }
        summary->condition = largest_eigenvalue(a, NULL, x, y) * largest_eigenvalue(a, ldl, x, y);
    }
    st_free(x);
    st_free(y);
    st_ldl_free(ldl);
}

st_status st_matrix_summarize(const st_matrix_view *matrix, st_matrix_summary *summary) {
    *summary = (st_matrix_summary){.rows = matrix->rows, .cols = matrix->cols};
    if (matrix->rows == 0 || matrix->cols == 0) {
        summary->symmetric = true;
        return ST_OK;
    }
    const st_bsr whole = st_bsr_of_view(matrix);
    st_bsr scalar = {0};
    const st_status status = st_bsr_copy_nonzeros(&scalar, &whole);
    if (status != ST_OK) return status;
    summary->entries = st_bsr_count(&scalar);
    summary->norm = st_bsr_norm(&scalar);
    if (matrix->rows == matrix->cols && summary->norm > 0)
        summary->symmetry_error = st_bsr_symmetry_error(&scalar) / summary->norm;
    summary->symmetric = matrix->rows == matrix->cols && summary->symmetry_error <= 1000 * ST_REAL_EPSILON;
    count_rows(&scalar, summary);
    if (summary->symmetric && summary->zero_rows == 0) factor(&scalar, summary);
    st_bsr_free(&scalar);
    return ST_OK;
}
