// Figures of a matrix: size, entries, symmetry, bandwidth, and by its factorization P A Pᵀ = L D Lᵀ definiteness (the
// signs of D are those of the eigenvalues), fill, and condition. The largest eigenvalue is found by power iteration,
// the smallest by inverse iteration: an estimate from below of the condition number, good to a few percent as a rule.
// Where A is not symmetric, or has no such factorization, LU takes its place, and singular values that of eigenvalues.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/array.h"
#include "io/matrix_file.h"
#include "linalg/blas_threads.h"
#include "linalg/direct.h"
#include "linalg/ldl.h"
#include "system/matrix_view.h"

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

static double matrix_summary_normalize(st_real *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)x[i] * (double)x[i];

    // a vector of zeros stays
    const double length = sqrt(sum);
    for (size_t i = 0; length > 0 && i < n; i++) x[i] = (st_real)((double)x[i] / length);
    return length;
}

// A start that no symmetry of the matrix is likely to be orthogonal to.
static void matrix_summary_start(st_real *x, size_t n) {
    uint32_t seed = 2463534242u;
    for (size_t i = 0; i < n; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        x[i] = (st_real)((double)seed / 4294967296.0 - 0.5);
    }

    matrix_summary_normalize(x, n);
}

// ---- symmetric matrices ---------------------------------------------------------------------------------------------

// |λ|max of A, or of A⁻¹ by its factor.
static double largest_eigenvalue(const st_bsr *a, st_ldl *inverse, st_real *x, st_real *y) {
    const size_t n = (size_t)a->rows;
    double value = 0;
    matrix_summary_start(x, n);

    // x ← A x / |A x|, or by the factor x ← A⁻¹ x / |A⁻¹ x|
    for (int i = 0; i < ITERATIONS; i++) {
        if (inverse) {
            if (st_ldl_solve(inverse, x, y) != ST_OK) return 0;
        } else {
            st_bsr_multiply(a, NULL, x, y);
        }
        st_copy_reals(x, y, n);
        value = matrix_summary_normalize(x, n);
    }

    return value;
}

static void count_signs(const st_ldl *ldl, size_t n, st_matrix_summary *summary) {
    for (size_t i = 0; i < n; i++) {
        summary->positive += st_ldl_inverse_pivot(ldl, i) > 0;
        summary->negative += st_ldl_inverse_pivot(ldl, i) < 0;
    }
}

static st_status factor_symmetric(const st_bsr *a, st_ldl *ldl, st_real *x, st_real *y, st_matrix_summary *summary) {
    const size_t n = (size_t)a->rows;
    st_status status = st_ldl_analyze(ldl, NULL, a, ST_ORDERING_BEST, ST_LDL_LATER_ROW);

    if (status != ST_OK) return status;
    summary->factor_entries = st_ldl_entries(ldl) + n;

    status = st_ldl_factor(ldl, NULL, a, NULL);
    summary->factored = status == ST_OK;
    if (!summary->factored) return status;

    // D has the signs of the eigenvalues; |λ|max |λ⁻¹|max is the condition number
    count_signs(ldl, n, summary);
    summary->condition = largest_eigenvalue(a, NULL, x, y) * largest_eigenvalue(a, ldl, x, y);
    return ST_OK;
}

// ---- any square matrix ----------------------------------------------------------------------------------------------

