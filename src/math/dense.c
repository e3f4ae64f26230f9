// Small dense matrices: textbook algorithms (Golub and Van Loan), written for clarity.
//
// SPDX-License-Identifier: Apache-2.0
#include "math/dense.h"

#include <string.h>

enum { MAX_JACOBI_SWEEPS = 60 };

static void dense_exchange(st_real *a, st_real *b) {
    const st_real t = *a;
    *a = *b;
    *b = t;
}

static void exchange_rows(st_real *a, size_t size, size_t i, size_t j) {
    if (i == j) return;
    for (size_t k = 0; k < size; k++) dense_exchange(&a[size * i + k], &a[size * j + k]);
}

static void exchange_columns(st_real *a, size_t size, size_t i, size_t j) {
    if (i == j) return;
    for (size_t k = 0; k < size; k++) dense_exchange(&a[size * k + i], &a[size * k + j]);
}

// --- LU -------------------------------------------------------------------------------------------------------------

static size_t largest_in_column(const st_real *a, size_t size, size_t k) {
    size_t best = k;
    for (size_t i = k + 1; i < size; i++)
        if (fabs(a[size * i + k]) > fabs(a[size * best + k])) best = i;
    return best;
}

// Elimination of column k below its pivot.
static void dense_eliminate(st_real *a, size_t size, size_t k) {
    const st_real *pivot_row = a + size * k;

    for (size_t i = k + 1; i < size; i++) {
        st_real *row = a + size * i;
        row[k] /= pivot_row[k];
        for (size_t j = k + 1; j < size; j++) row[j] -= row[k] * pivot_row[j];
    }
}

bool st_dense_factor(st_real *a, uint32_t *pivots, size_t size) {
    for (size_t k = 0; k < size; k++) {
        // P A = L U with partial pivoting; L below the diagonal, U above
        const size_t pivot = largest_in_column(a, size, k);
        if (!(fabs(a[size * pivot + k]) > 0)) return false;

        pivots[k] = (uint32_t)pivot;
        exchange_rows(a, size, k, pivot);
        dense_eliminate(a, size, k);
    }
    return true;
}

// L y = x (unit diagonal), then U x = y.
static void substitute(st_real *x, const st_real *factors, size_t size) {
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < i; j++) x[i] -= factors[size * i + j] * x[j];

    for (size_t i = size; i-- > 0;) {
        for (size_t j = i + 1; j < size; j++) x[i] -= factors[size * i + j] * x[j];
        x[i] /= factors[size * i + i];
    }
}

void st_dense_solve_factored(st_real *x, const st_real *factors, const uint32_t *pivots, size_t size) {
    for (size_t k = 0; k < size; k++) dense_exchange(&x[k], &x[pivots[k]]);
    substitute(x, factors, size);
}

// --- inverse --------------------------------------------------------------------------------------------------------

static void largest_below(const st_real *a, size_t size, size_t k, size_t *row, size_t *column) {
    *row = *column = k;

    for (size_t i = k; i < size; i++)
        for (size_t j = k; j < size; j++)
            if (fabs(a[size * i + j]) > fabs(a[size * *row + *column])) {
                *row = i;
                *column = j;
            }
}

// Exchanges the unknown of column k with the right-hand side of row k: the step of Gauss-Jordan done in place.
static void pivot_in_place(st_real *a, size_t size, size_t k) {
    // row k is solved for its unknown
    const st_real pivot = a[size * k + k];
    a[size * k + k] = 1;
    for (size_t j = 0; j < size; j++) a[size * k + j] /= pivot;

    // which is put into the other rows
    for (size_t i = 0; i < size; i++) {
        if (i == k) continue;
        const st_real factor = a[size * i + k];
        a[size * i + k] = 0;
        for (size_t j = 0; j < size; j++) a[size * i + j] -= factor * a[size * k + j];
    }
}

bool st_dense_inverse(st_real *inverse, const st_real *a, size_t size) {
    st_real work[ST_DENSE_SMALL * ST_DENSE_SMALL];
    size_t rows[ST_DENSE_SMALL], columns[ST_DENSE_SMALL];
    if (size > ST_DENSE_SMALL) return false;

    // Gauss-Jordan with full pivoting
    memcpy(work, a, size * size * sizeof *a);
    for (size_t k = 0; k < size; k++) {
        largest_below(work, size, k, &rows[k], &columns[k]);
        if (!(fabs(work[size * rows[k] + columns[k]]) > ST_REAL_EPSILON)) return false;

        exchange_rows(work, size, k, rows[k]);
        exchange_columns(work, size, k, columns[k]);
        pivot_in_place(work, size, k);
    }

    // Undo: (P A Q)⁻¹ = Q⁻¹ A⁻¹ P^-1, so the columns' exchanges come back on rows and the rows' on columns.
    for (size_t k = size; k-- > 0;) {
        exchange_rows(work, size, k, columns[k]);
        exchange_columns(work, size, k, rows[k]);
    }
    memcpy(inverse, work, size * size * sizeof *a);
    return true;
}

