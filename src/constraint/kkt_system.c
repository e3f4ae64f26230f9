// One system of KKTConstraintSolver: some rows are held as equalities, the others have no force. It is factored with a
// small δ on the diagonal of the constraints and solved; refinement with the true matrix takes δ out again:
//
//     r = rhs − K x,   x += (K + δ)⁻¹ r,   until r no longer falls
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/kkt.h"

enum { REFINEMENTS = 40 };
#ifdef SETTEE_REAL_FLOAT
#define RELATIVE_DELTA ST_R(1e-4)
#else
#define RELATIVE_DELTA ST_R(1e-9)
#endif

bool st_kkt_is_held(const st_kkt *self, size_t r) { return self->held.data[r] && self->scale.data[r] > 0; }

static st_real compliance_of(const st_kkt *self, size_t r) { return self->soft.data[r] + self->slip.data[r]; }

st_status st_kkt_factor(st_kkt *self) {
    const size_t n = self->unknowns + self->base.problem->size;
    st_object *object = &self->base.object;

    // The entries of rows that are not held stay in the pattern; as zeros they decouple the row.
    if (!st_list_set_count(&self->work, self->starts.data[n], 1)) return ST_OUT_OF_MEMORY;
    st_real *values = self->work.data;
    st_copy_reals(values, self->values.data, self->starts.data[n]);

    // held: −(C + S + δ) on the diagonal
    for (size_t r = 0; r < self->base.problem->size; r++) {
        const size_t row = self->unknowns + r, last = self->starts.data[row + 1] - 1;
        const bool held = st_kkt_is_held(self, r);
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
static void find_residual(st_kkt *self) {
    const size_t m = self->unknowns, n = m + self->base.problem->size;
    const st_real *x = self->x.data;
    st_real *r = self->residual.data;

    st_copy_reals(r, self->rhs.data, n);
    for (size_t i = 0; i < n; i++) {
        const size_t last = self->starts.data[i + 1] - 1;
        if (i >= m && !st_kkt_is_held(self, i - m)) {
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

st_real st_kkt_largest(const st_real *v, size_t begin, size_t end) {
    st_real most = 0;
    for (size_t i = begin; i < end; i++) most = st_max(most, fabs(v[i]));
    return most;
}

// x = K⁻¹ rhs by the factor with δ and refinement; stops when the residual no longer falls.
st_status st_kkt_solve_refined(st_kkt *self) {
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
        self->error = st_kkt_largest(self->residual.data, m, n);
        if (!(self->error < last / 2)) break;
        last = self->error;
        if (self->error == 0) break;
    }

    return isfinite(self->error) ? ST_OK : ST_FAILED;
}

// Right-hand side: what held rows have to come to.
void st_kkt_set_rhs(st_kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    const size_t m = self->unknowns;

    memset(self->rhs.data, 0, (m + p->size) * sizeof *self->rhs.data);
    for (size_t r = 0; r < p->size; r++)
        if (st_kkt_is_held(self, r)) self->rhs.data[m + r] = self->target.data[r] - p->free.data[r];
}

static void take_forces(st_kkt *self) {
    const st_constraint_problem *p = self->base.problem;
    for (size_t r = 0; r < p->size; r++)
        p->force.data[r] = st_kkt_is_held(self, r) ? -self->x.data[self->unknowns + r] : 0;
}

st_real st_kkt_violation(const st_kkt *self, size_t r) {
    const st_constraint_problem *p = self->base.problem;
    const size_t row = self->unknowns + r;

    // d = d_free + C f + H y
    st_real d = p->free.data[r] + self->soft.data[r] * p->force.data[r];
    for (size_t k = self->starts.data[row]; k + 1 < self->starts.data[row + 1]; k++)
        d += self->values.data[k] * self->x.data[self->columns.data[k]];

    return d;
}

st_status st_kkt_solve_held(st_kkt *self) {
    st_kkt_set_rhs(self);
    st_status status = st_kkt_factor(self);
    if (status == ST_OK) status = st_kkt_solve_refined(self);
    if (status == ST_OK) take_forces(self);
    return status;
}