static st_status transpose(const st_bsr *a, st_bsr *t) {
    const size_t n = (size_t)a->rows, count = st_bsr_count(a);
    size_t *starts = st_alloc(n + 2, sizeof *starts), *next = starts ? starts + 1 : NULL;
    int32_t *columns = st_alloc(count, sizeof *columns);
    st_real *values = st_alloc(count, sizeof *values);

    st_status status = starts && columns && values ? ST_OK : ST_OUT_OF_MEMORY;

    // starts of the rows of Aᵀ by counting; while they are filled, `next` is where each goes on
    for (size_t s = 0; status == ST_OK && s < count; s++) next[a->columns[s] + 1]++;
    for (size_t i = 0; status == ST_OK && i < n; i++) next[i + 1] += next[i];

    for (int32_t i = 0; status == ST_OK && i < a->rows; i++)
        for (size_t s = a->starts[i]; s < a->starts[i + 1]; s++) {
            columns[next[a->columns[s]]] = i;
            values[next[a->columns[s]]++] = a->values[s];
        }

    if (status == ST_OK) status = st_bsr_create(t, 1, a->cols, a->rows, starts, columns);
    if (status == ST_OK) st_copy_reals(t->values, values, count);

    st_free(starts);
    st_free(columns);
    st_free(values);
    return status;
}

typedef struct lu {
    const st_direct_library *library;
    void *of_matrix, *of_transposed;
} lu;

// σmax of A, or of A⁻¹ by its factors: the root of the largest eigenvalue of AᵀA.
static double largest_singular_value(const st_bsr *a, const st_bsr *t, const lu *inverse, st_real *x, st_real *y) {
    const size_t n = (size_t)a->rows;
    double value = 0;
    matrix_summary_start(x, n);

    // x ← AᵀA x normalized: its length goes to σmax²
    for (int i = 0; i < ITERATIONS; i++) {
        if (!inverse) {
            st_bsr_multiply(a, NULL, x, y);
            st_bsr_multiply(t, NULL, y, x);
        } else if (inverse->library->solve(inverse->of_matrix, x, y) != ST_OK ||
                   inverse->library->solve(inverse->of_transposed, y, x) != ST_OK) {
            return 0;
        }
        value = sqrt(matrix_summary_normalize(x, n));
    }

    return value;
}

// A + shift I; the diagonal may have entries that are not stored.
static st_status shifted(const st_bsr *a, double shift, st_bsr *result) {
    const size_t n = (size_t)a->rows;
    size_t *starts = st_alloc(n + 1, sizeof *starts), next = 0;
    int32_t *columns = st_alloc(st_bsr_count(a) + n, sizeof *columns);
    st_status status = starts && columns ? ST_OK : ST_OUT_OF_MEMORY;

    // the pattern of A with all of its diagonal
    for (int32_t i = 0; status == ST_OK && i < a->rows; i++) {
        bool done = false;
        for (size_t s = a->starts[i]; s < a->starts[i + 1]; s++) {
            if (!done && a->columns[s] > i) columns[next++] = i;
            done = done || a->columns[s] >= i;
            columns[next++] = a->columns[s];
        }

        if (!done) columns[next++] = i;
        starts[i + 1] = next;
    }

    // its values, and the shift on the diagonal
    if (status == ST_OK) status = st_bsr_create(result, 1, a->rows, a->cols, starts, columns);
    for (int32_t i = 0; status == ST_OK && i < a->rows; i++) {
        for (size_t s = a->starts[i]; s < a->starts[i + 1]; s++)
            *st_bsr_at(result, (size_t)i, (size_t)a->columns[s]) = a->values[s];
        *st_bsr_at(result, (size_t)i, (size_t)i) += (st_real)shift;
    }

    st_free(starts);
    st_free(columns);
    return status;
}

// A symmetric matrix without LDLᵀ in this order, such as one with zeros on its diagonal, is not definite. With a shift
// that is less than its smallest eigenvalue in absolute value it has the same signs, and a factorization.
static void count_shifted(const st_bsr *a, st_ldl *ldl, double smallest, st_matrix_summary *summary) {
    st_bsr near = {0};
    if (shifted(a, 0.37 * smallest, &near) == ST_OK &&
        st_ldl_analyze(ldl, NULL, &near, ST_ORDERING_BEST, ST_LDL_LATER_ROW) == ST_OK &&
        st_ldl_factor(ldl, NULL, &near, NULL) == ST_OK)
        count_signs(ldl, (size_t)a->rows, summary);

    st_bsr_free(&near);
}

