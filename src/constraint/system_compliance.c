// W += factor H A⁻¹ Hᵀ by the linear solver of a system. The columns of a state begin at its place in the system, so
// that any number of objects under one solver work together.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/system_compliance.h"

#include "assembly/sink.h"
#include "linalg/bsr.h"
#include "solver/linear_solver.h"

st_status st_system_compliance_find(st_object *object, st_linear_solver **solver, st_integrator **integrator) {
    if (!*solver) *solver = (st_linear_solver *)st_find(object->node, ST_ROLE(linear_solver), ST_LOCAL);
    if (!*solver)
        return st_invalid(object,
                          "needs a linear solver: name one with linearSolver=\"@path\", or put one into its node");
    if (st_is_matrix_free(&(*solver)->object))
        return st_invalid(object,
                          "the linear solver %s has no matrix (template GraphScattered): use one with an "
                          "assembled matrix, such as SparseLDLSolver",
                          st_path(&(*solver)->object));
    if (!*integrator) *integrator = st_correction_find_integrator(object->node);
    if (!*integrator) return st_invalid(object, "there is no integrator in the scene");
    return ST_OK;
}

static size_t system_compliance_width_of(const st_state *s) { return st_state_dof(s)->deriv; }

// --- rows -------------------------------------------------------------------------------------------------

// Which rows have entries, and how many. `fill[k]` counts the scalars of row ids[k].
static bool count_rows(st_system_compliance *c, size_t size) {
    // rows that any state has
    if (!st_list_set_count(&c->place, size, 1)) return false;
    memset(c->place.data, 0xff, size * sizeof *c->place.data);
    for (size_t s = 0; s < c->states.count; s++) {
        const st_jacobian *j = &c->states.data[s]->constraint;
        for (size_t r = 0; r < j->rows.count; r++) c->place.data[j->rows.data[r]] = 0;
    }

    // numbered without gaps
    c->ids.count = 0;
    for (size_t row = 0; row < size; row++) {
        if (c->place.data[row] == UINT32_MAX) continue;
        c->place.data[row] = (uint32_t)c->ids.count;
        if (!st_list_push(&c->ids, (uint32_t)row)) return false;
    }

    if (!st_list_set_count(&c->starts, c->ids.count + 1, 1) || !st_list_set_count(&c->fill, c->ids.count, 1))
        return false;

    // scalars of each
    memset(c->starts.data, 0, c->starts.count * sizeof *c->starts.data);
    for (size_t s = 0; s < c->states.count; s++) {
        const st_jacobian *j = &c->states.data[s]->constraint;
        for (size_t r = 0; r < j->rows.count; r++)
            c->starts.data[c->place.data[j->rows.data[r]] + 1] +=
                (j->starts.data[r + 1] - j->starts.data[r]) * system_compliance_width_of(c->states.data[s]);
    }

    for (size_t k = 0; k < c->ids.count; k++) c->starts.data[k + 1] += c->starts.data[k];
    return st_list_set_count(&c->columns, c->starts.data[c->ids.count], 1) &&
           st_list_set_count(&c->values, c->starts.data[c->ids.count], 1);
}

static void fill_rows(st_system_compliance *c, const st_state *state, size_t offset) {
    const st_jacobian *j = &state->constraint;
    const size_t width = system_compliance_width_of(state);
    for (size_t e = 0; e < j->entries.count; e++) {
        const st_real *entry = st_jacobian_entry(j, width, e);
        size_t *at = &c->fill.data[c->place.data[st_entry_row(entry)]];
        for (size_t k = 0; k < width; k++, ++*at) {
            c->columns.data[*at] = (int32_t)(offset + st_entry_dof(entry) * width + k);
            c->values.data[*at] = entry[ST_ENTRY_HEAD + k];
        }
    }
}

static st_status gather_rows(st_system_compliance *c, const st_object *object, size_t size) {
    if (!count_rows(c, size)) return ST_OUT_OF_MEMORY;

    for (size_t k = 0; k < c->ids.count; k++) c->fill.data[k] = c->starts.data[k];
    for (size_t s = 0; s < c->states.count; s++) {
        const size_t offset = st_correction_offset(c->solver->system, c->states.data[s]);
        if (offset == SIZE_MAX) {
            st_message(object, ST_ERROR, "the state %s is not part of the linear system of %s",
                       st_path(&c->states.data[s]->object), c->solver->object.name);
            return ST_INVALID;
        }

        fill_rows(c, c->states.data[s], offset);
    }
    return ST_OK;
}

