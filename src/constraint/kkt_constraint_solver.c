// KKTConstraintSolver: the constraints inside the matrix. Instead of iterating on W, one symmetric indefinite system
// holds dynamics and constraints together,
//
//     [ A/φ  −Hᵀ ] [ y ]   [    0    ]     y = φ Δ   displacement by the multipliers; φ: factor of the integrator
//     [ H     C  ] [ f ] = [ −d_free ]     C         compliance of the constraints: the solver's, and the
//                                                    regularization of the corrections that a row acts on
//
// factored as L D Lᵀ with the signs of f and of the lower half turned, so that it is symmetric. Its pattern is that of
// the bodies and their joints: a chain of n bodies costs O(n), where Gauss-Seidel needs many sweeps over n² numbers.
//
// A small δ on the constraints' diagonal makes the matrix quasi-definite: the factorization exists in any order, for
// redundant rows, too. Refinement with the true matrix takes δ out again, so that the violation of linear laws is at
// rounding level. What refinement cannot reach are rows that contradict each other: they are reported.
//
// Inequalities are found by an active set: rows that hold are equalities, the others have no force; a row whose force
// pulls is let go, one that is violated taken in, until nothing changes.
//
// Friction sticks while its force lies inside the cone. When it slides, the slip d points against the force, d = −S f
// with some S ≥ 0: a row that holds with the compliance S, for which |f| = µ f_n is sought. Since 1/|f| grows nearly
// linearly with S, a secant finds it in a few steps, and the matrix stays symmetric. Where more contacts than needed
// hold one body, forces are not unique, and S can crawl or run in circles. After PATIENCE systems the contacts are
// therefore swept, one after the other, with the compliance that they have by bodies and equalities together; this
// always settles, with conjugate directions in some hundred sweeps. Forces are then inside of their cones to the last bit.
//
//     1. guess the rows that hold: those of the last step, else those that the free motion violates
//     2. factor the system of these rows with δ, solve it, refine it
//     3. review friction: another S for each sliding contact that misses its limit; back to 2. until all meet it
//     4. review rows: let go those that pull, take in those that are violated; back to 2. until none changes
//     5. if that does not end: sweeps over the contacts (st_kkt_settle_by_sweeps)
//     6. report rows that contradict each other, and limits that were reached
//
// The files: kkt_matrix.c, kkt_system.c (2.), kkt_active_set.c (1., 3., 4.), kkt_sweeps.c (5.), and this one.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/kkt.h"

#include "state/sink.h"

enum { PATIENCE = 60, MOST_SWEPT = 3000 };

static bool kkt_make_room(st_kkt *self) {
    const size_t rows = self->base.problem->size, n = self->unknowns + rows;
    return st_list_set_count(&self->rhs, n, 1) && st_list_set_count(&self->x, n, 1) &&
           st_list_set_count(&self->residual, n, 1) && st_list_set_count(&self->held, rows, 1) &&
           st_list_set_count(&self->target, rows, 1) && st_list_set_count(&self->slip, rows, 1) &&
           st_list_set_count(&self->secant, rows, 1);
}

// The row with the largest rest that refinement left.
static void report_conflict(const st_kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    const st_real most =
        st_max(st_kkt_largest(p->free.data, 0, p->size), st_kkt_largest(self->x.data, 0, self->unknowns));
    if (self->error <= sqrt(ST_REAL_EPSILON) * most || !st_first_time(&self->base.object, "conflict")) return;

    size_t worst = 0;
    for (size_t r = 0; r < p->size; r++)
        if (fabs(self->residual.data[self->unknowns + r]) > fabs(self->residual.data[self->unknowns + worst]))
            worst = r;

    const st_law *law = p->row_laws.data[worst];
    st_message(&law->object, ST_WARNING,
               "constraints contradict each other: a violation of %g stays in row %zu (said once)", (double)self->error,
               worst - law->first_row);
}

static void report_stuck(const st_kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    for (size_t r = 0; r < p->size; r++) {
        st_law *law = p->row_laws.data[r];
        if (self->scale.data[r] > 0) continue;
        st_message_once(&law->object, "stuck", ST_WARNING,
                        "row %zu has no compliance: nothing that it acts on can move; its force stays 0",
                        r - law->first_row);
    }
}

static bool has_friction(const st_kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    for (size_t b = 0; b < p->blocks.list.count; b++)
        if (p->blocks.list.data[b].kind == ST_RESOLVE_FRICTION) return true;
    return false;
}

