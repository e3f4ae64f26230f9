// Direct solver: sparse P A Pᵀ = L D Lᵀ without pivoting, for symmetric A.
//
// The scalar matrix without its exact zeros is factored. A place that once held a number stays in the pattern, so that the
// order of elimination and the pattern of L are kept although entries come and go with rounding. Of two mirrored entries the one in the row that is eliminated later is read.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>
#include <tgmath.h>

#include "linalg/ldl.h"
#include "scene/scene.h"
#include "solver/linear_solver.h"
#include "solver/ordering_method.h"

typedef struct sparse_ldl_solver {
    st_linear_solver solver;
    st_object *ordering;
    bool precompute_symbolic;
    int32_t entries;
    char *saving_matrix;

    st_bsr scalar; // the matrix without entries that were always zero
    bool analyzed; // its pattern is the one that the factor was planned for
    st_ldl *ldl;
    st_ints permutation;
} sparse_ldl_solver;

static st_status parse(st_object *object) {
    if (!st_attribute(object, "template"))
        st_message(object, ST_NOTICE,
                   "template is not given, %s is used. For states of 3 scalars per DOF SOFA suggests "
                   "CompressedRowSparseMatrixMat3x3d; the result is the same",
                   object->template_);
    return ST_OK;
}

static st_status init(st_object *object) {
    sparse_ldl_solver *self = (sparse_ldl_solver *)object;
    const st_status status = st_ordering_method_find(object, &self->ordering);
    if (status != ST_OK) return status;
    if (!self->ldl) self->ldl = st_ldl_create();
    if (!self->ldl) return st_invalid(object, "out of memory");
    return st_linear_solver_class.init(object);
}

// ---------------------------------------------------------------------------------------------------
// Factorization
// ---------------------------------------------------------------------------------------------------

// Names an unknown by its state, as far as the system knows it.
static void complain(const sparse_ldl_solver *self, st_severity severity, size_t row, const char *what) {
    size_t scalar = 0;
    const st_state *state = st_system_state_at(self->solver.system, row, &scalar);
    if (!state) {
        st_message(&self->solver.object, severity, "%s in row %zu of the matrix", what, row);
        return;
    }
    const size_t width = (size_t)st_state_dof(state)->deriv;
    st_message(&self->solver.object, severity, "%s in row %zu of the matrix: component %zu of DOF %zu of %s", what, row,
               scalar % width, scalar / width, st_path(&state->object));
}

// The first scalar row with a number that is not finite; SIZE_MAX: none.
static size_t find_not_finite(const st_bsr *a) {
    const size_t b = (size_t)a->block;
    for (int32_t row = 0; row < a->rows; row++)
        for (size_t k = a->starts[row] * b * b; k < a->starts[row + 1] * b * b; k++)
            if (!isfinite(a->values[k])) return (size_t)row * b + k / b % b;
    return SIZE_MAX;
}

static size_t find_empty(const st_bsr *a) {
    for (int32_t row = 0; row < a->rows; row++)
        if (a->starts[row] == a->starts[row + 1]) return (size_t)row;
    return SIZE_MAX;
}

static st_status analyze(sparse_ldl_solver *self) {
    if (self->precompute_symbolic && self->analyzed) return ST_OK;
    if (!st_list_set_count(&self->permutation, (size_t)self->scalar.rows, 1)) return ST_OUT_OF_MEMORY;
    st_status status = st_ordering_method_compute(self->ordering, &self->scalar, self->permutation.data);
    if (status == ST_OK)
        status = st_ldl_analyze_permuted(self->ldl, &self->scalar, self->permutation.data, ST_LDL_LATER_ROW);
    if (status != ST_OK)
        st_message(&self->solver.object, ST_ERROR, "the pattern of the matrix cannot be analyzed: %s",
                   st_status_text(status));
    self->analyzed = status == ST_OK;
    return status;
}

