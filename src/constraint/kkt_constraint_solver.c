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
//     5. if that does not end: sweeps over the contacts (settle_by_sweeps)
//     6. report rows that contradict each other, and limits that were reached
//
// The matrix is collected as triplets, not as a stream with known places (assembly.h): constraint rows come and go from
// step to step, so that a pattern would seldom serve twice. Compressed, they are the scalar rows of the lower triangle.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/correction.h"

#include "base/pointer_table.h"
#include "linalg/ldl.h"
#include "math/real.h"
#include "state/sink.h"

enum { REFINEMENTS = 40, ROUNDS = 20, SECANTS = 12, PATIENCE = 60, SWEEPS = 20000, MOST_SWEPT = 3000 };
enum { SWEEPS_BETWEEN = 400 }; // after which the change of forces must have halved
#ifdef SETTEE_REAL_FLOAT
#define RELATIVE_DELTA ST_R(1e-4)
#define SLIP_TOLERANCE ST_R(1e-4)
#define SLIP_FLOOR ST_R(1e-3)
#define SWEPT ST_R(1e-6)
#else
#define RELATIVE_DELTA ST_R(1e-9)
#define SLIP_TOLERANCE ST_R(1e-6)
#define SLIP_FLOOR ST_R(1e-6)
#define SWEPT ST_R(1e-11)
#endif

typedef struct triplet {
    int32_t row, col;
    st_real value;
} triplet;

typedef struct body {
    const st_state *state;
    size_t offset;
    st_real factor; // φ; 0: nobody moves it
    bool corrected; // forces of constraints act on it; other states of a linear system only answer
} body;

typedef struct kkt {
    st_constraint_solver base;
    st_real compliance;
    int32_t max_iterations;
    int32_t iterations, num_constraints;
    st_real error;

    ST_LIST(body) bodies;
    st_pointer_table places;   // of the states among the bodies; entries of former problems are checked
    size_t unknowns;           // scalars of the bodies
    ST_LIST(triplet) triplets; // lower triangle, in the order of addition
    ST_LIST(size_t) starts, fill;
    st_ints columns;
    st_reals values; // the true matrix
    st_reals scale;  // of each row: h A⁻¹ hᵀ by the diagonal of A
    st_reals soft;   // of each row: C
    st_reals rhs, x, residual;
    st_reals work;      // values with δ, and without the rows that are not held
    st_bools held;      // rows that are equalities now; the others have no force
    st_bools last_held; // at the end of the last step
    st_reals target;    // of d, where a row holds
    st_reals slip;      // S of tangents that slide
    st_reals secant;    // of the first tangent: the last S, of the second: 1/|f| there; 0: none
    st_ldl *ldl;

    // sweeps over the rows of contacts
    ST_LIST(size_t) swept; // those rows
    st_reals w, d;         // their compliance by bodies and equalities, and their violation without contacts
    st_reals steps; // of each row: the force before a sweep, the last change, the direction of acceleration, the force
    st_real change; // of the last sweep, relative to the largest force
    bool failed;    // out of memory while triplets were collected
} kkt;

// ---------------------------------------------------------------------------------------------------
// The matrix
// ---------------------------------------------------------------------------------------------------

static bool kkt_push(kkt *self, size_t row, size_t col, st_real value) {
    const triplet t = {.row = (int32_t)row, .col = (int32_t)col, .value = value};
    const bool ok = st_list_push(&self->triplets, t);
    if (!ok) self->failed = true;
    return ok;
}

// Blocks of A of one correction, divided by φ; only the lower triangle is kept.
typedef struct body_sink {
    st_sink sink;
    kkt *to;
    size_t row, col, rows, cols;
    st_real scale;
} body_sink;

static void kkt_add_block(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    const body_sink *self = (const body_sink *)sink;
    const st_window window = {.rows = self->rows, .cols = self->cols};
    if (!st_window_holds(&window, row, col, rows, cols)) return;

    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++) {
            const size_t i = self->row + row + r, j = self->col + col + c;
            if (j <= i && block[r * cols + c] != 0) kkt_push(self->to, i, j, block[r * cols + c] * self->scale);
        }
}

typedef struct body_accumulator {
    st_accumulator accumulator;
    kkt *to;
    st_real factor;
    body_sink sink; // blocks of one pair are given before the next pair is asked for
} body_accumulator;

static body *find_body(kkt *self, const st_state *state) {
    const size_t i = st_pointer_table_get(&self->places, state, NULL);
    return i < self->bodies.count && self->bodies.data[i].state == state ? &self->bodies.data[i] : NULL;
}

static size_t enter_body(kkt *self, const st_state *state, st_real factor) {
    const body *known = find_body(self, state);
    if (known) return known->offset;

    const body fresh = {.state = state, .offset = self->unknowns, .factor = factor};
    if (!st_pointer_table_put(&self->places, state, NULL, self->bodies.count) || !st_list_push(&self->bodies, fresh))
        self->failed = true;
    self->unknowns += st_state_scalars(state);
    return fresh.offset;
}

