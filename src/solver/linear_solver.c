// The base of linear solvers: which system is solved, and when its matrix is factored.
//
// A solver without a linked system takes one of its own template in its node or above it that no other solver uses,
// or else makes one. The matrix is factored when the system was built since the last factorization, so several solves
// after one build share it.
//
// SPDX-License-Identifier: Apache-2.0
#include "solver/linear_solver.h"

#include <tgmath.h>

#include "linalg/vector.h"
#include "scene/scene.h"

// ---------------------------------------------------------------------------------------------------
// Finding the system
// ---------------------------------------------------------------------------------------------------

static bool same_template(const st_object *object, const char *template_) {
    return object->template_ && template_ && strcmp(object->template_, template_) == 0;
}

static bool used_by(const st_object *object, const st_system *system, const st_linear_solver *except) {
    return st_has_role(object, ST_ROLE(linear_solver)) && object != &except->object &&
           same_template(object, except->object.template_) && ((const st_linear_solver *)object)->system == system;
}

// Is the system linked by another solver of the same template in the solver's node or above?
static bool is_taken(const st_system *system, const st_linear_solver *solver) {
    // SOFA's rule: one system for each solver of a template
    for (const st_node *node = solver->object.node; node; node = node->parent)
        for (size_t i = 0; i < node->objects.count; i++)
            if (used_by(node->objects.data[i], system, solver)) return true;
    return false;
}

// The systems at and above a node.
typedef struct census {
    size_t systems; // of any template
    size_t fitting; // of the right one
    size_t free;    // of those, not used by another solver
    st_system *first;
} census;

static census count_systems(const st_linear_solver *solver, const char *template_) {
    census found = {0};
    for (const st_node *node = solver->object.node; node; node = node->parent) {
        for (size_t i = 0; i < node->objects.count; i++) {
            st_object *object = node->objects.data[i];
            if (!st_has_role(object, ST_ROLE(system))) continue;
            found.systems++;
            if (!same_template(object, template_)) continue;
            found.fitting++;
            if (is_taken((st_system *)object, solver)) continue;
            if (found.free++ == 0) found.first = (st_system *)object;
        }
    }

    return found;
}

static st_status make_system(st_linear_solver *solver, const char *system_class, const char *template_) {
    st_object *object = st_add_object(solver->object.node, system_class, template_, NULL, false);
    if (!object) return st_invalid(&solver->object, "no linear system could be created");

    object->print_log = solver->object.print_log;
    solver->system = (st_system *)object;
    return ST_OK;
}

// Finds the linear system of a solver that has none linked, or makes one of the given class; `template_` is the
// template that a system must have to fit.
static st_status find_system(st_linear_solver *solver, const char *system_class, const char *template_) {
    const st_object *object = &solver->object;
    const census found = count_systems(solver, template_);

    // one that no other solver uses
    if (found.free > 0) {
        solver->system = found.first;
        if (found.free == 1) st_message(object, ST_INFO, "linear system found: %s", st_path(&found.first->object));
        else
            st_message(object, ST_WARNING,
                       "%zu linear systems fit; the first, %s, is taken: say which by linearSystem=\"@...\"",
                       found.free, st_path(&found.first->object));
        return ST_OK;
    }

    // none: a new one, and why
    const st_status status = make_system(solver, system_class, template_);
    if (status != ST_OK) return status;
    const char *path = st_path(&solver->system->object);

    if (found.systems == 0)
        st_message(object, ST_INFO, "there is no linear system: a %s is created, %s", system_class, path);
    else if (found.fitting == 0)
        st_message(object, ST_WARNING, "there is a linear system, but not one of template %s: a %s is created, %s",
                   template_, system_class, path);
    else
        st_message(object, ST_WARNING, "every linear system is used by another solver: a %s is created, %s",
                   system_class, path);

    return ST_OK;
}

// A linked system must store what the solver reads. How an assembled matrix is stored makes no difference.
static st_status check_linked(st_linear_solver *solver, const char *template_) {
    st_object *system = &solver->system->object;
    if (same_template(system, template_)) return ST_OK;

    if (st_is_matrix_free(system) != (strcmp(template_, "GraphScattered") == 0))
        return st_invalid(&solver->object, "the linked linear system %s has template %s, which does not fit %s",
                          st_path(system), system->template_, template_);

    st_message(&solver->object, ST_WARNING, "the linked linear system %s has template %s and the solver %s",
               st_path(system), system->template_, template_);
    return ST_OK;
}

st_status st_linear_solver_init(st_object *object, const char *system_class, const char *template_) {
    st_linear_solver *solver = (st_linear_solver *)object;
    if (solver->system) return check_linked(solver, template_);
    return find_system(solver, system_class, template_);
}

static st_status linear_solver_init(st_object *object) {
    const char *template_ = object->template_ ? object->template_ : "CompressedRowSparseMatrixd";
    return st_linear_solver_init(object, st_is_matrix_free(object) ? "MatrixFreeSystem" : "MatrixLinearSystem",
                                 template_);
}

