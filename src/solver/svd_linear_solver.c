// Direct solver by the singular value decomposition of the dense matrix, for any system, singular ones as well:
//
//     A = U Σ Vᵀ,   x = V Σ⁺ Uᵀ b      Σ⁺ = 1/σ, or 0 where σ ≤ minSingularValue
//
// SPDX-License-Identifier: Apache-2.0
#include <lapacke.h>
#include <tgmath.h>

#include "base/array.h"
#include "linalg/blas_threads.h"
#include "scene/scene.h"
#include "solver/linear_solver.h"

typedef struct svd_linear_solver {
    st_linear_solver solver;
    st_real min_singular_value;
    st_real condition_number;
    bool verbose;

    size_t size;
    st_reals matrix, u, vt, singular, work; // n², n², n², n, n
} svd_linear_solver;

// A dense decomposition of more unknowns takes hours and tens of gigabytes.
enum { MOST_UNKNOWNS = 20000 };

static st_status svd_init(st_object *object) {
    svd_linear_solver *self = (svd_linear_solver *)object;
    if (!(self->min_singular_value >= 0)) return st_invalid(object, "minSingularValue must not be negative");
    return st_linear_solver_class.init(object);
}

static bool svd_reserve(svd_linear_solver *self, size_t n) {
    return st_list_set_count(&self->matrix, n * n, 1) && st_list_set_count(&self->u, n * n, 1) &&
           st_list_set_count(&self->vt, n * n, 1) && st_list_set_count(&self->singular, n, 1) &&
           st_list_set_count(&self->work, n, 1);
}

static lapack_int decompose(svd_linear_solver *self, lapack_int n) {
#ifdef SETTEE_REAL_FLOAT
    return LAPACKE_sgesdd(LAPACK_ROW_MAJOR, 'A', n, n, self->matrix.data, n, self->singular.data, self->u.data, n,
                          self->vt.data, n);
#else
    return LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'A', n, n, self->matrix.data, n, self->singular.data, self->u.data, n,
                          self->vt.data, n);
#endif
}

// Once: the unknown that moves most when nothing in the system resists.
static void warn_singular(svd_linear_solver *self) {
    if (!st_first_time(&self->solver.object, "singular")) return;
    const size_t n = self->size;
    const st_real *motion = self->vt.data + (n - 1) * n;
    size_t most = 0;

    // the right singular vector of the smallest singular value
    for (size_t i = 1; i < n; i++)
        if (fabs(motion[i]) > fabs(motion[most])) most = i;
    st_linear_solver_report_row(&self->solver, ST_WARNING, most,
                                "the matrix is singular, or nearly so: singular values that are not above "
                                "minSingularValue are treated as 0. It is weakest");
}

static void svd_report(svd_linear_solver *self) {
    const size_t n = self->size;
    const st_real largest = self->singular.data[0], smallest = self->singular.data[n - 1];

    self->condition_number = smallest > 0 ? largest / smallest : ST_REAL_MAX;
    st_touch(&self->solver.object, &self->condition_number);

    // singular values come in decreasing order
    size_t dropped = 0;
    while (dropped < n && self->singular.data[n - 1 - dropped] <= self->min_singular_value) dropped++;
    if (dropped > 0 || smallest <= ST_REAL_EPSILON * (st_real)n * largest) warn_singular(self);

    if (!self->verbose) return;
    st_message(&self->solver.object, ST_NOTICE,
               "singular values from %g to %g, condition number %g; %zu of %zu are treated as 0", (double)smallest,
               (double)largest, (double)self->condition_number, dropped, n);
}

static st_status svd_invert(st_linear_solver *solver) {
    svd_linear_solver *self = (svd_linear_solver *)solver;
    const st_bsr *matrix = st_linear_solver_matrix(solver);
    const size_t n = solver->system->size;

    self->size = 0;
    if (!matrix || !st_linear_solver_check_finite(solver, matrix)) return ST_FAILED;

    if (n > MOST_UNKNOWNS) {
        st_message(&solver->object, ST_ERROR,
                   "%zu unknowns are too many for a dense decomposition: at most %d. EigenSparseLU or EigenSparseQR "
                   "solve such systems",
                   n, MOST_UNKNOWNS);
        return ST_FAILED;
    }

    if (!svd_reserve(self, n)) {
        st_message(&solver->object, ST_ERROR, "out of memory for the decomposition of a dense %zu x %zu matrix", n, n);
        return ST_OUT_OF_MEMORY;
    }

    // A = U Σ Vᵀ, in one thread of BLAS: same bits on any number of cores
    st_bsr_to_dense(matrix, self->matrix.data);
    st_blas_begin();
    const lapack_int failed = decompose(self, (lapack_int)n);
    st_blas_end();

    if (failed) {
        st_message(&solver->object, ST_ERROR, "the singular value decomposition does not converge");
        return ST_FAILED;
    }

    self->size = n;
    svd_report(self);
    return ST_OK;
}

static st_status svd_solve(st_linear_solver *solver) {
    svd_linear_solver *self = (svd_linear_solver *)solver;
    const size_t n = self->size;
    if (n != solver->system->size) return ST_FAILED;
    const st_real *b = solver->system->rhs, *u = self->u.data, *vt = self->vt.data;
    st_real *x = solver->system->solution, *y = self->work.data;

    for (size_t k = 0; k < n; k++) y[k] = x[k] = 0;

    // y = Σ⁺ Uᵀ b
    for (size_t i = 0; i < n; i++)

        // x = V y
        for (size_t k = 0; k < n; k++) y[k] += u[i * n + k] * b[i];
    for (size_t k = 0; k < n; k++)
        y[k] = self->singular.data[k] > self->min_singular_value ? y[k] / self->singular.data[k] : 0;
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++) x[i] += vt[k * n + i] * y[k];

    return ST_OK;
}

static void svd_destroy(st_object *object) {
    svd_linear_solver *self = (svd_linear_solver *)object;
    st_list_free(&self->matrix);
    st_list_free(&self->u);
    st_list_free(&self->vt);
    st_list_free(&self->singular);
    st_list_free(&self->work);
}

static const st_field fields[] = {
    ST_FIELD(svd_linear_solver, min_singular_value, "minSingularValue", st_type_real, "1e-6",
             "singular values that are not above it are treated as 0"),
    ST_FIELD(svd_linear_solver, condition_number, "conditionNumber", st_type_real, "0",
             "largest over smallest singular value", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(svd_linear_solver, verbose, "verbose", st_type_bool, "0", "tell the singular values of each matrix"),
    ST_FIELDS_END,
};

static const st_linear_solver_ops ops = {.invert = svd_invert, .solve = svd_solve};

const st_class st_svd_linear_solver_class = {
    .name = "SVDLinearSolver",
    .help = "direct solver by a dense singular value decomposition, for any system",
    .parent = &st_linear_solver_class,
    .templates = "CompressedRowSparseMatrixMat3x3d CompressedRowSparseMatrixd FullMatrix",
    .default_template = "CompressedRowSparseMatrixMat3x3d",
    .fields = fields,
    .size = sizeof(svd_linear_solver),
    .example = "<EulerImplicitSolver/>\n<SVDLinearSolver/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0  0 0 1\"/>\n"
               "<MeshTopology tetrahedra=\"0 1 2 3\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<FixedProjectiveConstraint indices=\"0\"/>\n"
               "<TetrahedronFEMForceField youngModulus=\"500\" poissonRatio=\"0.3\" method=\"large\"/>",
    .init = svd_init,
    .destroy = svd_destroy,
    .linear_solver = &ops,
};
