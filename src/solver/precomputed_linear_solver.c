// Direct solver that keeps the matrix of the first step: x = A₀⁻¹ b for the whole simulation. Assembly is switched off
// after the first factorization.
//
// What solves is the factorization of A₀, which is A₀⁻¹ b with less work. The inverse itself is written to a file
// (inverse_file.h) for who wants it; the file holds A₀⁻¹ f, f the position factor of the integrator. SOFA believes a
// file that is there; here it decides nothing, and is written again unless A₀ (A₀⁻¹ v) = v holds for a test vector v.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>
#include <tgmath.h>

#include "base/array.h"
#include "scene/scene.h"
#include "solver/direct_solver.h"
#include "solver/inverse_file.h"

typedef struct precomputed_solver {
    st_direct_solver direct;
    bool two_steps, use_file, verbose;
} precomputed_solver;

enum { MOST_IN_FILE = 5000 }; // unknowns; the file then takes 200 MB

static st_status precomputed_init(st_object *object) {
    precomputed_solver *self = (precomputed_solver *)object;
    if (self->verbose) st_message(object, ST_WARNING, "verbose is not supported any more: printLog tells more");
    return st_direct_solver_init(&self->direct, ST_DIRECT_LLT, ST_LDL_LOWER);
}

static void keep_file(precomputed_solver *self) {
    const st_object *object = &self->direct.solver.object;
    const size_t n = self->direct.size;
    if (n == 0 || n > MOST_IN_FILE) return;
    const st_real factor = st_inverse_file_factor(object);
    st_real *inverse = st_alloc(n, n * sizeof *inverse), *vectors = st_alloc(3 * n, sizeof *vectors);
    char *name = st_inverse_file_name(object, n);

    // the file is written unless it holds this inverse already
    if (!inverse || !vectors || !name) {
        st_message(object, ST_WARNING, "out of memory for the inverse of %zu x %zu: it is not kept in a file", n, n);
    } else if (st_inverse_file_read(object, name, n, inverse) == ST_OK &&
               st_inverse_fits(self->direct.solver.system, inverse, factor, vectors)) {
        st_message(object, ST_INFO, "the file %s holds the inverse of this matrix", name);
    } else {
        // A₀⁻¹ f is the solution for f times the identity
        memset(inverse, 0, n * n * sizeof *inverse);
        for (size_t i = 0; i < n; i++) inverse[i * n + i] = factor;
        if (st_direct_solver_solve_many(&self->direct.solver, n, inverse, inverse) == ST_OK)
            st_inverse_file_write(object, name, n, inverse);
    }

    st_free(inverse);
    st_free(vectors);
    st_free(name);
}

static st_status precomputed_invert(st_linear_solver *solver) {
    precomputed_solver *self = (precomputed_solver *)solver;
    if (self->direct.factored && self->direct.size == solver->system->size) return ST_OK;
    const st_bsr *matrix;
    st_status status = st_direct_solver_check(solver, &matrix);

    if (status == ST_OK) status = st_direct_solver_factor(&self->direct, matrix);
    if (status != ST_OK) return status;

    // from now on A₀ stays
    solver->system->enable_assembly = false;
    if (self->use_file) keep_file(self);

    return ST_OK;
}

// The next run freezes its own first matrix.
static void precomputed_reset(st_object *object) {
    st_linear_solver *solver = (st_linear_solver *)object;
    if (solver->system) solver->system->enable_assembly = true;
    st_direct_solver_class.reset(object);
}

static const st_field fields[] = {
    ST_FIELD(precomputed_solver, two_steps, "jmjt_twostep", st_type_bool, "1", "how products with constraints are made",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(precomputed_solver, use_file, "use_file", st_type_bool, "1",
             "keep the inverse in the file <node>-<unknowns>-<dt>.comp of the working directory"),
    ST_FIELD(precomputed_solver, verbose, "verbose", st_type_bool, "0", "not supported any more",
             .flags = ST_FIELD_DEPRECATED),
    ST_FIELDS_END,
};

static const st_linear_solver_ops ops = {.invert = precomputed_invert,
                                         .solve = st_direct_solver_solve,
                                         .compliance = st_direct_solver_compliance,
                                         .solve_many = st_direct_solver_solve_many};

const st_class st_precomputed_linear_solver_class = {
    .name = "PrecomputedLinearSolver",
    .help = "direct solver that keeps the matrix of the first step for the whole simulation",
    .parent = &st_direct_solver_class,
    .templates = "FullVector CompressedRowSparseMatrixd",
    .default_template = "FullVector", // as SOFA calls it; the matrix is CompressedRowSparseMatrixd
    .fields = fields,
    .size = sizeof(precomputed_solver),
    .example = ST_DIRECT_EXAMPLE("PrecomputedLinearSolver", "use_file='0'"),
    .init = precomputed_init,
    .reset = precomputed_reset,
    .linear_solver = &ops,
};
