// Mapped matrices: the structure, the patterns, the products. See mapped.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "assembly/mapped.h"

#include "base/array.h"
#include "mapping/mapping_product.h"
#include "mapping/states.h"
#include "scene/scene.h"

// ---------------------------------------------------------------------------------------------------
// States and Jacobians
// ---------------------------------------------------------------------------------------------------

// Scalars along one side of a block: a DOF has a whole number of them.
static int32_t unit_of(const st_state *state) {
    const size_t deriv = st_state_dof(state)->deriv;
    return deriv % 3 == 0 ? 3 : deriv % 2 == 0 ? 2 : 1;
}

static size_t units_of(const st_state *state) { return st_state_scalars(state) / (size_t)unit_of(state); }

static bool add_state(st_mapped *m, const st_state *state, size_t independent) {
    if (st_mapped_place(m, state) != SIZE_MAX) return true;

    const st_mapped_state entry = {.state = state, .independent = independent, .size = SIZE_MAX, .renaming = SIZE_MAX};
    return st_pointer_table_put(&m->places, state, NULL, m->states.count) && st_list_push(&m->states, entry);
}

static bool is_between_states(const st_mapping *mapping) {
    for (size_t k = 0; k < mapping->output.count; k++)
        if (!mapping->output.data[k] || !st_mapping_output(mapping, k)->mechanical) return false;
    for (size_t k = 0; k < mapping->input.count; k++)
        if (!mapping->input.data[k] || !st_mapping_input(mapping, k)->mechanical) return false;

    return mapping->object.type->mapping->jacobian != NULL;
}

static bool is_known(const st_plan *plan, const st_state *state) {
    // of this plan, not of another integrator
    for (size_t i = 0; i < plan->graph_states.count; i++)
        if (plan->graph_states.data[i] == state) return true;
    return false;
}

// States that mappings of the plan drive, and the states of the plan that drive them.
static bool add_states_of(st_mapped *m, st_mapping *mapping) {
    bool ok = true;
    for (size_t k = 0; ok && k < mapping->input.count; k++) {
        const st_state *state = st_mapping_input(mapping, k);
        if (st_mapped_place(m, state) == SIZE_MAX && is_known(m->plan, state)) ok = add_state(m, state, SIZE_MAX);
    }

    for (size_t k = 0; ok && k < mapping->output.count; k++) {
        ok = add_state(m, st_mapping_output(mapping, k), SIZE_MAX);
        if (!ok) break;
        st_mapped_state *child = &m->states.data[st_mapped_place(m, st_mapping_output(mapping, k))];
        child->driver = mapping;
        child->output = k;
    }

    return ok;
}

// One for each input, or for each state that a renamed input is made of.
static bool add_jacobians(st_mapped *m, st_mapped_jacobian j, size_t input) {
    const st_renaming *renaming = st_mapped_renaming(m, input);
    bool ok = true;

    j.via = m->states.data[input].renaming;
    for (size_t k = 0; ok && k < st_renaming_roots(renaming); k++) {
        j.parent = renaming ? renaming->roots.data[k] : input;
        j.targets = renaming ? st_alloc(renaming->roots.count, sizeof *j.targets) : NULL;
        ok = (j.targets || !renaming) && st_list_push(&m->jacobians, j);
        if (!ok) st_free(j.targets);
    }

    return ok;
}

static bool add_jacobians_of(st_mapped *m, st_mapping *mapping) {
    bool ok = true;
    for (size_t out = 0; out < mapping->output.count; out++) {
        const size_t child = st_mapped_place(m, st_mapping_output(mapping, out));
        if (m->states.data[child].independent != SIZE_MAX || st_mapped_renaming(m, child)) continue;

        for (size_t in = 0; ok && in < mapping->input.count; in++) {
            const size_t input = st_mapped_place(m, st_mapping_input(mapping, in));
            const st_mapped_jacobian j = {.mapping = mapping, .out = out, .in = in, .child = child};
            if (input != SIZE_MAX) ok = add_jacobians(m, j, input);
        }
    }

    return ok;
}

