// Symmetric successive over-relaxation as a preconditioner. With A = L + D + U and 0 < ω < 2,
//
//     P = 1/(2-ω) (D/ω + U) (D/ω)⁻¹ (D/ω + L)
//
// so z = P⁻¹ r by a backward and a forward sweep:
//
//     t_j = (r_j - Σ_{i>j} a_ji t_i) ω/a_jj,     z_j = t_j - (Σ_{i<j} a_ji z_i) ω/a_jj,     z = (2-ω) z.
//
// (SOFA leaves out the last factor in its template of 3 x 3 blocks, which only changes when a solve stops.)
//
// SPDX-License-Identifier: Apache-2.0
#include <tgmath.h>

#include "base/array.h"
#include "solver/linear_solver.h"

typedef struct ssor {
    st_linear_solver solver;
    st_real omega;
    bool verbose;

    st_reals scale;           // ω / a_jj
    ST_LIST(size_t) diagonal; // slot of the diagonal block of each row
} ssor;

enum { LARGEST_BLOCK = 6 };

static st_status ssor_preconditioner_init(st_object *object) {
    const ssor *self = (const ssor *)object;
    if (!(self->omega > 0 && self->omega < 2))
        return st_invalid(object, "omega is %g: it must be above 0 and below 2", (double)self->omega);
    return st_linear_solver_class.init(object);
}

static st_status ssor_preconditioner_invert(st_linear_solver *solver) {
    ssor *self = (ssor *)solver;
    const st_bsr *matrix = st_linear_solver_matrix(solver);
    if (!matrix) return ST_FAILED;

    if (st_linear_solver_is_symmetry_due(solver)) st_linear_solver_warn_unsymmetric(solver, matrix);
    const size_t rows = (size_t)matrix->rows, b = st_bsr_block(matrix);
    if (!st_list_set_count(&self->scale, rows * b, 1) || !st_list_set_count(&self->diagonal, rows, 1)) {
        st_message(&solver->object, ST_ERROR, "out of memory for a diagonal of %zu numbers", rows * b);
        return ST_OUT_OF_MEMORY;
    }

    // ω / a_jj, and where the diagonal blocks are
    for (size_t row = 0; row < rows; row++) {
        const size_t slot = st_bsr_find(matrix, (int32_t)row, (int32_t)row);
        self->diagonal.data[row] = slot;
        for (size_t r = 0; r < b; r++) {
            const st_real diagonal = slot == SIZE_MAX ? 0 : matrix->values[slot * b * b + r * (b + 1)];
            if (diagonal == 0 || !isfinite(diagonal)) {
                st_linear_solver_report_row(solver, ST_ERROR, row * b + r, "the diagonal entry is 0 or not finite");
                return ST_FAILED;
            }
            self->scale.data[row * b + r] = self->omega / diagonal;
        }
    }

    return ST_OK;
}

// sum += the blocks of slots [begin, end) times x
static inline void add_blocks(const st_bsr *matrix, size_t b, size_t begin, size_t end, const st_real *x,
                              st_real *sum) {
    for (size_t s = begin; s < end; s++) {
        const st_real *a = &matrix->values[s * b * b], *v = &x[(size_t)matrix->columns[s] * b];
        for (size_t r = 0; r < b; r++)
            for (size_t c = 0; c < b; c++) sum[r] += a[r * b + c] * v[c];
    }
}

static inline void sweep(const ssor *self, const st_bsr *matrix, size_t b, const st_real *rhs, st_real *z) {
    const size_t rows = (size_t)matrix->rows;

    // backward: t_j = (r_j - Σ_{i>j} a_ji t_i) ω/a_jj
    for (size_t row = rows; row-- > 0;) {
        st_real sum[LARGEST_BLOCK] = {0};
        const size_t slot = self->diagonal.data[row];
        const st_real *a = &matrix->values[slot * b * b];
        add_blocks(matrix, b, slot + 1, matrix->starts[row + 1], z, sum);

        // within the block
        for (size_t r = b; r-- > 0;) {
            for (size_t c = r + 1; c < b; c++) sum[r] += a[r * b + c] * z[row * b + c];
            z[row * b + r] = (rhs[row * b + r] - sum[r]) * self->scale.data[row * b + r];
        }
    }

    // forward: z_j = t_j - (Σ_{i<j} a_ji z_i) ω/a_jj
    for (size_t row = 0; row < rows; row++) {
        st_real sum[LARGEST_BLOCK] = {0};
        const size_t slot = self->diagonal.data[row];
        const st_real *a = &matrix->values[slot * b * b];
        add_blocks(matrix, b, matrix->starts[row], slot, z, sum);

        // within the block
        for (size_t r = 0; r < b; r++) {
            for (size_t c = 0; c < r; c++) sum[r] += a[r * b + c] * z[row * b + c];
            z[row * b + r] -= sum[r] * self->scale.data[row * b + r];
        }
    }
}

static st_status ssor_preconditioner_solve(st_linear_solver *solver) {
    const ssor *self = (const ssor *)solver;
    st_system *system = solver->system;
    const st_bsr *matrix = st_linear_solver_matrix(solver);
    if (!matrix || self->diagonal.count != (size_t)matrix->rows) return ST_FAILED;

    switch (st_bsr_block(matrix)) {
    case 1: sweep(self, matrix, 1, system->rhs, system->solution); break;
    case 3: sweep(self, matrix, 3, system->rhs, system->solution); break;
    default: sweep(self, matrix, st_bsr_block(matrix), system->rhs, system->solution); break;
    }

    if (self->omega != 1)
        for (size_t i = 0; i < system->size; i++) system->solution[i] *= 2 - self->omega;
    return ST_OK;
}

static void ssor_preconditioner_destroy(st_object *object) {
    st_list_free(&((ssor *)object)->scale);
    st_list_free(&((ssor *)object)->diagonal);
}

static const st_field fields[] = {
    ST_FIELD(ssor, omega, "omega", st_type_real, "1", "relaxation, above 0 and below 2"),
    ST_FIELD(ssor, verbose, "verbose", st_type_bool, "0", "it says nothing more",
             .flags = ST_FIELD_DEPRECATED | ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static const st_linear_solver_ops ops = {.invert = ssor_preconditioner_invert, .solve = ssor_preconditioner_solve};

const st_class st_ssor_preconditioner_class = {
    .name = "SSORPreconditioner",
    .help = "preconditioner by symmetric successive over-relaxation",
    .parent = &st_linear_solver_class,
    .templates = "CompressedRowSparseMatrixd CompressedRowSparseMatrixMat3x3d",
    .default_template = "CompressedRowSparseMatrixd",
    .fields = fields,
    .size = sizeof(ssor),
    .example = "<EulerImplicitSolver/>\n"
               "<PCGLinearSolver iterations=\"50\" tolerance=\"1e-9\" preconditioner=\"@ssor\"/>\n"
               "<SSORPreconditioner name=\"ssor\" omega=\"1.2\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<SpringForceField spring=\"0 1 100 1 0.9\"/>",
    .init = ssor_preconditioner_init,
    .destroy = ssor_preconditioner_destroy,
    .linear_solver = &ops,
};