static st_sink *kkt_between(st_accumulator *accumulator, const st_state *row, const st_state *col) {
    body_accumulator *a = (body_accumulator *)accumulator;
    const size_t i = enter_body(a->to, row, a->factor), j = enter_body(a->to, col, a->factor);
    a->sink = (body_sink){.sink = {.add = kkt_add_block},
                          .to = a->to,
                          .row = i,
                          .col = j,
                          .rows = st_state_scalars(row),
                          .cols = st_state_scalars(col),
                          .scale = 1 / a->factor};
    return &a->sink.sink;
}

static st_real factor_of(const st_correction *correction, const st_constraint_params *params) {
    st_real position = 0, velocity = 0;
    correction->object.type->correction->factors(correction, params, &position, &velocity);
    return params->order == ST_ORDER_VELOCITY ? velocity : position;
}

static void mark_corrected(kkt *self, const st_correction *correction) {
    for (size_t i = 0; i < correction->states.count; i++) {
        body *b = find_body(self, correction->states.data[i]);
        if (b) b->corrected = true;
    }
}

static st_status add_bodies(kkt *self, const st_constraint_params *params) {
    self->bodies.count = self->unknowns = self->triplets.count = 0;
    self->failed = false;

    // A/φ: every active correction gives the blocks of its states
    for (size_t i = 0; i < self->base.corrections.count; i++) {
        st_correction *correction = (st_correction *)self->base.corrections.data[i];
        const st_correction_ops *ops = correction->object.type->correction;
        if (!st_correction_is_active(&correction->object)) continue;

        const st_real factor = factor_of(correction, params);
        if (factor == 0) continue; // what it corrects does not answer to forces

        body_accumulator to = {.accumulator = {.between = kkt_between}, .to = self, .factor = factor};
        if (ops->add_matrix && ops->add_matrix(correction, &to.accumulator)) continue;

        st_message(
            &correction->object, ST_ERROR,
            "cannot give the matrix that %s needs: use UncoupledConstraintCorrection, or "
            "LinearSolverConstraintCorrection or GenericConstraintCorrection with an assembled linear system, or "
            "PrecomputedConstraintCorrection with at most %d scalars",
            st_path(&self->base.object), (int)ST_MOST_INVERTED);
        return ST_INVALID;
    }

    // rows act on the states of corrections; others of the same system only follow
    for (size_t i = 0; i < self->base.corrections.count; i++)
        if (st_correction_is_active(self->base.corrections.data[i]))
            mark_corrected(self, (st_correction *)self->base.corrections.data[i]);

    return self->failed || self->unknowns > INT32_MAX / 2 ? ST_OUT_OF_MEMORY : ST_OK;
}

static void add_rows(kkt *self) {
    // H, in the rows below those of the bodies
    for (size_t b = 0; b < self->bodies.count; b++) {
        const st_state *s = self->bodies.data[b].state;
        if (!self->bodies.data[b].corrected) continue;

        const size_t width = st_state_dof(s)->deriv;
        for (size_t e = 0; e < s->constraint.entries.count; e++) {
            const st_real *entry = st_jacobian_entry(&s->constraint, width, e);
            for (size_t k = 0; k < width; k++)
                if (entry[ST_ENTRY_HEAD + k] != 0)
                    kkt_push(self, self->unknowns + st_entry_row(entry),
                             self->bodies.data[b].offset + st_entry_dof(entry) * width + k, entry[ST_ENTRY_HEAD + k]);
        }
    }

    for (size_t i = 0; i < self->unknowns + self->base.problem->size; i++)
        kkt_push(self, i, i, 0); // every diagonal is there
}

// Triplets by row (a counting sort keeps their order), then by column within the short rows, equal places added up.
static bool kkt_compress(kkt *self) {
    const size_t n = self->unknowns + self->base.problem->size, count = self->triplets.count;
    if (!st_list_set_count(&self->starts, n + 1, 1) || !st_list_set_count(&self->fill, n + 1, 1) ||
        !st_list_set_count(&self->columns, count, 1) || !st_list_set_count(&self->values, count, 1))
        return false;

    // starts of the rows
    size_t *starts = self->starts.data, *fill = self->fill.data;
    memset(starts, 0, (n + 1) * sizeof *starts);
    for (size_t t = 0; t < count; t++) starts[self->triplets.data[t].row + 1]++;
    for (size_t i = 0; i < n; i++) starts[i + 1] += starts[i];
    memcpy(fill, starts, (n + 1) * sizeof *fill);

    // each triplet into its row, sorted by column
    for (size_t t = 0; t < count; t++) {
        const triplet *from = &self->triplets.data[t];
        size_t at = fill[from->row]++; // insertion: rows are short and nearly in order
        for (; at > starts[from->row] && self->columns.data[at - 1] > from->col; at--) {
            self->columns.data[at] = self->columns.data[at - 1];
            self->values.data[at] = self->values.data[at - 1];
        }
        self->columns.data[at] = from->col;
        self->values.data[at] = from->value;
    }

    // equal places added up; the rows move together
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t begin = starts[i], end = starts[i + 1];
        starts[i] = kept;
        for (size_t k = begin; k < end; k++) {
            if (kept > starts[i] && self->columns.data[kept - 1] == self->columns.data[k]) {
                self->values.data[kept - 1] += self->values.data[k];
                continue;
            }
            self->columns.data[kept] = self->columns.data[k];
            self->values.data[kept++] = self->values.data[k];
        }
    }

    starts[n] = kept;
    return true;
}

