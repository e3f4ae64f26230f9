// Jacobi's preconditioner: z_i = r_i / a_ii.
//
// SPDX-License-Identifier: Apache-2.0
#include <tgmath.h>

#include "base/array.h"
#include "solver/linear_solver.h"

typedef struct jacobi {
    st_linear_solver solver;
    bool verbose;
    st_reals inverse; // 1 / a_ii
} jacobi;

static st_status jacobi_preconditioner_invert(st_linear_solver *solver) {
    jacobi *self = (jacobi *)solver;
    const st_bsr *matrix = st_linear_solver_matrix(solver);
    if (!matrix) return ST_FAILED;
    const size_t n = solver->system->size;

    if (!st_list_set_count(&self->inverse, n, 1)) {
        st_message(&solver->object, ST_ERROR, "out of memory for a diagonal of %zu numbers", n);
        return ST_OUT_OF_MEMORY;
    }

    // 1 / a_ii
    for (size_t i = 0; i < n; i++) {
        const st_real diagonal = st_bsr_get(matrix, i, i);
        if (diagonal == 0 || !isfinite(diagonal)) {
            st_linear_solver_report_row(solver, ST_ERROR, i, "the diagonal entry is 0 or not finite");
            return ST_FAILED;
        }
        self->inverse.data[i] = 1 / diagonal;
    }

    return ST_OK;
}

static st_status jacobi_preconditioner_solve(st_linear_solver *solver) {
    const jacobi *self = (const jacobi *)solver;
    st_system *system = solver->system;
    for (size_t i = 0; i < system->size; i++) system->solution[i] = system->rhs[i] * self->inverse.data[i];
    return ST_OK;
}

static void jacobi_preconditioner_destroy(st_object *object) { st_list_free(&((jacobi *)object)->inverse); }

static const st_field fields[] = {
    ST_FIELD(jacobi, verbose, "verbose", st_type_bool, "0", "it says nothing more",
             .flags = ST_FIELD_DEPRECATED | ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static const st_linear_solver_ops ops = {.invert = jacobi_preconditioner_invert, .solve = jacobi_preconditioner_solve};

const st_class st_jacobi_preconditioner_class = {
    .name = "JacobiPreconditioner",
    .help = "preconditioner that divides by the diagonal of the matrix",
    .parent = &st_linear_solver_class,
    .templates = "DiagonalMatrix",
    .default_template = "DiagonalMatrix",
    .fields = fields,
    .size = sizeof(jacobi),
    .example = "<EulerImplicitSolver/>\n"
               "<PCGLinearSolver iterations=\"50\" tolerance=\"1e-9\" preconditioner=\"@jacobi\"/>\n"
               "<JacobiPreconditioner name=\"jacobi\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<SpringForceField spring=\"0 1 100 1 0.9\"/>",
    .destroy = jacobi_preconditioner_destroy,
    .linear_solver = &ops,
};
