// Sweeps of KKTConstraintSolver, for friction that the active set does not settle: the contacts one after the other, with the
// compliance that they have by bodies and equalities together,
//
//     d = d₀ + W f,   W = H (A + equalities)⁻¹ Hᵀ
//
// and conjugate directions over whole sweeps, so that forces pass through a pile in few of them.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/kkt.h"

enum { SWEEPS = 20000 };
enum { SWEEPS_BETWEEN = 400 }; // after which the change of forces must have halved
#ifdef SETTEE_REAL_FLOAT
#define SWEPT ST_R(1e-6)
#else
#define SWEPT ST_R(1e-11)
#endif

// Lets go of all contacts, and lists their rows.
static bool list_swept(st_kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    self->swept.count = 0;
    for (size_t b = 0; b < p->blocks.list.count; b++) {
        const st_resolution *block = &p->blocks.list.data[b];
        for (size_t r = block->row; r < block->row + block->count && block->kind != ST_RESOLVE_EQUALITY; r++) {
            st_kkt_hold(self, r, false, 0);
            if (!st_list_push(&self->swept, r)) return false;
        }
    }

    const size_t n = self->swept.count;
    return st_list_set_count(&self->w, n * n, 1) && st_list_set_count(&self->d, n, 1) &&
           st_list_set_count(&self->steps, 4 * n, 1);
}

static void add_row_to_rhs(st_kkt *self, size_t r, st_real f) {
    const size_t row = self->unknowns + r;
    for (size_t k = self->starts.data[row]; k + 1 < self->starts.data[row + 1]; k++)
        self->rhs.data[self->columns.data[k]] += self->values.data[k] * f;
}

static st_real row_times_motion(const st_kkt *self, size_t r) {
    const size_t row = self->unknowns + r;
    st_real sum = 0;
    for (size_t k = self->starts.data[row]; k + 1 < self->starts.data[row + 1]; k++)
        sum += self->values.data[k] * self->x.data[self->columns.data[k]];
    return sum;
}

// d = d_free + H y of the motion y that equalities alone cause, and W, column by column: how far each row moves by the
// unit force of another one while the equalities hold.
static st_status find_swept_compliance(st_kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    const size_t n = self->swept.count, *rows = self->swept.data;

    st_kkt_set_rhs(self);
    st_status status = st_kkt_factor(self);
    if (status == ST_OK) status = st_kkt_solve_refined(self);
    for (size_t i = 0; i < n; i++) self->d.data[i] = p->free.data[rows[i]] + row_times_motion(self, rows[i]);

    for (size_t j = 0; j < n && status == ST_OK; j++) {
        memset(self->rhs.data, 0, self->rhs.count * sizeof *self->rhs.data);
        add_row_to_rhs(self, rows[j], 1);
        status = st_kkt_solve_refined(self);
        for (size_t i = 0; i < n; i++) self->w.data[i * n + j] = row_times_motion(self, rows[i]);
        self->w.data[j * n + j] += self->soft.data[rows[j]];
    }
    return status;
}

// d of the rows of a block with the forces of all contacts. Rows of three are summed beside each other.
static void find_swept_violation(const st_kkt *self, size_t at, size_t count, const st_real *forces, st_real d[3]) {
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
static st_real sweep(st_kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    const size_t n = self->swept.count;
    st_real change = 0, *forces = self->steps.data + 3 * n;
    for (size_t i = 0; i < n; i++) forces[i] = p->force.data[self->swept.data[i]];

    for (size_t b = 0, at = 0; b < p->blocks.list.count; b++) {
        const st_resolution *block = &p->blocks.list.data[b];
        if (block->kind == ST_RESOLVE_EQUALITY) continue;

        // by the law of the block, with what all forces cause
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
static void accelerate(st_kkt *self, st_real *last) {
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
static void sweep_all(st_kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    const size_t n = self->swept.count;
    st_real last = 0, earlier = ST_REAL_MAX;
    self->change = 1;

    bool goes_on = n > 0;
    for (int k = 1; goes_on; k++) {
        for (size_t i = 0; i < n; i++) self->steps.data[i] = p->force.data[self->swept.data[i]];
        const st_real change = sweep(self), force = st_kkt_largest(p->force.data, 0, p->size);
        self->change = force > 0 ? change / force : 0;

        goes_on = self->change > SWEPT && k < (n > 300 ? SWEEPS / 10 : SWEEPS); // so that a step ends
        if (goes_on && k % SWEEPS_BETWEEN == 0) {
            goes_on = self->change > ST_KKT_TOLERANCE / 2 || self->change < earlier / 2;
            earlier = self->change;
        }
        if (goes_on) accelerate(self, &last);
    }
}

// What holds and slides now: the next step starts from there.
static void take_swept(st_kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    for (size_t b = 0; b < p->blocks.list.count; b++) {
        const st_resolution *block = &p->blocks.list.data[b];
        const size_t r = block->row;
        const st_real *f = p->force.data + r;
        if (block->kind == ST_RESOLVE_EQUALITY) continue;

        st_kkt_hold(self, r, f[0] != 0, block->kind == ST_RESOLVE_INTERVAL && f[0] < 0 ? block->high : block->low);
        if (block->kind != ST_RESOLVE_FRICTION) continue;

        // d = −S f where it slides
        const st_real length = sqrt(f[1] * f[1] + f[2] * f[2]), t = st_kkt_violation(self, r + 1),
                      s = st_kkt_violation(self, r + 2);
        const st_real slip = length > 0 ? sqrt(t * t + s * s) / length : 0;
        for (size_t k = 1; k < 3; k++) {
            st_kkt_hold(self, r + k, f[0] != 0, 0);
            self->slip.data[r + k] = st_max(slip, st_kkt_floor(self, r + 1));
        }
    }
}

// The forces of contacts by sweeps, then the motion and the forces of equalities with them.
st_status st_kkt_settle_by_sweeps(st_kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    if (!list_swept(self)) return ST_OUT_OF_MEMORY;

    st_status status = find_swept_compliance(self);
    if (status != ST_OK) return status;

    sweep_all(self);

    // A y = Hᵀ f
    st_kkt_set_rhs(self);
    for (size_t i = 0; i < self->swept.count; i++)
        add_row_to_rhs(self, self->swept.data[i], p->force.data[self->swept.data[i]]);
    status = st_kkt_solve_refined(self);
    for (size_t r = 0; r < p->size; r++)
        if (st_kkt_is_held(self, r)) p->force.data[r] = -self->x.data[self->unknowns + r];

    take_swept(self);
    return status;
}
