// Preconditioned conjugate gradient, for symmetric positive definite A and P.
//
// From r = b - A x, w = P⁻¹ r and δ = rᵀw, each iteration does as follows, while δ > tolerance · bᵀb:
//
//     1. s = A w
//     2. wᵀs, the curvature of the direction; 0 ends the solve
//     3. α = δ / wᵀs,  x += α w,  r -= α s
//     4. s = P⁻¹ r,  δ' = rᵀs
//     5. w = s + (δ'/δ) w
//
// It starts from the x that is handed over: with EulerImplicitSolver the solution of the step before. The test compares
// squares. A is never assembled; P is another linear solver with a system of its own, which this solver's system
// builds. A preconditioner that does not write its solution leaves what the destination held.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>
#include <tgmath.h>

#include "base/array.h"
#include "solver/krylov.h"
#include "solver/solver_graph.h"

typedef struct pcg_solver {
    st_linear_solver solver;
    uint32_t iterations;
    st_real tolerance;
    bool use_preconditioner;
    st_linear_solver *preconditioner;
    st_strings graph;
    uint32_t update_step;

    st_krylov_vectors work;
    ST_LIST(st_reals) errors; // δ / bᵀb of each solve of this step; lists beyond `solves` are kept for their memory
    size_t solves;            // of this step
} pcg_solver;

// ---------------------------------------------------------------------------------------------------
// Links
// ---------------------------------------------------------------------------------------------------

static st_status pcg_init(st_object *object) {
    pcg_solver *self = (pcg_solver *)object;
    st_krylov_check_tolerance(object, "tolerance", &self->tolerance);
    if (!self->preconditioner && st_is_set(object, &self->preconditioner))
        return st_invalid(object, "the link preconditioner leads to no linear solver");

    if (!self->preconditioner) st_message(object, ST_INFO, "no preconditioner is linked: plain conjugate gradient");
    else if (&self->preconditioner->object == object) return st_invalid(object, "it cannot be its own preconditioner");
    else if (st_is_matrix_free(&self->preconditioner->object))
        return st_invalid(object, "the preconditioner %s is matrix-free; it must have an assembled system",
                          st_path(&self->preconditioner->object));

    // the system must be able to build that of the preconditioner
    const st_status status = st_linear_solver_init(object, "PreconditionedMatrixFreeSystem", "GraphScattered");
    if (status != ST_OK) return status;

    if (!self->solver.system->object.type->system->set_preconditioner)
        return st_invalid(object, "its linear system %s must be a PreconditionedMatrixFreeSystem",
                          st_path(&self->solver.system->object));

    return ST_OK;
}