// ---------------------------------------------------------------------------------------------------
// The matrix, or why there is none
// ---------------------------------------------------------------------------------------------------

const st_bsr *st_linear_solver_matrix(const st_linear_solver *solver) {
    st_system *system = solver->system;
    const st_system_ops *ops = system->object.type->system;
    const st_bsr *matrix = ops->matrix ? ops->matrix(system) : NULL;

    // matrix-free, or built before the states changed
    if (!matrix) {
        st_message(&solver->object, ST_ERROR,
                   "the linear system %s is matrix-free, and this solver needs an assembled matrix: link it to a "
                   "MatrixLinearSystem",
                   st_path(&system->object));
        return NULL;
    }

    if (st_bsr_scalar_rows(matrix) == system->size && st_bsr_scalar_cols(matrix) == system->size) return matrix;
    st_message(&solver->object, ST_ERROR, "the matrix of the linear system %s is %zu x %zu, but there are %zu unknowns",
               st_path(&system->object), st_bsr_scalar_rows(matrix), st_bsr_scalar_cols(matrix), system->size);
    return NULL;
}

void st_linear_solver_report_row(const st_linear_solver *solver, st_severity severity, size_t row, const char *what) {
    size_t scalar = 0;
    const st_state *state = st_system_state_at(solver->system, row, &scalar);

    if (!state) {
        st_message(&solver->object, severity, "%s in row %zu of the matrix", what, row);
        return;
    }

    const size_t width = st_state_dof(state)->deriv;
    st_message(&solver->object, severity, "%s in row %zu of the matrix: component %zu of DOF %zu of %s", what, row,
               scalar % width, scalar / width, st_path(&state->object));
}

bool st_linear_solver_check_finite(const st_linear_solver *solver, const st_bsr *matrix) {
    const size_t b = st_bsr_block(matrix);
    if (st_vector_is_finite(st_bsr_count(matrix) * b * b, matrix->values)) return true;

    // which row
    for (size_t row = 0; row < (size_t)matrix->rows; row++)
        for (size_t k = matrix->starts[row] * b * b; k < matrix->starts[row + 1] * b * b; k++) {
            if (isfinite(matrix->values[k])) continue;
            st_linear_solver_report_row(solver, ST_ERROR, row * b + k / b % b, "there is a number that is not finite");
            return false;
        }

    return true;
}

bool st_linear_solver_is_symmetry_due(st_linear_solver *solver) {
    const uint32_t turn = ++solver->symmetry_turns;
    return !solver->unsymmetric && (turn & (turn - 1)) == 0;
}