static st_status kkt_solve(st_constraint_solver *solver, const st_constraint_params *params) {
    (void)params;
    st_kkt *self = (st_kkt *)solver;
    st_constraint_problem *p = solver->problem;
    if (!kkt_make_room(self)) return ST_OUT_OF_MEMORY;

    // 1. a first guess of the rows that hold
    report_stuck(self);
    st_kkt_guess_rows(self);

    st_status status = ST_OK;
    bool settled = false;
    int32_t done = 0;
    int rounds = 0;

    // 2. to 4.
    const bool can_sweep = self->max_iterations > PATIENCE && has_friction(self) && p->size <= MOST_SWEPT;
    const int32_t most = can_sweep ? PATIENCE : self->max_iterations;
    while (status == ST_OK && !settled && done < most) {
        status = st_kkt_solve_held(self);
        if (status == ST_OK) settled = !st_kkt_review(self, done, &rounds);
        done++;
    }

    // 5.
    self->change = 0;
    if (status == ST_OK && !settled && can_sweep) {
        status = st_kkt_settle_by_sweeps(self);
        settled = true;
    }

    self->iterations = done;
    self->num_constraints = (int32_t)p->size;
    if (status != ST_OK) return status;

    // 6. what could not be met is reported
    report_conflict(self);
    if (!settled) {
        const bool first = st_first_time(&solver->object, "limit");
        st_message(&solver->object, first ? ST_WARNING : ST_INFO,
                   "%d systems were not enough to find the active set of %zu constraints: the violation is %g%s",
                   (int)done, p->size, (double)self->error, first ? " (said once)" : "");
    }
    if (self->change > ST_KKT_TOLERANCE)
        st_message_once(&solver->object, "miss", ST_WARNING,
                        "after %d systems and sweeps over %zu contact rows forces still change by %g of the largest, "
                        "not by less than %g (said once)",
                        (int)done, self->swept.count, (double)self->change, (double)ST_KKT_TOLERANCE);

    // the next step starts with these rows
    if (!st_list_set_count(&self->last_held, p->size, 1)) return ST_OUT_OF_MEMORY;
    st_copy_bytes(self->last_held.data, self->held.data, p->size * sizeof *self->held.data);
    return ST_OK;
}

// Δ = y / φ is known already. Without constraints nothing was solved.
static st_status kkt_motion(st_constraint_solver *solver, const st_constraint_params *params) {
    st_kkt *self = (st_kkt *)solver;
    const bool any = solver->problem->size > 0;

    for (size_t i = 0; i < solver->corrections.count; i++) {
        const st_correction *correction = (st_correction *)solver->corrections.data[i];
        for (size_t s = 0; s < correction->states.count; s++) {
            const st_state *state = correction->states.data[s];
            const st_kkt_body *b = any ? st_kkt_find_body(self, state) : NULL;
            st_real *dx = st_dx_of(state, params->dx);
            for (size_t k = 0; k < st_state_scalars(state); k++)
                dx[k] = b ? self->x.data[b->offset + k] / b->factor : 0;
        }
    }
    return ST_OK;
}

static void kkt_reset(st_object *object) {
    ((st_kkt *)object)->last_held.count = 0;
    st_constraint_solver_class.reset(object);
}

static void kkt_destroy(st_object *object) {
    st_kkt *self = (st_kkt *)object;

    // the bodies and their matrix
    st_list_free(&self->bodies);
    st_list_free(&self->places);
    st_list_free(&self->triplets);
    st_list_free(&self->starts);
    st_list_free(&self->fill);
    st_list_free(&self->columns);
    st_list_free(&self->values);
    st_list_free(&self->scale);
    st_list_free(&self->soft);

    // vectors of one system
    st_list_free(&self->rhs);
    st_list_free(&self->x);
    st_list_free(&self->residual);
    st_list_free(&self->work);

    // the active set
    st_list_free(&self->held);
    st_list_free(&self->last_held);
    st_list_free(&self->target);
    st_list_free(&self->slip);
    st_list_free(&self->secant);

    // sweeps
    st_list_free(&self->swept);
    st_list_free(&self->w);
    st_list_free(&self->d);
    st_list_free(&self->steps);

    if (self->ldl) st_ldl_free(self->ldl);
    st_constraint_solver_class.destroy(object);
}

static const st_field fields[] = {
    ST_FIELD(st_kkt, compliance, "compliance", st_type_real, "0",
             "compliance C of every constraint: how far it gives way per unit of its multiplier",
             .aliases = "regularizationTerm"),
    ST_FIELD(st_kkt, max_iterations, "maxIterations", st_type_int, "500",
             "most systems of one step, each with another active set or friction"),
    ST_FIELD(st_kkt, iterations, "currentIterations", st_type_int, "0", "systems solved in the last step",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(st_kkt, num_constraints, "currentNumConstraints", st_type_int, "0", "rows in the last step",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(st_kkt, error, "currentError", st_type_real, "0", "largest violation that the last step left",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

static st_status kkt_init(st_object *object) {
    const st_kkt *self = (st_kkt *)object;
    if (!(self->compliance >= 0) || !isfinite(self->compliance))
        return st_invalid(object, "compliance = %g must be 0 or more", (double)self->compliance);
    return ST_OK;
}

static const st_constraint_solver_ops ops = {.build = st_kkt_build, .solve = kkt_solve, .motion = kkt_motion};

const st_class st_kkt_constraint_solver_class = {
    .name = "KKTConstraintSolver",
    .help =
        "solves equalities exactly, together with the dynamics, in one factorization; inequalities by an active set",
    .parent = &st_constraint_solver_class,
    .fields = fields,
    .size = sizeof(st_kkt),
    .example = "<FreeMotionAnimationLoop/><KKTConstraintSolver/>",
    .init = kkt_init,
    .reset = kkt_reset,
    .destroy = kkt_destroy,
    .constraint_solver = &ops,
};