// --- eigenvalues ----------------------------------------------------------------------------------------------------

// The rotation in the plane (p, q) that makes a[p][q] vanish, applied to a on both sides and to the vectors.
static void jacobi_rotate(st_real *a, st_real *v, size_t size, size_t p, size_t q) {
    // the smaller of the two angles: t = tan
    const st_real slope = (a[size * q + q] - a[size * p + p]) / (2 * a[size * p + q]);
    const st_real t = (slope < 0 ? -1 : 1) / (fabs(slope) + sqrt(slope * slope + 1));
    const st_real c = 1 / sqrt(t * t + 1), s = t * c;

    // columns, then rows and vectors
    for (size_t k = 0; k < size; k++) {
        const st_real left = a[size * k + p], right = a[size * k + q];
        a[size * k + p] = c * left - s * right;
        a[size * k + q] = s * left + c * right;
    }
    for (size_t k = 0; k < size; k++) {
        const st_real top = a[size * p + k], bottom = a[size * q + k];
        a[size * p + k] = c * top - s * bottom;
        a[size * q + k] = s * top + c * bottom;

        const st_real left = v[size * k + p], right = v[size * k + q];
        v[size * k + p] = c * left - s * right;
        v[size * k + q] = s * left + c * right;
    }

    a[size * p + q] = a[size * q + p] = 0;
}

// One sweep over all pairs; true when some entry was still worth a rotation.
static bool jacobi_sweep(st_real *a, st_real *v, size_t size) {
    bool rotated = false;
    for (size_t p = 0; p < size; p++)
        for (size_t q = p + 1; q < size; q++) {
            const st_real off = fabs(a[size * p + q]), sum = fabs(a[size * p + p]) + fabs(a[size * q + q]);

            // below the last digit of its diagonal entries a rotation changes nothing
            if (off == 0 || off + sum == sum) continue;

            jacobi_rotate(a, v, size, p, q);
            rotated = true;
        }
    return rotated;
}

static void sort_ascending(st_real *values, st_real *vectors, size_t size) {
    for (size_t i = 0; i < size; i++) {
        size_t best = i;
        for (size_t j = i + 1; j < size; j++)
            if (values[j] < values[best]) best = j;

        dense_exchange(&values[i], &values[best]);
        exchange_columns(vectors, size, i, best);
    }
}

bool st_dense_eigen(st_real *values, st_real *vectors, st_real *a, size_t size) {
    memset(vectors, 0, size * size * sizeof *vectors);
    for (size_t i = 0; i < size; i++) vectors[size * i + i] = 1;

    // A ← Gᵀ A G, V ← V G with rotations G until A is diagonal
    int sweeps = 0;
    while (jacobi_sweep(a, vectors, size))
        if (++sweeps == MAX_JACOBI_SWEEPS) return false;

    for (size_t i = 0; i < size; i++) values[i] = a[size * i + i];
    sort_ascending(values, vectors, size);
    return true;
}

void st_dense_project_negative(st_real *a, size_t size) {
    st_real values[ST_DENSE_SMALL], vectors[ST_DENSE_SMALL * ST_DENSE_SMALL], work[ST_DENSE_SMALL * ST_DENSE_SMALL];

    // eigenvalues of (A + Aᵀ) / 2
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++) work[i * size + j] = (a[i * size + j] + a[j * size + i]) / 2;
    const bool ok = st_dense_eigen(values, vectors, work, size);

    // Σ of those below zero, λ v vᵀ
    memset(a, 0, size * size * sizeof *a);
    for (size_t k = 0; ok && k < size; k++)
        for (size_t i = 0; values[k] < 0 && i < size; i++)
            for (size_t j = 0; j < size; j++)
                a[i * size + j] += vectors[i * size + k] * values[k] * vectors[j * size + k];
}

void st_dense_multiply(st_real *r, const st_real *a, const st_real *b, size_t rows, size_t inner, size_t columns) {
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) {
            st_real sum = 0;
            for (size_t k = 0; k < inner; k++) sum += a[inner * i + k] * b[columns * k + j];
            r[columns * i + j] = sum;
        }
}