st_status st_system_compliance_add(st_system_compliance *c, const st_object *object, st_real factor, size_t size,
                                   st_real *w) {
    if (!c->solver || !c->solver->system) {
        st_message(object, ST_ERROR, "there is no linear system to take the compliance from");
        return ST_INVALID;
    }

    st_status status = gather_rows(c, object, size);
    if (status != ST_OK || c->ids.count == 0) return status;

    // all rows: straight into W
    const size_t m = c->ids.count;
    const st_sparse_rows rows = {
        .count = m, .starts = c->starts.data, .columns = c->columns.data, .values = c->values.data};
    if (m == size) return st_linear_solver_compliance(c->solver, &rows, factor, w);

    // some of them: by way of a part of its own
    if (!st_list_set_count(&c->part, m * m, 1)) return ST_OUT_OF_MEMORY;
    memset(c->part.data, 0, m * m * sizeof *c->part.data);
    status = st_linear_solver_compliance(c->solver, &rows, factor, c->part.data);

    for (size_t a = 0; status == ST_OK && a < m; a++)
        for (size_t b = 0; b < m; b++) w[c->ids.data[a] * size + c->ids.data[b]] += c->part.data[a * m + b];
    return status;
}

// --- motion ------------------------------------------------------------------------------------------------

st_status st_system_compliance_motion(st_system_compliance *c, const st_constraint_params *params) {
    st_system *system = c->solver ? c->solver->system : NULL;
    if (!system || !system->rhs) return ST_OK;

    // right-hand side: λ of all its states
    bool any = false;
    memset(system->rhs, 0, system->size * sizeof *system->rhs);
    for (size_t s = 0; s < c->states.count; s++) {
        const st_state *state = c->states.data[s];
        const size_t offset = st_correction_offset(system, state);
        if (offset == SIZE_MAX || state->size == 0) continue;

        st_copy_reals(system->rhs + offset, st_force_of(state, params->lambda), st_state_scalars(state));
        any = any || state->constraint.rows.count > 0;
    }

    if (any) {
        memset(system->solution, 0, system->size * sizeof *system->solution);
        const st_status status = st_linear_solve(c->solver);
        if (status != ST_OK) return status;
    }

    // dx, or 0 where no constraint acts
    for (size_t s = 0; s < c->states.count; s++) {
        const st_state *state = c->states.data[s];
        const size_t offset = st_correction_offset(system, state), bytes = st_state_scalars(state) * sizeof(st_real);

        if (state->size == 0) continue;
        if (any && offset != SIZE_MAX) memcpy(st_dx_of(state, params->dx), system->solution + offset, bytes);
        else memset(st_dx_of(state, params->dx), 0, bytes);
    }
    return ST_OK;
}

// --- matrix ------------------------------------------------------------------------------------------------

// Columns of a row increase: its blocks come state by state.
static void system_compliance_add_row(const st_bsr *a, const st_plan *plan, size_t i, size_t row, st_accumulator *to) {
    const size_t b = (size_t)a->block;
    st_sink *sink = NULL;
    size_t k = 0;

    for (size_t slot = a->starts[row]; slot < a->starts[row + 1]; slot++) {
        const size_t col = (size_t)a->columns[slot] * b;

        if (!sink || col >= plan->offsets[k + 1]) {
            while (col >= plan->offsets[k + 1]) k++;
            sink = to->between(to, plan->independent.data[i], plan->independent.data[k]);
        }

        sink->add(sink, row * b - plan->offsets[i], col - plan->offsets[k], (int)b, (int)b, a->values + slot * b * b);
    }
}

bool st_system_compliance_matrix(const st_system_compliance *c, st_accumulator *to) {
    st_system *system = c->solver ? c->solver->system : NULL;
    const st_system_ops *ops = system ? system->object.type->system : NULL;
    const st_bsr *a = ops && ops->matrix ? ops->matrix(system) : NULL;
    const st_plan *plan = system ? system->plan : NULL;
    if (!a || !plan || st_bsr_scalar_rows(a) != plan->size) return false;
    // Every state is named once in the order of the system, those without entries, too.
    for (size_t i = 0; i < plan->independent.count; i++)
        to->between(to, plan->independent.data[i], plan->independent.data[i]);

    const size_t b = (size_t)a->block;
    for (size_t i = 0; i < plan->independent.count; i++)
        for (size_t row = plan->offsets[i] / b; row < plan->offsets[i + 1] / b; row++)
            system_compliance_add_row(a, plan, i, row, to);
    return true;
}

void st_system_compliance_free(st_system_compliance *c) {
    st_list_free(&c->states);
    st_list_free(&c->ids);
    st_list_free(&c->starts);
    st_list_free(&c->fill);
    st_list_free(&c->columns);
    st_list_free(&c->values);
    st_list_free(&c->place);
    st_list_free(&c->part);
}
