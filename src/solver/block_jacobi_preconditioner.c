// Block Jacobi preconditioner: z_B = A_BB⁻¹ r_B for every three consecutive unknowns B. Where the number of unknowns is
// no multiple of three the last block is the smaller one that is left.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "linalg/vector.h"
#include "math/mat3.h"
#include "solver/linear_solver.h"

typedef struct block_jacobi {
    st_linear_solver solver;
    bool verbose;
    st_reals inverse; // 9 reals a block, row-major
} block_jacobi;

static st_status block_jacobi_preconditioner_init(st_object *object) {
    return st_linear_solver_init(object, "MatrixLinearSystem", "BlockDiagonalMatrixMat3x3d");
}

// Block i of the diagonal, filled up with the identity's entries beyond the end.
static void take_block(const st_bsr *matrix, size_t n, size_t i, st_real block[9]) {
    if (st_bsr_block(matrix) == 3) {
        const size_t slot = st_bsr_find(matrix, (int32_t)i, (int32_t)i);
        for (size_t k = 0; k < 9; k++) block[k] = slot == SIZE_MAX ? 0 : matrix->values[9 * slot + k];
        return;
    }

    // blocks of another size: scalar by scalar
    for (size_t r = 0; r < 3; r++)
        for (size_t c = 0; c < 3; c++) {
            const bool inside = 3 * i + r < n && 3 * i + c < n;
            block[3 * r + c] = inside ? st_bsr_get(matrix, 3 * i + r, 3 * i + c) : r == c ? 1 : 0;
        }
}

static st_status block_jacobi_preconditioner_invert(st_linear_solver *solver) {
    block_jacobi *self = (block_jacobi *)solver;
    const st_bsr *matrix = st_linear_solver_matrix(solver);
    if (!matrix) return ST_FAILED;
    const size_t n = solver->system->size, blocks = (n + 2) / 3;

    if (!st_list_set_count(&self->inverse, 9 * blocks, 1)) {
        st_message(&solver->object, ST_ERROR, "out of memory for %zu blocks", blocks);
        return ST_OUT_OF_MEMORY;
    }

    // A_BB⁻¹, block by block
    for (size_t i = 0; i < blocks; i++) {
        st_real block[9];
        take_block(matrix, n, i, block);
        st_real *inverse = self->inverse.data + 9 * i;
        if (st_mat3_inverse_above(inverse, block, 0) && st_vector_is_finite(9, inverse)) continue;
        st_linear_solver_report_row(solver, ST_ERROR, 3 * i, "the diagonal block is singular or not finite");
        return ST_FAILED;
    }

    return ST_OK;
}

static st_status block_jacobi_preconditioner_solve(st_linear_solver *solver) {
    const st_real *inverse = ((const block_jacobi *)solver)->inverse.data;
    st_system *system = solver->system;
    const size_t n = system->size;

    // z_B = A_BB⁻¹ r_B
    for (size_t i = 0; i < n; i += 3, inverse += 9)
        for (size_t r = 0; r < 3 && i + r < n; r++) {
            st_real sum = 0;
            for (size_t c = 0; c < 3 && i + c < n; c++) sum += inverse[3 * r + c] * system->rhs[i + c];
            system->solution[i + r] = sum;
        }

    return ST_OK;
}

static void block_jacobi_preconditioner_destroy(st_object *object) { st_list_free(&((block_jacobi *)object)->inverse); }

static const st_field fields[] = {
    ST_FIELD(block_jacobi, verbose, "verbose", st_type_bool, "0", "it says nothing more",
             .flags = ST_FIELD_DEPRECATED | ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static const st_linear_solver_ops ops = {.invert = block_jacobi_preconditioner_invert,
                                         .solve = block_jacobi_preconditioner_solve};

const st_class st_block_jacobi_preconditioner_class = {
    .name = "BlockJacobiPreconditioner",
    .help = "preconditioner that inverts the 3 x 3 blocks on the diagonal of the matrix",
    .parent = &st_linear_solver_class,
    .templates = "FullVector", // SOFA names it after its vectors; the system has BlockDiagonalMatrixMat3x3d
    .default_template = "FullVector",
    .fields = fields,
    .size = sizeof(block_jacobi),
    .example = "<EulerImplicitSolver/>\n"
               "<PCGLinearSolver iterations=\"50\" tolerance=\"1e-9\" preconditioner=\"@blocks\"/>\n"
               "<BlockJacobiPreconditioner name=\"blocks\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<SpringForceField spring=\"0 1 100 1 0.9\"/>",
    .init = block_jacobi_preconditioner_init,
    .destroy = block_jacobi_preconditioner_destroy,
    .linear_solver = &ops,
};