static st_status factor_any(const st_bsr *a, st_ldl *ldl, st_real *x, st_real *y, st_matrix_summary *summary) {
    const st_direct_request request = {.method = ST_DIRECT_LU, .ordering = ST_ORDERING_BEST};
    st_bsr t = {0};
    lu f = {.library = st_direct_find(NULL, ST_DIRECT_LU)};

    size_t unknown;

    // factors of A and of Aᵀ
    f.of_matrix = f.library->create();
    f.of_transposed = f.library->create();
    st_blas_begin();
    st_status status = f.of_matrix && f.of_transposed ? transpose(a, &t) : ST_OUT_OF_MEMORY;
    if (status == ST_OK) status = f.library->factor(f.of_matrix, NULL, a, &request, &unknown);
    if (status == ST_OK) status = f.library->factor(f.of_transposed, NULL, &t, &request, &unknown);

    // condition = σmax(A) σmax(A⁻¹); the signs of a symmetric matrix by a shift below |λ|min
    if (status == ST_OK) {
        const double inverse = largest_singular_value(a, &t, &f, x, y);
        summary->factored = true;
        if (!summary->symmetric) summary->factor_entries = f.library->entries(f.of_matrix);
        summary->condition = largest_singular_value(a, &t, NULL, x, y) * inverse;
        if (summary->symmetric && inverse > 0) count_shifted(a, ldl, 1 / inverse, summary);
    }

    st_blas_end();
    f.library->destroy(f.of_matrix);
    f.library->destroy(f.of_transposed);
    st_bsr_free(&t);
    return status;
}

// A matrix that cannot be factored is singular, unless memory ran out.
static st_status matrix_summary_factor(const st_bsr *a, st_matrix_summary *summary) {
    const size_t n = (size_t)a->rows;
    st_ldl *ldl = st_ldl_create();
    st_real *x = st_alloc(n, sizeof *x), *y = st_alloc(n, sizeof *y);
    st_status status = ldl && x && y ? ST_FAILED : ST_OUT_OF_MEMORY;

    // LDLᵀ where A is symmetric and has one, else LU
    if (status == ST_FAILED && summary->symmetric) status = factor_symmetric(a, ldl, x, y, summary);
    if (status != ST_OK && status != ST_OUT_OF_MEMORY) status = factor_any(a, ldl, x, y, summary);

    st_free(x);
    st_free(y);
    st_ldl_free(ldl);
    return status == ST_OUT_OF_MEMORY ? status : ST_OK;
}

// ---------------------------------------------------------------------------------------------------------------------

st_status st_summarize_matrix(const st_matrix_view *matrix, st_matrix_summary *summary) {
    *summary = (st_matrix_summary){.rows = matrix->rows, .cols = matrix->cols};
    if (matrix->rows == 0 || matrix->cols == 0) {
        summary->symmetric = true;
        return ST_OK;
    }

    const st_bsr whole = st_bsr_of_view(matrix);
    st_bsr scalar = {0};
    st_status status = st_bsr_copy_nonzeros(&scalar, &whole);
    if (status != ST_OK) return status;

    // size, symmetry, bandwidth
    summary->entries = st_bsr_count(&scalar);
    summary->norm = st_bsr_norm(&scalar);
    if (matrix->rows == matrix->cols && summary->norm > 0)
        summary->symmetry_error = st_bsr_symmetry_error(&scalar) / summary->norm;
    summary->symmetric = matrix->rows == matrix->cols && summary->symmetry_error <= 1000 * ST_REAL_EPSILON;
    count_rows(&scalar, summary);

    // an empty row makes it singular: no need to factor
    if (matrix->rows == matrix->cols && summary->zero_rows == 0) status = matrix_summary_factor(&scalar, summary);
    st_bsr_free(&scalar);
    return status;
}