static bool is_mechanical(const st_mapping *mapping) {
    return mapping->map_forces || mapping->map_masses || mapping->map_constraints;
}

static bool mapped_collect(st_mapped *m) {
    const st_plan *plan = m->plan;
    bool ok = true;

    for (size_t i = 0; ok && i < plan->independent.count; i++) ok = add_state(m, plan->independent.data[i], i);

    // the independent states, then what is mapped from them
    for (size_t i = 0; ok && i < plan->all_mappings.count; i++)
        if (is_between_states(plan->all_mappings.data[i])) ok = add_states_of(m, plan->all_mappings.data[i]);

    // copies need no Jacobian
    ok = ok && st_mapped_find_copies(m);
    for (size_t i = 0; ok && i < plan->all_mappings.count; i++) {
        st_mapping *mapping = plan->all_mappings.data[i];
        if (!is_between_states(mapping)) continue;
        ok = add_jacobians_of(m, mapping);
        if (ok && mapping->object.type->mapping->geometric && !st_mapping_is_linear(mapping) && is_mechanical(mapping))
            ok = st_list_push(&m->geometric, mapping);
    }

    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Order
// ---------------------------------------------------------------------------------------------------

static void report_cycle(const st_mapped *m, size_t child) {
    for (size_t i = 0; i < m->jacobians.count; i++) {
        // one of its mappings is enough
        if (m->jacobians.data[i].child != child) continue;
        st_message(&m->jacobians.data[i].mapping->object, ST_ERROR,
                   "is part of a cycle of mappings, or hangs below one: what acts on '%s' is left out of the matrix. "
                   "A state cannot be mapped from itself",
                   m->states.data[child].state->object.name ? m->states.data[child].state->object.name : "");
        return;
    }
}

static bool has_matrices(const st_mapped_state *state) {
    return state->independent == SIZE_MAX && state->renaming == SIZE_MAX;
}

static bool mapped_eliminate(st_mapped *m, size_t *pending, size_t state) {
    m->states.data[state].eliminated = true;
    for (size_t i = 0; i < m->jacobians.count; i++) {
        const st_mapped_jacobian *j = &m->jacobians.data[i];
        if (j->child != state) continue;

        pending[j->parent]--;
        if (pending[j->parent] == 0 && has_matrices(&m->states.data[j->parent]) && !st_list_push(&m->order, j->parent))
            return false;
    }

    return true;
}

// A state comes after everything that is mapped from it.
static bool mapped_find_order(st_mapped *m) {
    size_t *pending = st_alloc(m->states.count, sizeof *pending);
    bool ok = pending != NULL;

    // how many states are mapped from each
    for (size_t i = 0; ok && i < m->jacobians.count; i++) pending[m->jacobians.data[i].parent]++;

    // those that nothing is mapped from, then whoever becomes free
    for (size_t i = m->states.count; ok && i-- > 0;)
        if (has_matrices(&m->states.data[i]) && pending[i] == 0) ok = st_list_push(&m->order, i);
    for (size_t i = 0; ok && i < m->order.count; i++) ok = mapped_eliminate(m, pending, m->order.data[i]);

    // a state that is still waiting hangs on a cycle
    for (size_t i = 0; ok && i < m->states.count; i++)
        if (has_matrices(&m->states.data[i]) && !m->states.data[i].eliminated) report_cycle(m, i);

    st_free(pending);
    return ok;
}

bool st_mapped_begin(st_mapped *m, const st_plan *plan) {
    st_mapped_free(m);
    m->plan = plan;
    return mapped_collect(m) && mapped_find_order(m);
}

// ---------------------------------------------------------------------------------------------------
// Pairs and steps
// ---------------------------------------------------------------------------------------------------

static bool takes_part(const st_mapped *m, size_t place) {
    if (place == SIZE_MAX) return false;

    // a copy takes part if one of its roots does
    const st_renaming *renaming = st_mapped_renaming(m, place);
    for (size_t i = 0; renaming && i < renaming->roots.count; i++)
        if (takes_part(m, renaming->roots.data[i])) return true;
    return m->states.data[place].independent != SIZE_MAX || m->states.data[place].eliminated;
}

static bool are_independent(const st_mapped *m, size_t row, size_t col) {
    return m->states.data[row].independent != SIZE_MAX && m->states.data[col].independent != SIZE_MAX;
}

static size_t pair_between(st_mapped *m, size_t row, size_t col, bool *ok) {
    const st_state *first = m->states.data[row].state, *second = m->states.data[col].state;
    const size_t found = st_pointer_table_get(&m->pair_places, first, second);
    if (found != SIZE_MAX) return found;

    const st_mapped_pair pair = {.row = row, .col = col};
    if (st_pointer_table_put(&m->pair_places, first, second, m->pairs.count) && st_list_push(&m->pairs, pair))
        return m->pairs.count - 1;
    *ok = false;

    return SIZE_MAX;
}

// A pair with a renamed state leads to the pairs of the roots.
static size_t renamed_pair(st_mapped *m, size_t row, size_t col, bool *ok) {
    const size_t pair = pair_between(m, row, col, ok);
    if (pair == SIZE_MAX || m->pairs.data[pair].targets) return pair;
    const st_renaming *rows = st_mapped_renaming(m, row), *cols = st_mapped_renaming(m, col);
    const size_t count = st_renaming_roots(rows), width = st_renaming_roots(cols);

    // one target for each root of the row and of the column
    st_renamed_target *targets = st_alloc(count * width, sizeof *targets);
    m->pairs.data[pair].targets = targets;
    *ok = *ok && targets;

    for (size_t i = 0; *ok && i < count * width; i++) {
        const size_t r = rows ? rows->roots.data[i / width] : row, c = cols ? cols->roots.data[i % width] : col;

        targets[i].pair = SIZE_MAX;
        targets[i].sink = st_null_sink();

        if (!takes_part(m, r) || !takes_part(m, c)) continue;
        targets[i].direct = are_independent(m, r, c);
        if (!targets[i].direct) targets[i].pair = pair_between(m, r, c, ok);
    }

    return *ok ? pair : SIZE_MAX;
}

size_t st_mapped_pair_of(st_mapped *m, const st_state *row, const st_state *col, bool *ok) {
    const size_t r = st_mapped_place(m, row), c = st_mapped_place(m, col);
    if (!takes_part(m, r) || !takes_part(m, c)) return SIZE_MAX;
    if (are_independent(m, r, c)) return SIZE_MAX;

    if (st_mapped_renaming(m, r) || st_mapped_renaming(m, c)) return renamed_pair(m, r, c, ok);
    return pair_between(m, r, c, ok);
}

unsigned st_mapped_target(const st_mapped *m, size_t number) {
    const st_mapped_pair *pair = &m->pairs.data[number];
    const st_renaming *rows = st_mapped_renaming(m, pair->row), *cols = st_mapped_renaming(m, pair->col);
    unsigned target = pair->targets ? 0 : ST_INTO_MAPPED;

    for (size_t i = 0; pair->targets && i < st_renaming_roots(rows) * st_renaming_roots(cols); i++) {
        if (pair->targets[i].direct) target |= ST_INTO_MATRIX;
        else if (pair->targets[i].pair != SIZE_MAX) target |= ST_INTO_MAPPED;
    }

    return target;
}

// Products that carry one pair over to the parents of its row state (rows) or of its column state.
static bool add_steps(st_mapped *m, size_t source, bool rows) {
    bool ok = true;
    const size_t row = m->pairs.data[source].row, col = m->pairs.data[source].col, gone = rows ? row : col;

    for (size_t i = 0; ok && i < m->jacobians.count; i++) {
        const st_mapped_jacobian *j = &m->jacobians.data[i];
        if (j->child != gone || !takes_part(m, j->parent)) continue;

        const size_t target = rows ? pair_between(m, j->parent, col, &ok) : pair_between(m, row, j->parent, &ok);
        const st_mapped_step step = {.source = source, .target = target, .jacobian = i, .rows = rows};
        ok = ok && st_list_push(&m->steps, step);
    }

    return ok;
}

bool st_mapped_end(st_mapped *m) {
    bool ok = true;

    // pairs of the geometric stiffness
    for (size_t i = 0; ok && i < m->geometric.count; i++) {
        const st_mapping *mapping = m->geometric.data[i];
        for (size_t r = 0; ok && r < mapping->input.count; r++)
            for (size_t c = 0; ok && c < mapping->input.count; c++)
                st_mapped_pair_of(m, st_mapping_input(mapping, r), st_mapping_input(mapping, c), &ok);
    }

    // each state is eliminated as a row, then as a column
    for (size_t i = 0; ok && i < m->order.count; i++) {
        const size_t state = m->order.data[i];

        // The list grows: pairs that the rows lead to have this state as a column.
        for (size_t p = 0; ok && p < m->pairs.count; p++)
            if (m->pairs.data[p].row == state && !m->pairs.data[p].targets) ok = add_steps(m, p, true);
        for (size_t p = 0; ok && p < m->pairs.count; p++)
            if (m->pairs.data[p].col == state && m->pairs.data[p].row != state && !m->pairs.data[p].targets)
                ok = add_steps(m, p, false);
    }

    return ok;
}

void st_mapped_free(st_mapped *m) {
    // what the entries own
    for (size_t i = 0; i < m->pairs.count; i++) {
        st_assembly_free(&m->pairs.data[i].assembly);
        st_free(m->pairs.data[i].targets);
        st_list_free(&m->pairs.data[i].nodes);
    }

    for (size_t i = 0; i < m->renamings.count; i++) st_renaming_free(&m->renamings.data[i]);
    for (size_t i = 0; i < m->jacobians.count; i++) {
        st_assembly_free(&m->jacobians.data[i].assembly);
        st_free(m->jacobians.data[i].targets);
    }

    for (size_t i = 0; i < m->steps.count; i++) st_block_product_free(&m->steps.data[i].product);

    // the lists
    st_list_free(&m->states);
    st_list_free(&m->renamings);
    st_pointer_table_free(&m->places);
    st_pointer_table_free(&m->pair_places);
    st_list_free(&m->pairs);
    st_list_free(&m->jacobians);
    st_list_free(&m->order);
    st_list_free(&m->steps);
    st_list_free(&m->geometric);
    *m = (st_mapped){0};
}

// ---------------------------------------------------------------------------------------------------
// Jacobians
// ---------------------------------------------------------------------------------------------------

// Columns of a renamed input become those of one of its roots; what belongs to another root is left to that one.
static st_sink *rename_columns(const st_mapped *m, const st_mapped_jacobian *j, st_mapped_sink *sink,
                               st_renamed_target *targets) {
    const st_renaming *names = &m->renamings.data[j->via];
    const st_state *child = m->states.data[j->child].state, *input = m->states.data[names->child].state;

    for (size_t k = 0; k < names->roots.count; k++)
        targets[k].sink = names->roots.data[k] == j->parent ? &sink->matrix.sink : st_null_sink();

    const st_window window = {.rows = st_state_scalars(child), .cols = st_state_scalars(input)};
    st_renaming_sink_init(&sink->renaming, window, NULL, names, targets, NULL);

    return &sink->renaming.sink;
}

static void ask_for_jacobian(const st_mapped *m, st_mapped_jacobian *j) {
    st_mapped_sink sink = {0};
    st_window window;

    st_matrix_sink_init(&sink.matrix, &j->assembly, st_assembly_window(&j->assembly), 1);
    st_assembly_part(&j->assembly, 0);
    st_sink *to = j->via == SIZE_MAX ? &sink.matrix.sink : rename_columns(m, j, &sink, j->targets);

    j->mapping->object.type->mapping->jacobian(j->mapping, j->out, j->in, to);
    const st_refusals *refusals = st_mapped_refusals(&sink, &window);
    st_mapping_report(j->mapping, "Jacobian", &window, refusals);
}

static st_status record_jacobian(st_mapped *m, st_mapped_jacobian *j, bool keep) {
    const st_state *child = m->states.data[j->child].state, *parent = m->states.data[j->parent].state;
    const st_status status = st_assembly_begin_record_blocks(&j->assembly, unit_of(child), unit_of(parent),
                                                             units_of(child), units_of(parent), 1, keep);
    if (status != ST_OK) return status;

    j->known = false;
    ask_for_jacobian(m, j);
    return st_assembly_end_record(&j->assembly);
}

static void compute_jacobian(const st_mapped *m, st_mapped_jacobian *j) {
    if (j->known) return;

    st_assembly_begin_add(&j->assembly, m->plan->scene->pool);
    ask_for_jacobian(m, j);
    j->known = st_mapping_is_constant(j->mapping, j->out, j->in) && !j->assembly.grown;
    if (j->known) st_bsr_find_weights(&j->assembly.matrix); // out of memory: the blocks do
}

// ---------------------------------------------------------------------------------------------------
// Patterns
// ---------------------------------------------------------------------------------------------------

bool st_mapped_sizes_changed(const st_mapped *m) {
    for (size_t i = 0; i < m->states.count; i++)
        if (m->states.data[i].size != m->states.data[i].state->size) return true;
    return false;
}

st_status st_mapped_begin_record(st_mapped *m, size_t part_count, bool keep) {
    st_status status = ST_OK;
    for (size_t i = 0; i < m->states.count; i++) m->states.data[i].size = m->states.data[i].state->size;
    if (!st_mapped_fill_renamings(m)) status = ST_OUT_OF_MEMORY;

    // matrices of pairs that are not renamed
    for (size_t i = 0; status == ST_OK && i < m->pairs.count; i++) {
        st_mapped_pair *pair = &m->pairs.data[i];
        if (pair->targets) continue;
        const st_state *row = m->states.data[pair->row].state, *col = m->states.data[pair->col].state;
        status = st_assembly_begin_record_blocks(&pair->assembly, unit_of(row), unit_of(col), units_of(row),
                                                 units_of(col), part_count, keep);
    }

    // Jacobians are recorded at once: the products need their patterns
    for (size_t i = 0; status == ST_OK && m->steps.count > 0 && i < m->jacobians.count; i++)
        status = record_jacobian(m, &m->jacobians.data[i], keep);
    return status;
}

// Adds the matrix of a pair of independent states to that of the system.
static void pass_on(const st_mapped *m, const st_mapped_pair *pair, st_assembly *assembly) {
    const st_state *row = m->states.data[pair->row].state, *col = m->states.data[pair->col].state;
    const size_t *offsets = m->plan->offsets;

    // where the two states are in the system
    const st_window window = {offsets[m->states.data[pair->row].independent],
                              offsets[m->states.data[pair->col].independent], st_state_scalars(row),
                              st_state_scalars(col)};
    st_matrix_sink sink;
    st_matrix_sink_init(&sink, assembly, window, 1);
    st_matrix_sink_add_matrix(&sink, m->plan->scene->pool, &pair->assembly.matrix);
}

static void pass_on_all(const st_mapped *m, st_assembly *assembly, size_t first_part) {
    for (size_t i = 0; i < m->pairs.count; i++) {
        if (!are_independent(m, m->pairs.data[i].row, m->pairs.data[i].col)) continue;
        st_assembly_part(assembly, first_part + i);
        pass_on(m, &m->pairs.data[i], assembly);
    }
}

// The operands of a step: Jᵀ times the source, or the source times J.
static const st_bsr *left_of(const st_mapped *m, const st_mapped_step *step) {
    return step->rows ? &m->jacobians.data[step->jacobian].assembly.matrix
                      : &m->pairs.data[step->source].assembly.matrix;
}
static const st_bsr *right_of(const st_mapped *m, const st_mapped_step *step) {
    return step->rows ? &m->pairs.data[step->source].assembly.matrix
                      : &m->jacobians.data[step->jacobian].assembly.matrix;
}

// Before a pair is used as a source, everything that leads to it was recorded: its pattern is complete.
static st_status mapped_complete(st_mapped_pair *pair) {
    return pair->assembly.recording ? st_assembly_end_record(&pair->assembly) : ST_OK;
}

static st_status plan_products(st_mapped *m) {
    st_status status = ST_OK;

    // patterns, in the order of the steps
    for (size_t i = 0; status == ST_OK && i < m->steps.count; i++) {
        st_mapped_step *step = &m->steps.data[i];
        status = mapped_complete(&m->pairs.data[step->source]);
        if (status == ST_OK)
            status = st_block_product_record(left_of(m, step), step->rows, right_of(m, step),
                                             &m->pairs.data[step->target].assembly.pattern);
    }

    // all patterns are complete: which blocks are multiplied
    for (size_t i = 0; status == ST_OK && i < m->pairs.count; i++) status = mapped_complete(&m->pairs.data[i]);
    for (size_t i = 0; status == ST_OK && i < m->steps.count; i++) {
        st_mapped_step *step = &m->steps.data[i];
        status = st_block_product_plan(&step->product, left_of(m, step), step->rows, right_of(m, step),
                                       &m->pairs.data[step->target].assembly.matrix);
    }

    return status;
}

st_status st_mapped_end_record(st_mapped *m, st_assembly *assembly, size_t first_part) {
    for (size_t i = 0; i < m->pairs.count; i++) st_assembly_end_stream(&m->pairs.data[i].assembly);
    const st_status status = plan_products(m);
    if (status == ST_OK) pass_on_all(m, assembly, first_part);
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Numbers
// ---------------------------------------------------------------------------------------------------

void st_mapped_begin_add(st_mapped *m) {
    for (size_t i = 0; i < m->pairs.count; i++) st_assembly_begin_add(&m->pairs.data[i].assembly, m->plan->scene->pool);

    if (m->steps.count == 0) return;
    for (size_t i = 0; i < m->jacobians.count; i++) compute_jacobian(m, &m->jacobians.data[i]);
}

void st_mapped_multiply(st_mapped *m) {
    if (st_mapped_has_grown(m)) return;
    for (size_t i = 0; i < m->steps.count; i++) {
        // target += Jᵀ source, or source J
        const st_mapped_step *step = &m->steps.data[i];
        st_block_product_add(&step->product, m->plan->scene->pool, left_of(m, step), right_of(m, step),
                             &m->pairs.data[step->target].assembly.matrix);
    }
}

void st_mapped_pass_on(st_mapped *m, st_assembly *assembly, size_t first_part) {
    if (!st_mapped_has_grown(m)) pass_on_all(m, assembly, first_part);
}

bool st_mapped_has_grown(const st_mapped *m) {
    bool grown = false;

    // a product of what has grown would miss blocks
    for (size_t i = 0; i < m->pairs.count; i++) grown = grown || m->pairs.data[i].assembly.grown;
    for (size_t i = 0; i < m->jacobians.count; i++) grown = grown || m->jacobians.data[i].assembly.grown;
    return grown;
}

bool st_mapped_is_stale(const st_mapped *m) {
    bool stale = false;
    for (size_t i = 0; i < m->pairs.count; i++) stale = stale || st_assembly_is_stale(&m->pairs.data[i].assembly);
    for (size_t i = 0; i < m->jacobians.count; i++)
        stale = stale || st_assembly_is_stale(&m->jacobians.data[i].assembly);
    return stale;
}
