// Direct solver: sparse P A Pᵀ = L D Lᵀ without pivoting, for symmetric A.
//
// Blocks that are exactly zero are left out. A block that once held a number stays in the pattern, so that the order of
// elimination and the pattern of L are kept although entries come and go with rounding. Of two mirrored entries the one
// in the row that is eliminated later is read.
//
// SPDX-License-Identifier: Apache-2.0
#include "solver/sparse_ldl_solver.h"

#include "scene/scene.h"

static st_status sparse_ldl_parse(st_object *object) {
    if (!st_attribute(object, "template"))
        st_message(object, ST_NOTICE,
                   "template is not given, %s is used. For states of 3 scalars per DOF SOFA suggests "
                   "CompressedRowSparseMatrixMat3x3d; the result is the same",
                   object->template_);
    return ST_OK;
}

static st_status sparse_ldl_init(st_object *object) {
    return st_direct_solver_init((st_direct_solver *)object, ST_DIRECT_LDLT, ST_LDL_LATER_ROW);
}

// The first scalar row without anything but zeros; SIZE_MAX: none.
static size_t find_empty(const st_bsr *a) {
    const size_t b = st_bsr_block(a);
    for (int32_t row = 0; row < a->rows; row++)
        for (size_t r = 0; r < b; r++) {
            bool empty = true;
            for (size_t s = a->starts[row]; s < a->starts[row + 1] && empty; s++)
                for (size_t c = 0; c < b && empty; c++) empty = a->values[(s * b + r) * b + c] == 0;
            if (empty) return (size_t)row * b + r;
        }

    return SIZE_MAX;
}

st_status st_sparse_ldl_solver_invert(st_linear_solver *solver) {
    st_sparse_ldl_solver *self = (st_sparse_ldl_solver *)solver;
    if (st_direct_solver_stands(&self->direct)) return ST_OK;

    const st_bsr *matrix;
    st_status status = st_direct_solver_check(solver, &matrix);
    if (status != ST_OK) return status;

    // a row of zeros
    const size_t empty = find_empty(matrix);
    if (empty != SIZE_MAX) {
        // As in SOFA: the former factorization, if there is one, stays in use.
        st_linear_solver_report_row(solver, ST_WARNING, empty, "invalid linear system: neither mass nor stiffness");
        self->direct.left_out = true;
        return ST_OK;
    }

    // the factorization, and how many entries it has
    if (!self->precompute_symbolic) self->direct.used->forget(self->direct.factor);
    status = st_direct_solver_factor(&self->direct, matrix);
    if (status != ST_OK) return status;

    const size_t entries = self->direct.used->entries(self->direct.factor);
    self->entries = entries < INT32_MAX ? (int32_t)entries : INT32_MAX;
    st_touch(&solver->object, &self->entries);

    return ST_OK;
}

static const st_field fields[] = {
    ST_FIELD(st_sparse_ldl_solver, precompute_symbolic, "precomputeSymbolicDecomposition", st_type_bool, "1",
             "keep order and pattern of the factor while the pattern of the matrix stands"),
    ST_FIELD(st_sparse_ldl_solver, entries, "L_nnz", st_type_int, "0", "entries of L below its diagonal",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(st_sparse_ldl_solver, saving_matrix, "savingMatrixToFile", st_type_string, NULL,
             "a GlobalSystemMatrixExporter writes the matrix", .flags = ST_FIELD_DEPRECATED | ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static const st_linear_solver_ops ops = {.invert = st_sparse_ldl_solver_invert,
                                         .solve = st_direct_solver_solve,
                                         .compliance = st_direct_solver_compliance,
                                         .solve_many = st_direct_solver_solve_many};

const st_class st_sparse_ldl_solver_class = {
    .name = "SparseLDLSolver",
    .help = "direct solver by a sparse LDL factorization, for symmetric systems",
    .parent = &st_direct_solver_class,
    .templates = "CompressedRowSparseMatrixd CompressedRowSparseMatrixMat3x3d",
    .default_template = "CompressedRowSparseMatrixd",
    .fields = fields,
    .size = sizeof(st_sparse_ldl_solver),
    .example = ST_DIRECT_EXAMPLE("SparseLDLSolver", "template='CompressedRowSparseMatrixMat3x3d'"),
    .parse = sparse_ldl_parse,
    .init = sparse_ldl_init,
    .linear_solver = &ops,
};
