// The base of direct solvers. See direct_solver.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "solver/direct_solver.h"

#include "base/array.h"
#include "linalg/blas_threads.h"
#include "scene/scene.h"
#include "solver/ordering_method.h"

// ---------------------------------------------------------------------------------------------------
// Which library
// ---------------------------------------------------------------------------------------------------

st_status st_direct_solver_init(st_direct_solver *self, st_direct_method method, st_ldl_couple couple) {
    st_object *object = &self->solver.object;
    const st_status status = st_ordering_method_find(object, &self->ordering);
    if (status != ST_OK) return status;

    // a new factor, by the library that is asked for or by the first that can do it
    self->method = method;
    self->couple = couple;
    if (self->factor) self->used->destroy(self->factor);
    self->factor = NULL;
    self->factored = false;
    st_bsr_copy_forget(&self->matrix);
    self->used = st_direct_find(self->library, method);

    if (!self->used) {
        char names[128];
        st_direct_names(method, names, sizeof names);
        return st_invalid(object, "library=\"%s\" cannot do this factorization; those that can: %s", self->library,
                          names);
    }

    self->factor = self->used->create();
    if (!self->factor) return st_invalid(object, "out of memory");
    const bool vector = object->template_ && strcmp(object->template_, "FullVector") == 0;
    return vector ? st_linear_solver_init(object, "MatrixLinearSystem", "CompressedRowSparseMatrixd")
                  : st_linear_solver_class.init(object);
}

// ---------------------------------------------------------------------------------------------------
// Factorization
// ---------------------------------------------------------------------------------------------------

st_status st_direct_solver_check(st_linear_solver *solver, const st_bsr **matrix) {
    *matrix = st_linear_solver_matrix(solver);
    return *matrix && st_linear_solver_check_finite(solver, *matrix) ? ST_OK : ST_FAILED;
}

static const char *direct_failure(st_direct_method method) {
    switch (method) {
    case ST_DIRECT_LLT: return "the matrix is not positive definite: a pivot is not above 0";
    case ST_DIRECT_LDLT: return "the factorization met a pivot that is 0 or not finite";
    default: return "the matrix is singular: there is no pivot";
    }
}

// A symmetric factorization of an unsymmetric matrix is that of another matrix.
static void check_symmetry(st_direct_solver *self, const st_bsr *matrix) {
    if ((self->method == ST_DIRECT_LDLT || self->method == ST_DIRECT_LLT) &&
        st_linear_solver_is_symmetry_due(&self->solver))
        st_linear_solver_warn_unsymmetric(&self->solver, matrix);
}

static st_direct_request direct_request(const st_direct_solver *self) {
    return (st_direct_request){self->method, st_ordering_method_kind(self->ordering), self->couple};
}

// Linear elements at a constant time step, and whatever stands still: the same numbers again.
bool st_direct_solver_stands(st_direct_solver *self) {
    const st_system *system = self->solver.system;
    const st_system_ops *ops = system->object.type->system;
    const st_bsr *matrix = ops->matrix ? ops->matrix((st_system *)system) : NULL;
    if (!self->factored || !matrix || self->size != system->size || st_bsr_scalar_rows(matrix) != system->size)
        return false;

    // the same numbers, asked for in the same way, of a library that would do the same again
    const st_direct_request request = direct_request(self), *before = &self->request;
    if (request.method != before->method || request.ordering != before->ordering || request.couple != before->couple ||
        !st_bsr_copy_is(&self->matrix, matrix) || (self->used->stands && !self->used->stands(self->factor)))
        return false;

    check_symmetry(self, matrix);
    self->left_out = false;
    return true;
}

st_status st_direct_solver_factor(st_direct_solver *self, const st_bsr *matrix) {
    const st_object *object = &self->solver.object;
    check_symmetry(self, matrix);
    self->left_out = false;

    // the factor, in one thread of BLAS: same bits on any number of cores
    const st_direct_request request = direct_request(self);
    size_t unknown = SIZE_MAX;
    st_blas_begin();
    const st_status status = self->used->factor(self->factor, object->scene->pool, matrix, &request, &unknown);
    st_blas_end();

    self->factored = status == ST_OK;
    self->size = st_bsr_scalar_rows(matrix);
    self->request = request;
    if (status == ST_OK) st_bsr_copy_note(&self->matrix, matrix);
    else st_bsr_copy_forget(&self->matrix);
    if (status == ST_OK) return ST_OK;

    // which unknown, or what the library could not do
    if (status == ST_FAILED && unknown != SIZE_MAX)
        st_linear_solver_report_row(&self->solver, ST_ERROR, unknown, direct_failure(self->method));
    else if (status == ST_FAILED) st_message(object, ST_ERROR, "the matrix is singular");
    else if (status == ST_INVALID && self->ordering)
        st_message(object, ST_ERROR, "the matrix cannot be factored by %s in the order of %s", self->used->name,
                   self->ordering->type->name);
    else st_message(object, ST_ERROR, "the matrix cannot be factored: %s", st_status_text(status));

    return status;
}

