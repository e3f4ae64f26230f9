// DenseLinearSolver: an example of a linear solver in a plug-in. It copies the matrix of its system into a dense array
// and eliminates with row pivoting: slow, and right for any matrix that is not singular.
//
// A solver sees its system through settee/plugin/solver.h and the matrix through settee/matrix.h; nothing else of
// settee has to know it.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <tgmath.h>

#include "settee/matrix.h"
#include "settee/plugin/solver.h"

typedef struct dense_solver {
    st_linear_solver solver; // the base comes first
    size_t size;
    st_real *matrix; // row-major, factored in place: L below the diagonal, U above
    size_t *pivots;  // row that was exchanged with row k
} dense_solver;

static bool dense_resize(dense_solver *self, size_t n) {
    if (self->matrix && self->size == n) return true;

    free(self->matrix);
    free(self->pivots);
    self->matrix = calloc(n * n + 1, sizeof *self->matrix);
    self->pivots = calloc(n + 1, sizeof *self->pivots);
    self->size = n;

    if (self->matrix && self->pivots) return true;
    free(self->matrix);
    free(self->pivots);
    self->matrix = NULL;
    self->pivots = NULL;
    self->size = 0;
    return false;
}

static void dense_copy(dense_solver *self, const st_matrix_view *a) {
    const size_t n = self->size, b = (size_t)a->block;
    for (size_t k = 0; k < n * n; k++) self->matrix[k] = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t s = a->starts[i / b]; s < a->starts[i / b + 1]; s++)
            for (size_t c = 0; c < b; c++)
                self->matrix[i * n + (size_t)a->columns[s] * b + c] = a->values[s * b * b + i % b * b + c];
}

static void dense_linear_solver_exchange(st_real *a, st_real *b, size_t count) {
    for (size_t k = 0; k < count; k++) {
        const st_real t = a[k];
        a[k] = b[k];
        b[k] = t;
    }
}

static bool dense_factor(dense_solver *self) {
    const size_t n = self->size;
    st_real *a = self->matrix;
    for (size_t k = 0; k < n; k++) {
        // the row with the largest entry of column k becomes row k
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
        if (a[best * n + k] == 0) {
            st_message(&self->solver.object, ST_ERROR, "the matrix is singular: column %zu has no pivot", k);
            return false;
        }

        self->pivots[k] = best;
        if (best != k) dense_linear_solver_exchange(a + k * n, a + best * n, n);

        // a_i -= l a_k, with l = a_ik / a_kk kept in the place of the zero
        for (size_t i = k + 1; i < n; i++) {
            const st_real l = a[i * n + k] /= a[k * n + k];
            for (size_t j = k + 1; j < n; j++) a[i * n + j] -= l * a[k * n + j];
        }
    }
    return true;
}

// Called when the system was built since the last time.
static st_status dense_invert(st_linear_solver *solver) {
    dense_solver *self = (dense_solver *)solver;
    st_matrix_view a;
    const st_status status = st_system_matrix(solver->system, ST_MATRIX_A, &a);
    if (status != ST_OK) return status;

    if (!dense_resize(self, a.rows)) return ST_OUT_OF_MEMORY;
    dense_copy(self, &a);
    return dense_factor(self) ? ST_OK : ST_FAILED;
}

static st_status dense_solve(st_linear_solver *solver) {
    const dense_solver *self = (const dense_solver *)solver;
    const size_t n = self->size;
    st_real *x = solver->system->solution;

    // x = P b
    for (size_t i = 0; i < n; i++) x[i] = solver->system->rhs[i];
    for (size_t k = 0; k < n; k++) dense_linear_solver_exchange(x + k, x + self->pivots[k], self->pivots[k] != k);

    // L y = x, then U x = y
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) x[i] -= self->matrix[i * n + j] * x[j];
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++) x[i] -= self->matrix[i * n + j] * x[j];
        x[i] /= self->matrix[i * n + i];
    }
    return ST_OK;
}

static void dense_destroy(st_object *object) {
    free(((dense_solver *)object)->matrix);
    free(((dense_solver *)object)->pivots);
}

static const st_linear_solver_ops ops = {.invert = dense_invert, .solve = dense_solve};

extern const st_class example_dense_linear_solver_class;
const st_class example_dense_linear_solver_class = {
    .name = "DenseLinearSolver",
    .help = "solves by dense elimination",
    .parent = &st_linear_solver_class,
    .templates = "CompressedRowSparseMatrixd",
    .default_template = "CompressedRowSparseMatrixd",
    .size = sizeof(dense_solver),
    .destroy = dense_destroy,
    .linear_solver = &ops,
};
