// The active set of KKTConstraintSolver: which rows are held, and how soft sliding tangents are. A row that pulls is let go,
// one that is violated is taken in; a contact slides with the compliance S for which |f| = µ f_n, found by secants in 1/|f|.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/kkt.h"

enum { ROUNDS = 20, SECANTS = 12 };
#ifdef SETTEE_REAL_FLOAT
#define SLIP_FLOOR ST_R(1e-3)
#else
#define SLIP_FLOOR ST_R(1e-6)
#endif

void st_kkt_hold(st_kkt *self, size_t r, bool on, st_real target) {
    self->held.data[r] = on;
    self->target.data[r] = target;
    self->slip.data[r] = self->secant.data[r] = 0;
}

// Tangents that stick have a small S, too: of many that hold one body, those share the force then that can bear it.
st_real st_kkt_floor(const st_kkt *self, size_t t) {
    return SLIP_FLOOR * (self->scale.data[t] + self->scale.data[t + 1]);
}

// Rows that held in the last step hold first, when there are as many rows; else those that the free motion violates.
void st_kkt_guess_rows(st_kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    const bool same = self->last_held.count == p->size;

    for (size_t b = 0; b < p->blocks.list.count; b++) {
        const st_resolution *block = &p->blocks.list.data[b];
        for (size_t l = 0; l < block->count; l++) {
            const size_t r = block->row + l;
            const st_real d = p->free.data[r];

            switch (block->kind) {
            case ST_RESOLVE_EQUALITY: st_kkt_hold(self, r, true, 0); break;
            case ST_RESOLVE_UNILATERAL: st_kkt_hold(self, r, same ? self->last_held.data[r] : d < 0, 0); break;
            case ST_RESOLVE_FRICTION: {
                // a contact that slid goes on with its S; a new one sticks at first
                const st_real slip = l == 0 ? 0 : same ? self->slip.data[r] : st_kkt_floor(self, block->row + 1);
                st_kkt_hold(self, r, same ? self->last_held.data[r] : p->free.data[block->row] < 0, 0);
                self->slip.data[r] = slip;
                break;
            }
            case ST_RESOLVE_INTERVAL:
                st_kkt_hold(self, r, d < block->low || d > block->high, d < block->low ? block->low : block->high);
                break;
            }
        }
    }
}

static st_real small(const st_kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    return 100 * ST_REAL_EPSILON * st_kkt_largest(p->free.data, 0, p->size);
}

// A normal row: let go when it pulls, taken in when it is violated. True when it changed.
static bool review_unilateral(st_kkt *self, size_t r) {
    const st_real f = self->base.problem->force.data[r];

    if (self->held.data[r] && f < 0) {
        st_kkt_hold(self, r, false, 0);
        return true;
    }

    if (self->held.data[r] || self->scale.data[r] == 0 || st_kkt_violation(self, r) >= -small(self)) return false;
    st_kkt_hold(self, r, true, 0);
    return true;
}

static bool review_interval(st_kkt *self, const st_resolution *block) {
    const size_t r = block->row;
    const st_real f = self->base.problem->force.data[r];

    // at a bound it may only push inwards
    if (self->held.data[r]) {
        const bool at_low = self->target.data[r] == block->low;
        if (block->low == block->high || (at_low ? f >= 0 : f <= 0)) return false;
        st_kkt_hold(self, r, false, 0);
        return true;
    }

    // taken in at the bound that it passed
    const st_real d = st_kkt_violation(self, r);
    if (self->scale.data[r] == 0 || (d >= block->low - small(self) && d <= block->high + small(self))) return false;
    st_kkt_hold(self, r, true, d < block->low ? block->low : block->high);
    return true;
}

// The next S of a contact whose tangents have the force |f| with the present one, where `most` is wanted. With the
// others as they are, 1/|f| = (W + S)/|d|, where W lies between 0 (others hold the same body) and somewhat more than w
// (alone): a secant finds it. Contacts that answer to each other can make secants run in circles; S |f|/most then goes
// on surely.
static st_real next_slip(st_kkt *self, size_t t, st_real length, st_real most, int iteration) {
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

    return next > st_kkt_floor(self, t) && isfinite(next) ? next : st_kkt_floor(self, t);
}

// The tangents of a contact that bears.
static bool review_friction(st_kkt *self, const st_resolution *block, st_real force, int iteration) {
    const size_t t = block->row + 1;
    const st_real *f = self->base.problem->force.data + block->row;
    const bool bears = self->held.data[block->row];

    if (!bears || !self->held.data[t]) { // they hold as soon as it bears, and stick at first
        const bool changed = bears != self->held.data[t];
        for (size_t k = 0; k < 2; k++) {
            st_kkt_hold(self, t + k, bears, 0);
            self->slip.data[t + k] = st_kkt_floor(self, t);
        }
        return changed;
    }

    // sliding has to meet the limit µ f_n, sticking to stay within
    const st_real length = sqrt(f[1] * f[1] + f[2] * f[2]),
                  most = st_max(block->friction * f[0], ST_KKT_TOLERANCE * force);
    const bool slides = self->slip.data[t] > st_kkt_floor(self, t);
    const st_real miss = slides ? fabs(length - most) : length - most;

    if (length == 0 || miss <= ST_KKT_TOLERANCE * most) return false;

    // another S
    const st_real next = next_slip(self, t, length, most, iteration);
    self->slip.data[t] = self->slip.data[t + 1] = next;
    return true;
}

// Rows go in and out only when friction has settled: forces of a friction that has not mean nothing. After some rounds
// it is one row at a time, so that two cannot push each other in and out for ever.
bool st_kkt_review(st_kkt *self, int iteration, int *rounds) {
    const st_constraint_problem *p = self->base.problem;
    const st_real force = st_kkt_largest(p->force.data, 0, p->size);
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
