// Which mapped states are copies of others, and the sinks that lead from them to what they copy. See mapped.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "assembly/mapped.h"
#include "base/array.h"
#include "mapping/states.h"

// ---------------------------------------------------------------------------------------------------
// Structure
// ---------------------------------------------------------------------------------------------------

// The mapping onto it says that it copies, and no DOF has more scalars than what it is a copy of.
static bool is_copy(const st_mapped_state *state) {
    if (state->independent != SIZE_MAX || !state->driver) return false;

    const st_mapping *mapping = state->driver;
    if (!(mapping->object.type->flags & ST_CLASS_COPIES_DOFS)) return false;

    for (size_t i = 0; i < mapping->input.count; i++)
        if (st_state_dof((const st_state *)mapping->input.data[i])->deriv < st_state_dof(state->state)->deriv)
            return false;

    return true;
}

// Every input that is a copy itself has its renaming.
static bool mapped_copies_is_ready(const st_mapped *m, const st_mapping *mapping) {
    for (size_t i = 0; i < mapping->input.count; i++) {
        const size_t place = st_mapped_place(m, st_mapping_input(mapping, i));
        if (place == SIZE_MAX || m->states.data[place].renaming != SIZE_MAX) continue;

        if (is_copy(&m->states.data[place])) return false;
    }
    return true;
}

static bool add_root(st_renaming *renaming, size_t place) {
    // each root once
    for (size_t i = 0; i < renaming->roots.count; i++)
        if (renaming->roots.data[i] == place) return true;
    return st_list_push(&renaming->roots, place);
}

static bool add_renaming(st_mapped *m, size_t child) {
    st_mapped_state *state = &m->states.data[child];
    st_renaming renaming = {
        .mapping = state->driver, .output = state->output, .child = child, .width = st_state_dof(state->state)->deriv};
    bool ok = true;

    // roots of its inputs, which are copies themselves or their own roots
    for (size_t i = 0; ok && i < renaming.mapping->input.count; i++) {
        const size_t place = st_mapped_place(m, st_mapping_input(renaming.mapping, i));
        if (place == SIZE_MAX) continue;
        const size_t number = m->states.data[place].renaming;
        if (number == SIZE_MAX) ok = add_root(&renaming, place);
        for (size_t k = 0; ok && number != SIZE_MAX && k < m->renamings.data[number].roots.count; k++)
            ok = add_root(&renaming, m->renamings.data[number].roots.data[k]);
    }

    if (ok && st_list_push(&m->renamings, renaming)) {
        state->renaming = m->renamings.count - 1;
        return true;
    }

    st_renaming_free(&renaming);
    return false;
}

// Copies whose inputs never get ready hang on a cycle: they stay what they are, and are reported as such.
bool st_mapped_find_copies(st_mapped *m) {
    bool ok = true, found = true;
    while (ok && found) {
        found = false;
        for (size_t i = 0; ok && i < m->states.count; i++) {
            const st_mapped_state *state = &m->states.data[i];
            if (state->renaming != SIZE_MAX || !is_copy(state) || !mapped_copies_is_ready(m, state->driver)) continue;
            ok = add_renaming(m, i);
            found = true;
        }
    }

    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Numbers
// ---------------------------------------------------------------------------------------------------

bool st_mapped_fill_renamings(st_mapped *m) {
    ST_LIST(st_renaming_input) inputs = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < m->renamings.count; i++) {
        st_renaming *renaming = &m->renamings.data[i];

        inputs.count = 0;
        for (size_t k = 0; ok && k < renaming->mapping->input.count; k++) {
            const size_t place = st_mapped_place(m, st_mapping_input(renaming->mapping, k));
            const size_t number = place == SIZE_MAX ? SIZE_MAX : m->states.data[place].renaming;
            const st_renaming_input input = {place, number == SIZE_MAX ? NULL : &m->renamings.data[number]};
            ok = st_list_push(&inputs, input);
        }
        ok = ok && st_renaming_fill(renaming, inputs.data);
    }

    st_list_free(&inputs);
    return ok;
}

// The sink of one target: into the matrix of the system, or into that of another pair.
static void open_target(st_mapped *m, st_renamed_target *target, size_t row, size_t col, size_t part,
                        st_assembly *assembly, st_real factor) {
    if (target->direct) {
        const st_mapped_state *r = &m->states.data[row], *c = &m->states.data[col];
        const size_t *offsets = m->plan->offsets;
        const st_window window = {offsets[r->independent], offsets[c->independent], st_state_scalars(r->state),
                                  st_state_scalars(c->state)};
        st_matrix_sink_init(&target->matrix, assembly, window, factor);
    } else if (target->pair != SIZE_MAX) {
        st_assembly *other = &m->pairs.data[target->pair].assembly;
        st_assembly_part(other, part);
        st_matrix_sink_init(&target->matrix, other, st_assembly_window(other), factor);
    } else {
        return;
    }

    target->sink = &target->matrix.sink;
}

st_sink *st_mapped_open(st_mapped *m, size_t number, size_t part, st_assembly *assembly, st_real factor,
                        st_mapped_sink *place) {
    st_mapped_pair *pair = &m->pairs.data[number];
    *place = (st_mapped_sink){0};

    if (!pair->targets) {
        st_assembly_part(&pair->assembly, part);
        st_matrix_sink_init(&place->matrix, &pair->assembly, st_assembly_window(&pair->assembly), factor);
        return &place->matrix.sink;
    }

    // a renamed state: one target for each root of the row and of the column
    const st_renaming *rows = st_mapped_renaming(m, pair->row), *cols = st_mapped_renaming(m, pair->col);
    const size_t width = st_renaming_roots(cols);

    for (size_t i = 0; i < st_renaming_roots(rows) * width; i++)
        open_target(m, &pair->targets[i], rows ? rows->roots.data[i / width] : pair->row,
                    cols ? cols->roots.data[i % width] : pair->col, part, assembly, factor);

    const st_window window = {.rows = st_state_scalars(m->states.data[pair->row].state),
                              .cols = st_state_scalars(m->states.data[pair->col].state)};
    st_renaming_sink_init(&place->renaming, window, rows, cols, pair->targets, &pair->nodes);
    return &place->renaming.sink;
}

const st_refusals *st_mapped_refusals(const st_mapped_sink *sink, st_window *window) {
    const bool renamed = sink->renaming.refusals.count > 0;
    *window = renamed ? sink->renaming.window : sink->matrix.window;
    if (renamed) return &sink->renaming.refusals;
    return sink->matrix.refusals.count > 0 ? &sink->matrix.refusals : NULL;
}
