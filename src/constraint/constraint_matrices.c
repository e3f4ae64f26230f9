// W, H, the multipliers and the violations of the last constraint problem, as the views of settee/matrix.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/constraint_matrices.h"

#include "constraint/problem.h"
#include "state/sink.h"

// A problem was built, and the scene is still the one that it was built for.
static st_constraint_problem *problem_of(const st_constraint_solver *solver) {
    st_constraint_problem *p = solver ? solver->problem : NULL;
    return p && p->node && p->structure == solver->object.scene->structure ? p : NULL;
}

// --- W -------------------------------------------------------------------------------------------------

// W is dense: every row has all columns.
st_status st_problem_view_compliance(st_constraint_solver *solver, st_matrix_view *view) {
    st_constraint_problem *p = problem_of(solver);
    if (!p) return ST_NOT_FOUND;

    // an unbuilt solver has no W: it is assembled now
    const bool there = p->assembled || p->size == 0;
    const st_status status = there ? ST_OK : st_problem_gather_compliance(solver, &p->params);
    const size_t n = p->size;
    if (status != ST_OK) return status;

    // the pattern of a full matrix
    if (!st_list_set_count(&p->w_starts, n + 1, 1) || !st_list_set_count(&p->w_columns, n * n, 1))
        return ST_OUT_OF_MEMORY;
    for (size_t i = 0; i <= n; i++) p->w_starts.data[i] = i * n;
    for (size_t i = 0; i < n * n; i++) p->w_columns.data[i] = (int32_t)(i % n);

    *view = (st_matrix_view){.rows = n,
                             .cols = n,
                             .block = 1,
                             .starts = p->w_starts.data,
                             .columns = p->w_columns.data,
                             .values = p->w.data};
    return ST_OK;
}

// --- H -------------------------------------------------------------------------------------------------

static void count_entries(size_t *starts, const st_state *s) {
    const size_t width = st_state_dof(s)->deriv;
    for (size_t r = 0; r < s->constraint.rows.count; r++)
        starts[s->constraint.rows.data[r] + 1] +=
            (s->constraint.starts.data[r + 1] - s->constraint.starts.data[r]) * width;
}

// States come in increasing order of columns: each appends to the rows.
static void fill_entries(st_constraint_problem *p, const st_state *s, size_t offset) {
    const size_t width = st_state_dof(s)->deriv;

    for (size_t e = 0; e < s->constraint.entries.count; e++) {
        const st_real *entry = st_jacobian_entry(&s->constraint, width, e);
        size_t *at = &p->h_starts.data[st_entry_row(entry)];
        for (size_t k = 0; k < width; k++, ++*at) {
            p->h_columns.data[*at] = (int32_t)(offset + st_entry_dof(entry) * width + k);
            p->h_values.data[*at] = entry[ST_ENTRY_HEAD + k];
        }
    }
}

st_status st_problem_view_rows(st_constraint_solver *solver, st_matrix_view *view) {
    st_constraint_problem *p = problem_of(solver);
    st_plan *plan = p ? st_plan_of(p->node) : NULL;
    if (!p) return ST_NOT_FOUND;
    if (!plan || !st_list_set_count(&p->h_starts, p->size + 1, 1)) return ST_OUT_OF_MEMORY;

    // the starts of the rows, from the number of their entries
    size_t *starts = p->h_starts.data;
    memset(starts, 0, (p->size + 1) * sizeof *starts);
    for (size_t i = 0; i < plan->independent.count; i++) count_entries(starts, plan->independent.data[i]);
    for (size_t i = 0; i < p->size; i++) starts[i + 1] += starts[i];

    const size_t count = starts[p->size];
    if (!st_list_set_count(&p->h_columns, count, 1) || !st_list_set_count(&p->h_values, count, 1))
        return ST_OUT_OF_MEMORY;

    // state by state; `starts` moves along with what is filled in
    for (size_t i = 0; i < plan->independent.count; i++) fill_entries(p, plan->independent.data[i], plan->offsets[i]);
    for (size_t i = p->size; i > 0; i--) starts[i] = starts[i - 1]; // filling moved each start to its row's end
    starts[0] = 0;

    *view = (st_matrix_view){.rows = p->size,
                             .cols = plan->size,
                             .block = 1,
                             .starts = starts,
                             .columns = p->h_columns.data,
                             .values = p->h_values.data};
    return ST_OK;
}

// --- vectors ---------------------------------------------------------------------------------------------

static st_status view_vector(const st_constraint_problem *p, const st_reals *values, st_vector_view *view) {
    if (!p) return ST_NOT_FOUND;
    *view = (st_vector_view){.count = values->count, .values = values->data};
    return ST_OK;
}

st_status st_problem_view_multipliers(const st_constraint_solver *solver, st_vector_view *view) {
    const st_constraint_problem *p = problem_of(solver);
    return view_vector(p, p ? &p->force : NULL, view);
}

st_status st_problem_view_violations(const st_constraint_solver *solver, st_vector_view *view) {
    const st_constraint_problem *p = problem_of(solver);
    return view_vector(p, p ? &p->free : NULL, view);
}