// Rounding leaves mirrored entries of a symmetric matrix a few units in the last place apart.
bool st_linear_solver_warn_unsymmetric(st_linear_solver *solver, const st_bsr *matrix) {
    const st_real error = st_bsr_symmetry_error(matrix), norm = st_bsr_norm(matrix);
    if (error <= ST_REAL_EPSILON * 4096 * norm) return false;

    if (!solver->unsymmetric)
        st_message(&solver->object, ST_WARNING,
                   "the matrix is not symmetric (|A - A^T| / |A| = %.3g), and this solver is for symmetric ones: its "
                   "solution may be wrong. EigenSparseLU solves such systems",
                   (double)(error / norm));

    solver->unsymmetric = true;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Solving
// ---------------------------------------------------------------------------------------------------

static st_status check_ready(const st_linear_solver *solver) {
    if (solver->system && st_is_valid(&solver->object) && solver->system->version > 0) return ST_OK;

    st_message(&solver->object, ST_ERROR, "%s",
               solver->system ? "the linear system was never built" : "there is no linear system to solve");
    return ST_FAILED;
}

// A phase with the solver in it. Its system is read at least once: the matrix, if there is one, and two vectors.
static void begin_part(const st_linear_solver *solver, const char *phase) {
    st_profile_begin(solver->object.scene, phase);
    st_profile_enter(&solver->object);
}

static void end_part(const st_linear_solver *solver) {
    const double bytes = st_system_bytes(solver->system);
    st_profile_leave(&solver->object, bytes);
    st_profile_end(solver->object.scene, bytes);
}

// Factors the matrix if it was built since the last time.
static st_status invert_if_built(st_linear_solver *solver) {
    const st_linear_solver_ops *ops = solver->object.type->linear_solver;
    const uint32_t version = solver->system->version;
    if (solver->solved_version == version) return ST_OK;
    st_status status = ST_OK;

    if (ops->invert) {
        begin_part(solver, "factorization");
        status = ops->invert(solver);
        end_part(solver);
    }

    if (status != ST_OK) return status;

    solver->solved_version = version;
    solver->system->factorization_invalid = false;
    return ST_OK;
}

st_status st_linear_solve(st_linear_solver *solver) {
    st_status status = check_ready(solver);
    if (status != ST_OK || solver->system->size == 0) return status;

    status = invert_if_built(solver);
    if (status != ST_OK) return status;

    begin_part(solver, "solve");
    status = solver->object.type->linear_solver->solve(solver);
    end_part(solver);

    return status;
}

// ---------------------------------------------------------------------------------------------------
// Many right-hand sides
// ---------------------------------------------------------------------------------------------------

static st_status prepare_many(st_linear_solver *solver) {
    const st_status status = check_ready(solver);

    // one factorization for all of them
    return status == ST_OK && solver->system->size > 0 ? invert_if_built(solver) : status;
}

static st_status check_rows(const st_linear_solver *solver, const st_sparse_rows *h) {
    for (size_t k = 0; k < h->starts[h->count]; k++) {
        if (h->columns[k] >= 0 && (size_t)h->columns[k] < solver->system->size) continue;

        st_message(&solver->object, ST_ERROR, "a constraint names unknown %ld of a system of %zu", (long)h->columns[k],
                   solver->system->size);
        return ST_INVALID;
    }

    return ST_OK;
}

// Column r of W from the solution for row r of H.
static void add_column(const st_sparse_rows *h, size_t r, st_real factor, const st_real *x, st_real *w) {
    // W_{·,r} += factor · H x
    for (size_t other = 0; other < h->count; other++) {
        st_real sum = 0;
        for (size_t k = h->starts[other]; k < h->starts[other + 1]; k++) sum += h->values[k] * x[h->columns[k]];
        if (h->starts[other] < h->starts[other + 1]) w[other * h->count + r] += factor * sum;
    }
}

st_status st_linear_solver_compliance_by_rows(st_linear_solver *solver, const st_sparse_rows *h, st_real factor,
                                              st_real *w) {
    st_system *system = solver->system;
    for (size_t r = 0; r < h->count; r++) {
        if (h->starts[r] == h->starts[r + 1]) continue;

        // b = Hᵀ e_r
        memset(system->rhs, 0, system->size * sizeof *system->rhs);
        for (size_t k = h->starts[r]; k < h->starts[r + 1]; k++) system->rhs[h->columns[k]] += h->values[k];

        const st_status status = solver->object.type->linear_solver->solve(solver);
        if (status != ST_OK) return status;

        add_column(h, r, factor, system->solution, w);
    }

    return ST_OK;
}

st_status st_linear_solver_compliance(st_linear_solver *solver, const st_sparse_rows *h, st_real factor, st_real *w) {
    if (h->count == 0 || !h->starts || h->starts[h->count] == 0) return ST_OK;
    st_status status = prepare_many(solver);

    if (status == ST_OK) status = check_rows(solver, h);
    if (status != ST_OK) return status;

    const st_linear_solver_ops *ops = solver->object.type->linear_solver;
    begin_part(solver, "compliance");
    status = (ops->compliance ? ops->compliance : st_linear_solver_compliance_by_rows)(solver, h, factor, w);
    end_part(solver);

    return status;
}

static st_status solve_one_by_one(st_linear_solver *solver, size_t count, const st_real *b, st_real *x) {
    st_system *system = solver->system;
    const size_t n = system->size;

    for (size_t i = 0; i < count; i++) {
        memcpy(system->rhs, b + i * n, n * sizeof *b);
        const st_status status = solver->object.type->linear_solver->solve(solver);
        if (status != ST_OK) return status;
        memcpy(x + i * n, system->solution, n * sizeof *x);
    }

    return ST_OK;
}

st_status st_linear_solve_many(st_linear_solver *solver, size_t count, const st_real *b, st_real *x) {
    const st_status status = prepare_many(solver);
    if (status != ST_OK || solver->system->size == 0 || count == 0) return status;

    const st_linear_solver_ops *ops = solver->object.type->linear_solver;
    return (ops->solve_many ? ops->solve_many : solve_one_by_one)(solver, count, b, x);
}

// ---------------------------------------------------------------------------------------------------

static const st_field fields[] = {
    ST_FIELD(st_linear_solver, system, "linearSystem", st_type_link, NULL,
             "linear system that is solved; without it one is found, or created", .role = ST_ROLE(system)),
    ST_FIELD(st_linear_solver, parallel_inverse_product, "parallelInverseProduct", st_type_bool, "0",
             "a hint to threads", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_linear_solver, threads, "nbThreads", st_type_int, "0", "a hint to threads",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_linear_solver, task_scheduler, "taskSchedulerType", st_type_string, NULL, "a hint to threads",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

// What it has seen and said belongs to the run before.
static void linear_reset(st_object *object) {
    st_linear_solver *solver = (st_linear_solver *)object;
    solver->symmetry_turns = 0;
    solver->unsymmetric = false;
}

const st_class st_linear_solver_class = {
    .name = "MatrixLinearSolver",
    .help = "solves A x = b",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_linear_solver),
    .flags = ST_CLASS_ABSTRACT,
    .init = linear_solver_init,
    .reset = linear_reset,
};