static st_real *diagonal(const kkt *self, size_t i) { return &self->values.data[self->starts.data[i + 1] - 1]; }

static bool find_softness(kkt *self) {
    const size_t n = self->base.problem->size;
    if (!st_list_set_count(&self->soft, n, 1)) return false;

    for (size_t r = 0; r < n; r++) self->soft.data[r] = self->compliance;
    for (size_t i = 0; i < self->base.corrections.count; i++)
        if (st_correction_is_active(self->base.corrections.data[i]))
            st_correction_regularize((st_correction *)self->base.corrections.data[i], self->soft.data, 1);
    return true;
}

// h A⁻¹ hᵀ of each row with the diagonal of A alone: the size of its compliance.
static bool find_scales(kkt *self) {
    const size_t n = self->base.problem->size;
    if (!st_list_set_count(&self->scale, n, 1)) return false;

    for (size_t r = 0; r < n; r++) {
        const size_t row = self->unknowns + r;
        self->scale.data[r] = 0;
        for (size_t k = self->starts.data[row]; k + 1 < self->starts.data[row + 1]; k++) {
            const st_real a = *diagonal(self, (size_t)self->columns.data[k]);
            if (a > 0) self->scale.data[r] += self->values.data[k] * self->values.data[k] / a;
        }
    }
    return true;
}