// The preconditioner has found its system by now.
static st_status pcg_bwd_init(st_object *object) {
    pcg_solver *self = (pcg_solver *)object;
    st_system *system = self->solver.system;
    if (!system || !self->preconditioner || !self->preconditioner->system) return ST_OK;

    const st_system_ops *ops = system->object.type->system;
    if (ops->set_preconditioner) ops->set_preconditioner(system, self->preconditioner->system);
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// One solve
// ---------------------------------------------------------------------------------------------------

// z = P⁻¹ r
static st_status precondition(pcg_solver *self, const st_real *r, st_real *z) {
    const size_t n = self->solver.system->size;
    st_linear_solver *preconditioner = self->preconditioner;

    if (!self->use_preconditioner || !preconditioner) {
        memcpy(z, r, n * sizeof *z);
        return ST_OK;
    }

    // the preconditioner is a solver with a system of its own: r goes in, z comes out
    st_system *system = preconditioner->system;
    if (!system || system->size != n || !system->rhs || !system->solution) {
        st_message(&self->solver.object, ST_ERROR, "the system of the preconditioner %s has %zu unknowns, this one %zu",
                   st_path(&preconditioner->object), system ? system->size : 0, n);
        return ST_FAILED;
    }

    memcpy(system->solution, z, n * sizeof *z);
    memcpy(system->rhs, r, n * sizeof *r);
    const st_status status = st_linear_solve(preconditioner);
    memcpy(z, system->solution, n * sizeof *z);

    return status;
}

static st_status pcg_record(pcg_solver *self, st_reals *errors, uint64_t iteration, st_real delta, st_real squared_b) {
    if (!isfinite(delta)) return st_krylov_not_finite(&self->solver, iteration, "the residual");

    if (delta < 0) {
        st_message_once(
            &self->solver.object, "preconditioner", ST_WARNING,
            "the preconditioner is not positive definite: r^T P^-1 r = %.3g in iteration %llu. The solve stops there",
            (double)delta, (unsigned long long)iteration);
    }

    return st_list_push(errors, squared_b > 0 ? delta / squared_b : delta) ? ST_OK : ST_OUT_OF_MEMORY;
}

static st_status pcg_begin(pcg_solver *self, st_real *r, st_real *w) {
    st_system *system = self->solver.system;
    st_status status = st_krylov_multiply(system, system->solution, r);
    if (status != ST_OK) return status;

    for (size_t i = 0; i < system->size; i++) r[i] = system->rhs[i] - r[i];
    memset(w, 0, system->size * sizeof *w);
    return precondition(self, r, w);
}

static st_status pcg_iterate(pcg_solver *self, st_reals *errors, st_real *r, st_real *w, st_real *s) {
    st_system *system = self->solver.system;
    const st_real squared_b = st_krylov_dot(system, system->rhs, system->rhs);
    st_real delta = st_krylov_dot(system, r, w);

    st_status status = pcg_record(self, errors, 0, delta, squared_b);
    for (uint64_t it = 1; status == ST_OK && it <= self->iterations && delta > self->tolerance * squared_b; it++) {
        // 1. s = A w; now and then, is A symmetric?
        if ((status = st_krylov_multiply(system, w, s)) != ST_OK) break;
        if (it == 1 && st_linear_solver_is_symmetry_due(&self->solver) &&
            (status = st_krylov_check_symmetric(&self->solver, w, s, st_krylov_vector(&self->work, 3))) != ST_OK)
            break;

        // 2. wᵀs: 0 ends the solve, a negative one is reported
        const st_real curvature = st_krylov_dot(system, w, s);
        if (!isfinite(curvature))
            return st_krylov_not_finite(&self->solver, it, "the product of a direction with the matrix");
        if (curvature == 0) {
            st_message(&self->solver.object, ST_WARNING, "a direction has no effect on the system (iteration %llu)",
                       (unsigned long long)it);
            break;
        }

        st_krylov_warn_indefinite(&self->solver, it, curvature);

        // 3. α = δ / wᵀs, x += α w, r -= α s
        st_krylov_step(system, delta / curvature, w, s, system->solution, r);

        // 4. s = P⁻¹ r, δ' = rᵀs
        if ((status = precondition(self, r, s)) != ST_OK) break;
        const st_real former = delta;
        delta = st_krylov_dot(system, r, s);
        status = pcg_record(self, errors, it, delta, squared_b);

        // 5. w = s + (δ'/δ) w
        st_krylov_direction(system, s, delta / former, w);
    }

    return status;
}

// The list of this solve's errors; lists of former steps are used again.
static st_reals *begin_errors(pcg_solver *self) {
    if (self->solves == self->errors.count) {
        const st_reals empty = {0};
        if (!st_list_push(&self->errors, empty)) return NULL;
    }

    st_reals *errors = &self->errors.data[self->solves++];
    errors->count = 0;
    return errors;
}

static st_status pcg_solve(st_linear_solver *solver) {
    pcg_solver *self = (pcg_solver *)solver;
    st_reals *errors = begin_errors(self);

    if (!errors || !st_krylov_reserve(&self->work, solver->system->size, 4)) {
        st_message(&solver->object, ST_ERROR, "out of memory for vectors of %zu unknowns", solver->system->size);
        return ST_OUT_OF_MEMORY;
    }

    // r = b - A x, w = P⁻¹ r, then the iterations
    st_real *r = st_krylov_vector(&self->work, 0), *w = st_krylov_vector(&self->work, 1);
    st_status status = pcg_begin(self, r, w);
    if (status == ST_OK) status = pcg_iterate(self, errors, r, w, st_krylov_vector(&self->work, 2));
    st_graph_touch(&solver->object, &self->graph);

    return status;
}

// ---------------------------------------------------------------------------------------------------

static void pcg_event(st_object *object, st_event *event) {
    pcg_solver *self = (pcg_solver *)object;
    if (event->kind != ST_EVENT_ANIMATE_BEGIN) return;

    // solves are counted within a step
    self->solves = 0;
    st_graph_touch(object, &self->graph);
}

static void pcg_reset(st_object *object) {
    pcg_solver *self = (pcg_solver *)object;
    self->solves = 0;
    st_linear_solver_class.reset(object);
}

static void pcg_write_graph(st_object *object) {
    pcg_solver *self = (pcg_solver *)object;
    bool ok = st_graph_resize(&self->graph, self->solves);

    for (size_t i = 0; ok && i < self->solves; i++) {
        // one line for each solve of the step
        char name[32];
        snprintf(name, sizeof name, "Error %zu", i + 1);
        ok = st_graph_write(&self->graph, i, name, &self->errors.data[i]);
    }

    if (!ok) st_message(object, ST_WARNING, "out of memory for the graph of the last solves");
}

static void pcg_destroy(st_object *object) {
    pcg_solver *self = (pcg_solver *)object;
    st_krylov_free(&self->work);
    for (size_t i = 0; i < self->errors.count; i++) st_list_free(&self->errors.data[i]);
    st_list_free(&self->errors);
}

static const st_field fields[] = {
    ST_FIELD(pcg_solver, iterations, "iterations", st_type_uint, "25", "largest number of iterations"),
    ST_FIELD(pcg_solver, tolerance, "tolerance", st_type_real, "1e-5",
             "stop when residual . P^-1 residual is not above it times |right-hand side| squared"),
    ST_FIELD(pcg_solver, use_preconditioner, "use_precond", st_type_bool, "1", "use the linked preconditioner"),
    ST_FIELD(pcg_solver, preconditioner, "preconditioner", st_type_link, NULL,
             "linear solver with an assembled system that is used as preconditioner", .role = ST_ROLE(linear_solver)),
    ST_FIELD(pcg_solver, graph, "graph", st_type_map, NULL, "errors of the solves of the last step",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(pcg_solver, update_step, "update_step", st_type_uint, "1",
             "assemblingRate of the PreconditionedMatrixFreeSystem says how often the preconditioner is assembled",
             .flags = ST_FIELD_DEPRECATED | ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static const st_linear_solver_ops ops = {.solve = pcg_solve};

const st_class st_pcg_linear_solver_class = {
    .name = "PCGLinearSolver",
    .help = "preconditioned conjugate gradient, for symmetric positive definite systems",
    .parent = &st_linear_solver_class,
    .templates = "GraphScattered",
    .default_template = "GraphScattered",
    .fields = fields,
    .size = sizeof(pcg_solver),
    .example = "<EulerImplicitSolver/>\n"
               "<PCGLinearSolver iterations=\"50\" tolerance=\"1e-9\" preconditioner=\"@jacobi\"/>\n"
               "<JacobiPreconditioner name=\"jacobi\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<SpringForceField spring=\"0 1 100 1 0.9\"/>",
    .flags = ST_CLASS_LISTENING,
    .init = pcg_init,
    .bwd_init = pcg_bwd_init,
    .reset = pcg_reset,
    .update = pcg_write_graph,
    .event = pcg_event,
    .destroy = pcg_destroy,
    .linear_solver = &ops,
};
