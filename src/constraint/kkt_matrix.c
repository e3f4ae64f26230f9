// The matrix of KKTConstraintSolver: A/φ of the bodies with H of all constraints below it, lower triangle. Corrections give
// blocks of A as triplets; they are compressed to scalar rows, since constraint rows come and go from step to step.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/kkt.h"

#include "state/sink.h"

static bool kkt_push(st_kkt *self, size_t row, size_t col, st_real value) {
    const st_kkt_triplet t = {.row = (int32_t)row, .col = (int32_t)col, .value = value};
    const bool ok = st_list_push(&self->triplets, t);
    if (!ok) self->failed = true;
    return ok;
}

// Blocks of A of one correction, divided by φ; only the lower triangle is kept.
typedef struct body_sink {
    st_sink sink;
    st_kkt *to;
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
    st_kkt *to;
    st_real factor;
    body_sink sink; // blocks of one pair are given before the next pair is asked for
} body_accumulator;

st_kkt_body *st_kkt_find_body(st_kkt *self, const st_state *state) {
    size_t i = SIZE_MAX;
    if (state->index < self->places.count) i = self->places.data[state->index];

    // states that no plan has numbered yet share the number 0
    for (size_t k = 0; state->index == 0 && k < self->bodies.count; k++)
        if (self->bodies.data[k].state == state) i = k;
    return i < self->bodies.count && self->bodies.data[i].state == state ? &self->bodies.data[i] : NULL;
}

static bool keep_place(st_kkt *self, size_t index, size_t place) {
    const size_t count = self->places.count;
    if (index >= count && !st_list_set_count(&self->places, index + 1, 1)) return false;
    for (size_t i = count; i < index; i++) self->places.data[i] = SIZE_MAX;
    self->places.data[index] = place;
    return true;
}

static size_t enter_body(st_kkt *self, const st_state *state, st_real factor) {
    const st_kkt_body *known = st_kkt_find_body(self, state);
    if (known) return known->offset;

    const st_kkt_body fresh = {.state = state, .offset = self->unknowns, .factor = factor};
    if (!keep_place(self, state->index, self->bodies.count) || !st_list_push(&self->bodies, fresh)) self->failed = true;
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

static void mark_corrected(st_kkt *self, const st_correction *correction) {
    for (size_t i = 0; i < correction->states.count; i++) {
        st_kkt_body *b = st_kkt_find_body(self, correction->states.data[i]);
        if (b) b->corrected = true;
    }
}

static st_status add_bodies(st_kkt *self, const st_constraint_params *params) {
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

static void add_rows(st_kkt *self) {
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
static bool kkt_compress(st_kkt *self) {
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
        const st_kkt_triplet *from = &self->triplets.data[t];
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

static st_real *diagonal(const st_kkt *self, size_t i) { return &self->values.data[self->starts.data[i + 1] - 1]; }

static bool find_softness(st_kkt *self) {
    const size_t n = self->base.problem->size;
    if (!st_list_set_count(&self->soft, n, 1)) return false;

    for (size_t r = 0; r < n; r++) self->soft.data[r] = self->compliance;
    for (size_t i = 0; i < self->base.corrections.count; i++)
        if (st_correction_is_active(self->base.corrections.data[i]))
            st_correction_regularize((st_correction *)self->base.corrections.data[i], self->soft.data, 1);
    return true;
}

// h A⁻¹ hᵀ of each row with the diagonal of A alone: the size of its compliance.
static bool find_scales(st_kkt *self) {
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

st_status st_kkt_build(st_constraint_solver *solver, const st_constraint_params *params) {
    st_kkt *self = (st_kkt *)solver;
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