static st_status kkt_build(st_constraint_solver *solver, const st_constraint_params *params) {
    kkt *self = (kkt *)solver;
    if (!self->ldl && !(self->ldl = st_ldl_create())) return ST_OUT_OF_MEMORY;

    // the lower triangle: A/φ, with H below it
    st_status status = add_bodies(self, params);
    if (status != ST_OK) return status;
    add_rows(self);

    if (self->failed || !kkt_compress(self) || !find_scales(self) || !find_softness(self)) {
        st_message(&solver->object, ST_ERROR, "out of memory for a system of %zu unknowns and %zu constraints",
                   self->unknowns, solver->problem->size);
        return ST_OUT_OF_MEMORY;
    }

    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// One system: the rows that are held
// ---------------------------------------------------------------------------------------------------

static bool is_held(const kkt *self, size_t r) { return self->held.data[r] && self->scale.data[r] > 0; }

static st_real compliance_of(const kkt *self, size_t r) { return self->soft.data[r] + self->slip.data[r]; }

static st_status kkt_factor(kkt *self) {
    const size_t n = self->unknowns + self->base.problem->size;
    st_object *object = &self->base.object;

    // The entries of rows that are not held stay in the pattern; as zeros they decouple the row.
    if (!st_list_set_count(&self->work, self->starts.data[n], 1)) return ST_OUT_OF_MEMORY;
    st_real *values = self->work.data;
    st_copy_reals(values, self->values.data, self->starts.data[n]);

    // held: −(C + S + δ) on the diagonal
    for (size_t r = 0; r < self->base.problem->size; r++) {
        const size_t row = self->unknowns + r, last = self->starts.data[row + 1] - 1;
        const bool held = is_held(self, r);
        for (size_t k = self->starts.data[row]; k < last && !held; k++) values[k] = 0;
        values[last] = held ? -(compliance_of(self, r) + RELATIVE_DELTA * self->scale.data[r]) : -1;
    }

    const st_bsr matrix = {.height = 1,
                           .width = 1,
                           .rows = (int32_t)n,
                           .cols = (int32_t)n,
                           .starts = self->starts.data,
                           .columns = self->columns.data,
                           .values = values,
                           .capacity = self->starts.data[n]};

    size_t column = 0;
    st_status status = st_ldl_analyze(self->ldl, object->scene->pool, &matrix, ST_ORDERING_AMD, ST_LDL_LOWER);
    if (status == ST_OK) status = st_ldl_factor(self->ldl, object->scene->pool, &matrix, &column);

    if (status != ST_OK)
        st_message(object, ST_ERROR,
                   "the system of %zu unknowns and %zu constraints cannot be factored (unknown %zu): %s",
                   self->unknowns, self->base.problem->size, column, st_status_text(status));
    return status;
}

// residual = rhs − K x with the true matrix: no δ; rows that are not held only say f = 0.
static void find_residual(kkt *self) {
    const size_t m = self->unknowns, n = m + self->base.problem->size;
    const st_real *x = self->x.data;
    st_real *r = self->residual.data;

    st_copy_reals(r, self->rhs.data, n);
    for (size_t i = 0; i < n; i++) {
        const size_t last = self->starts.data[i + 1] - 1;
        if (i >= m && !is_held(self, i - m)) {
            r[i] = 0;
            continue;
        }

        // only the lower triangle is stored: each entry acts twice
        for (size_t k = self->starts.data[i]; k < last; k++) {
            const size_t j = (size_t)self->columns.data[k];
            r[i] -= self->values.data[k] * x[j];
            r[j] -= self->values.data[k] * x[i];
        }

        // the diagonal: A/φ, or −(C + S)
        r[i] -= (i < m ? self->values.data[last] : -compliance_of(self, i - m)) * x[i];
    }
}

static st_real kkt_largest(const st_real *v, size_t begin, size_t end) {
    st_real most = 0;
    for (size_t i = begin; i < end; i++) most = st_max(most, fabs(v[i]));
    return most;
}

// x = K⁻¹ rhs by the factor with δ and refinement; stops when the residual no longer falls.
static st_status solve_refined(kkt *self) {
    const size_t m = self->unknowns, n = m + self->base.problem->size;
    memset(self->x.data, 0, n * sizeof *self->x.data);
    st_copy_reals(self->residual.data, self->rhs.data, n);

    st_real last = ST_REAL_MAX;
    for (int i = 0; i < REFINEMENTS; i++) {
        // x += K_δ⁻¹ residual
        st_real *step = self->residual.data;
        const st_status status = st_ldl_solve(self->ldl, step, step);
        if (status != ST_OK) return status;
        for (size_t k = 0; k < n; k++) self->x.data[k] += step[k];

        // what is left of the constraints; refinement ends when it no longer halves
        find_residual(self);
        self->error = kkt_largest(self->residual.data, m, n);
        if (!(self->error < last / 2)) break;
        last = self->error;
        if (self->error == 0) break;
    }

    return isfinite(self->error) ? ST_OK : ST_FAILED;
}

// Right-hand side: what held rows have to come to.
static void set_rhs(kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    const size_t m = self->unknowns;

    memset(self->rhs.data, 0, (m + p->size) * sizeof *self->rhs.data);
    for (size_t r = 0; r < p->size; r++)
        if (is_held(self, r)) self->rhs.data[m + r] = self->target.data[r] - p->free.data[r];
}

static void take_forces(kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    for (size_t r = 0; r < p->size; r++) p->force.data[r] = is_held(self, r) ? -self->x.data[self->unknowns + r] : 0;
}

static st_real violation_of(const kkt *self, size_t r) {
    const st_constraint_problem *p = self->base.problem;
    const size_t row = self->unknowns + r;

    // d = d_free + C f + H y
    st_real d = p->free.data[r] + self->soft.data[r] * p->force.data[r];
    for (size_t k = self->starts.data[row]; k + 1 < self->starts.data[row + 1]; k++)
        d += self->values.data[k] * self->x.data[self->columns.data[k]];

    return d;
}

static st_status solve_held(kkt *self) {
    set_rhs(self);
    st_status status = kkt_factor(self);
    if (status == ST_OK) status = solve_refined(self);
    if (status == ST_OK) take_forces(self);
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Active set
// ---------------------------------------------------------------------------------------------------

static void kkt_hold(kkt *self, size_t r, bool on, st_real target) {
    self->held.data[r] = on;
    self->target.data[r] = target;
    self->slip.data[r] = self->secant.data[r] = 0;
}

// Tangents that stick have a small S, too: of many that hold one body, those share the force then that can bear it.
static st_real floor_of(const kkt *self, size_t t) {
    return SLIP_FLOOR * (self->scale.data[t] + self->scale.data[t + 1]);
}

// Rows that held in the last step hold first, when there are as many rows; else those that the free motion violates.
static void guess_rows(kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    const bool same = self->last_held.count == p->size;

    for (size_t b = 0; b < p->blocks.list.count; b++) {
        const st_resolution *block = &p->blocks.list.data[b];
        for (size_t l = 0; l < block->count; l++) {
            const size_t r = block->row + l;
            const st_real d = p->free.data[r];

            switch (block->kind) {
            case ST_RESOLVE_EQUALITY: kkt_hold(self, r, true, 0); break;
            case ST_RESOLVE_UNILATERAL: kkt_hold(self, r, same ? self->last_held.data[r] : d < 0, 0); break;
            case ST_RESOLVE_FRICTION: {
                // a contact that slid goes on with its S; a new one sticks at first
                const st_real slip = l == 0 ? 0 : same ? self->slip.data[r] : floor_of(self, block->row + 1);
                kkt_hold(self, r, same ? self->last_held.data[r] : p->free.data[block->row] < 0, 0);
                self->slip.data[r] = slip;
                break;
            }
            case ST_RESOLVE_INTERVAL:
                kkt_hold(self, r, d < block->low || d > block->high, d < block->low ? block->low : block->high);
                break;
            }
        }
    }
}

static st_real small(const kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    return 100 * ST_REAL_EPSILON * kkt_largest(p->free.data, 0, p->size);
}

// A normal row: let go when it pulls, taken in when it is violated. True when it changed.
static bool review_unilateral(kkt *self, size_t r) {
    const st_real f = self->base.problem->force.data[r];

    if (self->held.data[r] && f < 0) {
        kkt_hold(self, r, false, 0);
        return true;
    }

    if (self->held.data[r] || self->scale.data[r] == 0 || violation_of(self, r) >= -small(self)) return false;
    kkt_hold(self, r, true, 0);
    return true;
}

static bool review_interval(kkt *self, const st_resolution *block) {
    const size_t r = block->row;
    const st_real f = self->base.problem->force.data[r];

    // at a bound it may only push inwards
    if (self->held.data[r]) {
        const bool at_low = self->target.data[r] == block->low;
        if (block->low == block->high || (at_low ? f >= 0 : f <= 0)) return false;
        kkt_hold(self, r, false, 0);
        return true;
    }

    // taken in at the bound that it passed
    const st_real d = violation_of(self, r);
    if (self->scale.data[r] == 0 || (d >= block->low - small(self) && d <= block->high + small(self))) return false;
    kkt_hold(self, r, true, d < block->low ? block->low : block->high);
    return true;
}

// The next S of a contact whose tangents have the force |f| with the present one, where `most` is wanted. With the
// others as they are, 1/|f| = (W + S)/|d|, where W lies between 0 (others hold the same body) and somewhat more than w
// (alone): a secant finds it. Contacts that answer to each other can make secants run in circles; S |f|/most then goes
// on surely.
static st_real next_slip(kkt *self, size_t t, st_real length, st_real most, int iteration) {
    const st_real s = self->slip.data[t], w = (self->scale.data[t] + self->scale.data[t + 1]) / 2;
    const st_real inverse = 1 / length, last = self->secant.data[t + 1], change = s - self->secant.data[t];

    // slope of 1/|f| over S: that of the sure step S |f|/most, unless a secant is known
    st_real slope = inverse / s;
    if (iteration < SECANTS && last > 0)
        slope = fabs(change) > ST_R(1e-6) * s ? st_clamp((inverse - last) / change, inverse / (100 * w + s), slope)
                                              : inverse / (w + s); // points that are too close give rounding

    self->secant.data[t] = s;
    self->secant.data[t + 1] = inverse;

    // 1/|f| = 1/most
    st_real next = s + (1 / most - inverse) / slope;
    if (last == 0 && next > s) next = st_max(next, 2 * s); // the first one is a trial

    return next > floor_of(self, t) && isfinite(next) ? next : floor_of(self, t);
}

// The tangents of a contact that bears.
static bool review_friction(kkt *self, const st_resolution *block, st_real force, int iteration) {
    const size_t t = block->row + 1;
    const st_real *f = self->base.problem->force.data + block->row;
    const bool bears = self->held.data[block->row];

    if (!bears || !self->held.data[t]) { // they hold as soon as it bears, and stick at first
        const bool changed = bears != self->held.data[t];
        for (size_t k = 0; k < 2; k++) {
            kkt_hold(self, t + k, bears, 0);
            self->slip.data[t + k] = floor_of(self, t);
        }
        return changed;
    }

    // sliding has to meet the limit µ f_n, sticking to stay within
    const st_real length = sqrt(f[1] * f[1] + f[2] * f[2]),
                  most = st_max(block->friction * f[0], SLIP_TOLERANCE * force);
    const bool slides = self->slip.data[t] > floor_of(self, t);
    const st_real miss = slides ? fabs(length - most) : length - most;

    if (length == 0 || miss <= SLIP_TOLERANCE * most) return false;

    // another S
    const st_real next = next_slip(self, t, length, most, iteration);
    self->slip.data[t] = self->slip.data[t + 1] = next;
    return true;
}

// Rows go in and out only when friction has settled: forces of a friction that has not mean nothing. After some rounds
// it is one row at a time, so that two cannot push each other in and out for ever.
static bool review(kkt *self, int iteration, int *rounds) {
    const st_constraint_problem *p = self->base.problem;
    const st_real force = kkt_largest(p->force.data, 0, p->size);
    bool changed = false;

    // friction first
    for (size_t b = 0; b < p->blocks.list.count; b++)
        if (p->blocks.list.data[b].kind == ST_RESOLVE_FRICTION)
            changed = review_friction(self, &p->blocks.list.data[b], force, iteration) || changed;
    if (changed) return true;

    // then rows that pull, or are violated
    const bool one_by_one = ++*rounds > ROUNDS;
    for (size_t b = 0; b < p->blocks.list.count && !(changed && one_by_one); b++) {
        const st_resolution *block = &p->blocks.list.data[b];
        if (block->kind == ST_RESOLVE_INTERVAL) changed = review_interval(self, block) || changed;
        else if (block->kind != ST_RESOLVE_EQUALITY) changed = review_unilateral(self, block->row) || changed;
    }

    return changed;
}

// ---------------------------------------------------------------------------------------------------
// Sweeps
// ---------------------------------------------------------------------------------------------------

// Lets go of all contacts, and lists their rows.
static bool list_swept(kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    self->swept.count = 0;
    for (size_t b = 0; b < p->blocks.list.count; b++) {
        const st_resolution *block = &p->blocks.list.data[b];
        for (size_t r = block->row; r < block->row + block->count && block->kind != ST_RESOLVE_EQUALITY; r++) {
            kkt_hold(self, r, false, 0);
            if (!st_list_push(&self->swept, r)) return false;
        }
    }

    const size_t n = self->swept.count;
    return st_list_set_count(&self->w, n * n, 1) && st_list_set_count(&self->d, n, 1) &&
           st_list_set_count(&self->steps, 4 * n, 1);
}

static void add_row_to_rhs(kkt *self, size_t r, st_real f) {
    const size_t row = self->unknowns + r;
    for (size_t k = self->starts.data[row]; k + 1 < self->starts.data[row + 1]; k++)
        self->rhs.data[self->columns.data[k]] += self->values.data[k] * f;
}

static st_real row_times_motion(const kkt *self, size_t r) {
    const size_t row = self->unknowns + r;
    st_real sum = 0;
    for (size_t k = self->starts.data[row]; k + 1 < self->starts.data[row + 1]; k++)
        sum += self->values.data[k] * self->x.data[self->columns.data[k]];
    return sum;
}

// d = d_free + H y of the motion y that equalities alone cause, and W, column by column: how far each row moves by the
// unit force of another one while the equalities hold.
static st_status find_swept_compliance(kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    const size_t n = self->swept.count, *rows = self->swept.data;

    set_rhs(self);
    st_status status = kkt_factor(self);
    if (status == ST_OK) status = solve_refined(self);
    for (size_t i = 0; i < n; i++) self->d.data[i] = p->free.data[rows[i]] + row_times_motion(self, rows[i]);

    for (size_t j = 0; j < n && status == ST_OK; j++) {
        memset(self->rhs.data, 0, self->rhs.count * sizeof *self->rhs.data);
        add_row_to_rhs(self, rows[j], 1);
        status = solve_refined(self);
        for (size_t i = 0; i < n; i++) self->w.data[i * n + j] = row_times_motion(self, rows[i]);
        self->w.data[j * n + j] += self->soft.data[rows[j]];
    }
    return status;
}

// d of the rows of a block with the forces of all contacts. Rows of three are summed beside each other.
static void find_swept_violation(const kkt *self, size_t at, size_t count, const st_real *forces, st_real d[3]) {
    const size_t n = self->swept.count;
    const st_real *w = self->w.data + at * n;
    for (size_t l = 0; l < count; l++) d[l] = self->d.data[at + l];
    for (size_t j = 0; j < n && count == 3; j++) {
        d[0] += w[j] * forces[j];
        d[1] += w[n + j] * forces[j];
        d[2] += w[2 * n + j] * forces[j];
    }
    for (size_t l = 0; l < count && count != 3; l++)
        for (size_t j = 0; j < n; j++) d[l] += w[l * n + j] * forces[j];
}

// One sweep; returns the largest change of a force. Rows of a block are one after the other in the list, too.
static st_real sweep(kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    const size_t n = self->swept.count;
    st_real change = 0, *forces = self->steps.data + 3 * n;
    for (size_t i = 0; i < n; i++) forces[i] = p->force.data[self->swept.data[i]];

    for (size_t b = 0, at = 0; b < p->blocks.list.count; b++) {
        const st_resolution *block = &p->blocks.list.data[b];
        if (block->kind == ST_RESOLVE_EQUALITY) continue;

        // the block alone, at the forces that the others have now
        st_real d[3], *f = p->force.data + block->row;
        find_swept_violation(self, at, block->count, forces, d);
        const st_real *own = self->w.data + at * n + at;
        if (block->kind == ST_RESOLVE_FRICTION) st_resolve_friction(block, own, n, d, f);
        else block->ops->resolve(block, own, n, d, f);

        for (size_t l = 0; l < block->count; l++) {
            change = st_max(change, fabs(f[l] - forces[at + l]));
            forces[at + l] = f[l];
        }
        at += block->count;
    }
    return change;
}

// A sweep passes forces on from one body to the next only: in a pile, n² sweeps or more. Its changes g are therefore taken
// for gradients, and forces go on along conjugate directions p, as in NNCGConstraintSolver:
//
//     β = g'·g' / g·g;   f += β p,  p = β p + g';   where β > 1 the directions start again
//
// Tangents that contradict each other by little move the forces by equal steps, until one slides: p grows then.
static void accelerate(kkt *self, st_real *last) {
    const size_t n = self->swept.count, *rows = self->swept.data;
    const st_real *before = self->steps.data;
    st_real *g = self->steps.data + n, *direction = g + n, *f = self->base.problem->force.data, square = 0;
    for (size_t i = 0; i < n; i++) {
        g[i] = f[rows[i]] - before[i];
        square += g[i] * g[i];
    }

    // equal changes, but for rounding, go on
    const st_real ratio = *last > 0 ? square / *last : 2, beta = st_min(ratio, 1);
    const bool goes_on = ratio <= ST_R(1.0001);
    *last = square;
    for (size_t i = 0; i < n; i++) {
        if (goes_on) f[rows[i]] += beta * direction[i];
        direction[i] = goes_on ? beta * direction[i] + g[i] : 0;
    }
}

// Sweeps until the largest change is small relative to the forces. Where more tangents stick than a body has freedoms, they
// contradict each other by the curvature of its motion, and forces that cancel each other grow by the same amount with
// each sweep: changes that are small enough and no longer fall are the end, too. The last sweep is not accelerated: every
// force is inside of its cone.
static void sweep_all(kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    const size_t n = self->swept.count;
    st_real last = 0, earlier = ST_REAL_MAX;
    self->change = 1;

    bool goes_on = n > 0;
    for (int k = 1; goes_on; k++) {
        for (size_t i = 0; i < n; i++) self->steps.data[i] = p->force.data[self->swept.data[i]];
        const st_real change = sweep(self), force = kkt_largest(p->force.data, 0, p->size);
        self->change = force > 0 ? change / force : 0;

        goes_on = self->change > SWEPT && k < (n > 300 ? SWEEPS / 10 : SWEEPS); // so that a step ends
        if (goes_on && k % SWEEPS_BETWEEN == 0) {
            goes_on = self->change > SLIP_TOLERANCE / 2 || self->change < earlier / 2;
            earlier = self->change;
        }
        if (goes_on) accelerate(self, &last);
    }
}

// What holds and slides now: the next step starts from there.
static void take_swept(kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    for (size_t b = 0; b < p->blocks.list.count; b++) {
        const st_resolution *block = &p->blocks.list.data[b];
        const size_t r = block->row;
        const st_real *f = p->force.data + r;
        if (block->kind == ST_RESOLVE_EQUALITY) continue;

        kkt_hold(self, r, f[0] != 0, block->kind == ST_RESOLVE_INTERVAL && f[0] < 0 ? block->high : block->low);
        if (block->kind != ST_RESOLVE_FRICTION) continue;

        // d = −S f where it slides
        const st_real length = sqrt(f[1] * f[1] + f[2] * f[2]), t = violation_of(self, r + 1),
                      s = violation_of(self, r + 2);
        const st_real slip = length > 0 ? sqrt(t * t + s * s) / length : 0;
        for (size_t k = 1; k < 3; k++) {
            kkt_hold(self, r + k, f[0] != 0, 0);
            self->slip.data[r + k] = st_max(slip, floor_of(self, r + 1));
        }
    }
}

// The forces of contacts by sweeps, then the motion and the forces of equalities with them.
static st_status settle_by_sweeps(kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    if (!list_swept(self)) return ST_OUT_OF_MEMORY;

    st_status status = find_swept_compliance(self);
    if (status != ST_OK) return status;

    sweep_all(self);

    // A y = Hᵀ f
    set_rhs(self);
    for (size_t i = 0; i < self->swept.count; i++)
        add_row_to_rhs(self, self->swept.data[i], p->force.data[self->swept.data[i]]);
    status = solve_refined(self);
    for (size_t r = 0; r < p->size; r++)
        if (is_held(self, r)) p->force.data[r] = -self->x.data[self->unknowns + r];

    take_swept(self);
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Solve
// ---------------------------------------------------------------------------------------------------

static bool kkt_make_room(kkt *self) {
    const size_t rows = self->base.problem->size, n = self->unknowns + rows;
    return st_list_set_count(&self->rhs, n, 1) && st_list_set_count(&self->x, n, 1) &&
           st_list_set_count(&self->residual, n, 1) && st_list_set_count(&self->held, rows, 1) &&
           st_list_set_count(&self->target, rows, 1) && st_list_set_count(&self->slip, rows, 1) &&
           st_list_set_count(&self->secant, rows, 1);
}

// The row with the largest rest that refinement left.
static void report_conflict(const kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    const st_real most = st_max(kkt_largest(p->free.data, 0, p->size), kkt_largest(self->x.data, 0, self->unknowns));
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

static void report_stuck(const kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    for (size_t r = 0; r < p->size; r++) {
        st_law *law = p->row_laws.data[r];
        if (self->scale.data[r] > 0) continue;
        st_message_once(&law->object, "stuck", ST_WARNING,
                        "row %zu has no compliance: nothing that it acts on can move; its force stays 0",
                        r - law->first_row);
    }
}

static bool has_friction(const kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    for (size_t b = 0; b < p->blocks.list.count; b++)
        if (p->blocks.list.data[b].kind == ST_RESOLVE_FRICTION) return true;
    return false;
}

static st_status kkt_solve(st_constraint_solver *solver, const st_constraint_params *params) {
    (void)params;
    kkt *self = (kkt *)solver;
    st_constraint_problem *p = solver->problem;
    if (!kkt_make_room(self)) return ST_OUT_OF_MEMORY;

    // 1. a first guess of the rows that hold
    report_stuck(self);
    guess_rows(self);

    st_status status = ST_OK;
    bool settled = false;
    int32_t done = 0;
    int rounds = 0;

    // 2. to 4.
    const bool can_sweep = self->max_iterations > PATIENCE && has_friction(self) && p->size <= MOST_SWEPT;
    const int32_t most = can_sweep ? PATIENCE : self->max_iterations;
    while (status == ST_OK && !settled && done < most) {
        status = solve_held(self);
        if (status == ST_OK) settled = !review(self, done, &rounds);
        done++;
    }

    // 5.
    self->change = 0;
    if (status == ST_OK && !settled && can_sweep) {
        status = settle_by_sweeps(self);
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
    if (self->change > SLIP_TOLERANCE)
        st_message_once(&solver->object, "miss", ST_WARNING,
                        "after %d systems and sweeps over %zu contact rows forces still change by %g of the largest, "
                        "not by less than %g (said once)",
                        (int)done, self->swept.count, (double)self->change, (double)SLIP_TOLERANCE);

    // the next step starts with these rows
    if (!st_list_set_count(&self->last_held, p->size, 1)) return ST_OUT_OF_MEMORY;
    st_copy_bytes(self->last_held.data, self->held.data, p->size * sizeof *self->held.data);
    return ST_OK;
}

// Δ = y / φ is known already. Without constraints nothing was solved.
static st_status kkt_motion(st_constraint_solver *solver, const st_constraint_params *params) {
    kkt *self = (kkt *)solver;
    const bool any = solver->problem->size > 0;

    for (size_t i = 0; i < solver->corrections.count; i++) {
        const st_correction *correction = (st_correction *)solver->corrections.data[i];
        for (size_t s = 0; s < correction->states.count; s++) {
            const st_state *state = correction->states.data[s];
            const body *b = any ? find_body(self, state) : NULL;
            st_real *dx = st_dx_of(state, params->dx);
            for (size_t k = 0; k < st_state_scalars(state); k++)
                dx[k] = b ? self->x.data[b->offset + k] / b->factor : 0;
        }
    }
    return ST_OK;
}

static void kkt_reset(st_object *object) {
    ((kkt *)object)->last_held.count = 0;
    st_constraint_solver_class.reset(object);
}

static void kkt_destroy(st_object *object) {
    kkt *self = (kkt *)object;

    // the bodies and their matrix
    st_list_free(&self->bodies);
    st_pointer_table_free(&self->places);
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
    ST_FIELD(kkt, compliance, "compliance", st_type_real, "0",
             "compliance C of every constraint: how far it gives way per unit of its multiplier",
             .aliases = "regularizationTerm"),
    ST_FIELD(kkt, max_iterations, "maxIterations", st_type_int, "500",
             "most systems of one step, each with another active set or friction"),
    ST_FIELD(kkt, iterations, "currentIterations", st_type_int, "0", "systems solved in the last step",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(kkt, num_constraints, "currentNumConstraints", st_type_int, "0", "rows in the last step",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(kkt, error, "currentError", st_type_real, "0", "largest violation that the last step left",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

static st_status kkt_init(st_object *object) {
    const kkt *self = (kkt *)object;
    if (!(self->compliance >= 0) || !isfinite(self->compliance))
        return st_invalid(object, "compliance = %g must be 0 or more", (double)self->compliance);
    return ST_OK;
}

static const st_constraint_solver_ops ops = {.build = kkt_build, .solve = kkt_solve, .motion = kkt_motion};

const st_class st_kkt_constraint_solver_class = {
    .name = "KKTConstraintSolver",
    .help =
        "solves equalities exactly, together with the dynamics, in one factorization; inequalities by an active set",
    .parent = &st_constraint_solver_class,
    .fields = fields,
    .size = sizeof(kkt),
    .example = "<FreeMotionAnimationLoop/><KKTConstraintSolver/>",
    .init = kkt_init,
    .reset = kkt_reset,
    .destroy = kkt_destroy,
    .constraint_solver = &ops,
};