static st_status direct_invert(st_linear_solver *solver) {
    st_direct_solver *self = (st_direct_solver *)solver;
    if (st_direct_solver_stands(self)) return ST_OK;

    const st_bsr *matrix;
    const st_status status = st_direct_solver_check(solver, &matrix);
    return status == ST_OK ? st_direct_solver_factor(self, matrix) : status;
}

// ---------------------------------------------------------------------------------------------------
// Solution
// ---------------------------------------------------------------------------------------------------

static bool direct_is_ready(const st_direct_solver *self) {
    // the states may have changed since
    return self->factored && self->size == self->solver.system->size;
}

static st_status direct_refuse(st_direct_solver *self) {
    st_message_once(&self->solver.object, "no factor", ST_ERROR,
                    "there is no factorization of %zu unknowns to solve with", self->solver.system->size);
    return ST_FAILED;
}

st_status st_direct_solver_solve(st_linear_solver *solver) {
    st_direct_solver *self = (st_direct_solver *)solver;
    if (solver->system->size == 0) return ST_OK;
    if (!direct_is_ready(self)) return self->left_out ? ST_OK : direct_refuse(self);

    st_blas_begin();
    const st_status status = self->used->solve(self->factor, solver->system->rhs, solver->system->solution);
    st_blas_end();
    return status;
}

static st_status solve_one_by_one(st_direct_solver *self, size_t count, const st_real *b, st_real *x) {
    st_status status = ST_OK;
    st_blas_begin();
    for (size_t i = 0; i < count && status == ST_OK; i++)
        status = self->used->solve(self->factor, b + i * self->size, x + i * self->size);
    st_blas_end();
    return status;
}

st_status st_direct_solver_solve_many(st_linear_solver *solver, size_t count, const st_real *b, st_real *x) {
    st_direct_solver *self = (st_direct_solver *)solver;
    if (!direct_is_ready(self)) return ST_FAILED;
    if (!self->used->solve_many) return solve_one_by_one(self, count, b, x);
    return self->used->solve_many(self->factor, solver->object.scene->pool, count, b, x);
}

st_status st_direct_solver_compliance(st_linear_solver *solver, const st_sparse_rows *h, st_real factor, st_real *w) {
    st_direct_solver *self = (st_direct_solver *)solver;
    if (!direct_is_ready(self)) return ST_FAILED;
    if (!self->used->compliance) return st_linear_solver_compliance_by_rows(solver, h, factor, w);
    return self->used->compliance(self->factor, solver->object.scene->pool, h, factor, w);
}

// A run after a reset must not depend on the one before it: the pattern is found again.
static void direct_reset(st_object *object) {
    st_direct_solver *self = (st_direct_solver *)object;
    if (self->factor) self->used->forget(self->factor);
    self->factored = self->left_out = false;
    st_bsr_copy_forget(&self->matrix);
    st_linear_solver_class.reset(object);
}

static void direct_destroy(st_object *object) {
    st_direct_solver *self = (st_direct_solver *)object;
    if (self->factor) self->used->destroy(self->factor);
    st_bsr_copy_free(&self->matrix);
}

static const st_field fields[] = {
    ST_FIELD(st_direct_solver, ordering, "orderingMethod", st_type_link, NULL,
             "order of elimination; without it the first ordering method of the node, or the cheapest order"),
    ST_FIELD(st_direct_solver, library, "library", st_type_string, NULL,
             "who factors: settee or cholmod (symmetric), umfpack or klu (LU), spqr (QR); without it the best"),
    ST_FIELDS_END,
};

const st_linear_solver_ops st_direct_solver_ops = {.invert = direct_invert,
                                                   .solve = st_direct_solver_solve,
                                                   .compliance = st_direct_solver_compliance,
                                                   .solve_many = st_direct_solver_solve_many};

const st_class st_direct_solver_class = {
    .name = "DirectLinearSolver",
    .help = "solves A x = b by a factorization of A",
    .parent = &st_linear_solver_class,
    .fields = fields,
    .size = sizeof(st_direct_solver),
    .flags = ST_CLASS_ABSTRACT,
    .reset = direct_reset,
    .destroy = direct_destroy,
};