static st_status factor(sparse_ldl_solver *self) {
    size_t column = 0;
    const st_status status = st_ldl_factor(self->ldl, &self->scalar, &column);
    if (status == ST_FAILED) complain(self, ST_ERROR, column, "the factorization met a pivot that is 0 or not finite");
    else if (status != ST_OK)
        st_message(&self->solver.object, ST_ERROR, "the matrix cannot be factored: %s", st_status_text(status));
    if (status == ST_OK) {
        const size_t entries = st_ldl_entries(self->ldl);
        self->entries = entries < INT32_MAX ? (int32_t)entries : INT32_MAX;
        st_touch(&self->solver.object, &self->entries);
    }
    return status;
}

static st_status invert(st_linear_solver *solver) {
    sparse_ldl_solver *self = (sparse_ldl_solver *)solver;
    const st_bsr *matrix = solver->system->object.type->system->matrix(solver->system);
    if (!matrix) {
        st_message(&solver->object, ST_ERROR, "the linear system %s has no matrix to factor",
                   solver->system->object.name);
        return ST_FAILED;
    }
    const size_t wrong = find_not_finite(matrix);
    if (wrong != SIZE_MAX) {
        complain(self, ST_ERROR, wrong, "there is a number that is not finite");
        return ST_FAILED;
    }
    bool changed = false;
    st_status status = st_bsr_copy_growing(&self->scalar, matrix, &changed);
    if (changed) self->analyzed = false;
    if (status != ST_OK) {
        st_message(&solver->object, ST_ERROR, "out of memory for the matrix of %zu unknowns", solver->system->size);
        return status;
    }
    const size_t empty = find_empty(&self->scalar);
    if (empty != SIZE_MAX) {
        // As in SOFA: the former factorization, if there is one, stays in use.
        complain(self, ST_WARNING, empty, "invalid linear system: neither mass nor stiffness");
        return ST_OK;
    }
    status = analyze(self);
    return status == ST_OK ? factor(self) : status;
}

static st_status solve(st_linear_solver *solver) {
    sparse_ldl_solver *self = (sparse_ldl_solver *)solver;
    st_system *system = solver->system;
    // Without a factorization of this size the solution stays what it was; invert has said why.
    if (!st_ldl_is_factored(self->ldl) || (size_t)st_ldl_size(self->ldl) != system->size) return ST_OK;
    return st_ldl_solve(self->ldl, system->rhs, system->solution);
}

// A run after a reset must not depend on the one before it: the pattern is found again.
static void reset(st_object *object) {
    sparse_ldl_solver *self = (sparse_ldl_solver *)object;
    st_bsr_free(&self->scalar);
    self->analyzed = false;
}

static void destroy(st_object *object) {
    sparse_ldl_solver *self = (sparse_ldl_solver *)object;
    st_bsr_free(&self->scalar);
    if (self->ldl) st_ldl_free(self->ldl);
    st_list_free(&self->permutation);
}

static const st_field fields[] = {
    ST_FIELD(sparse_ldl_solver, ordering, "orderingMethod", st_type_link, NULL,
             "order of elimination; without it the first ordering method of the node, or AMD"),
    ST_FIELD(sparse_ldl_solver, precompute_symbolic, "precomputeSymbolicDecomposition", st_type_bool, "1",
             "keep order and pattern of the factor while the pattern of the matrix stands"),
    ST_FIELD(sparse_ldl_solver, entries, "L_nnz", st_type_int, "0", "entries of L below its diagonal",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(sparse_ldl_solver, saving_matrix, "savingMatrixToFile", st_type_string, NULL,
             "a GlobalSystemMatrixExporter writes the matrix", .flags = ST_FIELD_DEPRECATED | ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static const st_linear_solver_ops ops = {.invert = invert, .solve = solve};

const st_class st_sparse_ldl_solver_class = {
    .name = "SparseLDLSolver",
    .help = "direct solver by a sparse LDL factorization, for symmetric systems",
    .parent = &st_linear_solver_class,
    .templates = "CompressedRowSparseMatrixd CompressedRowSparseMatrixMat3x3d",
    .default_template = "CompressedRowSparseMatrixd",
    .fields = fields,
    .size = sizeof(sparse_ldl_solver),
    .parse = parse,
    .init = init,
    .reset = reset,
    .destroy = destroy,
    .linear_solver = &ops,
};
