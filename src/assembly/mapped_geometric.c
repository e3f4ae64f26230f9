// The geometric stiffness of mappings, ∂(Jᵀf)/∂q with the child's force f held constant: given by the mapping between
// its inputs, added where those stand. See mapped.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "assembly/mapped.h"
#include "mapping/mapping_product.h"
#include "mapping/states.h"
#include "plan/total_force.h"

static const char matrix_name[] = "geometric stiffness";

// One sink at a time: a pair's blocks are given before the next pair is asked for.
typedef struct geometric_accumulator {
    st_accumulator accumulator;
    st_mapped *mapped;
    st_mapping *mapping;
    st_assembly *assembly;
    st_real k;
    const st_geometric_request *request;
    st_matrix_sink matrix;
    st_mapped_sink mapped_sink;
    st_check_sink check;
    size_t dropped;
} geometric_accumulator;

// What the former pair's sink refused is reported when the next one is asked for, and at the end.
static void finish_pair(const geometric_accumulator *self) {
    st_window window;

    const st_refusals *refusals = st_mapped_refusals(&self->mapped_sink, &window);
    st_mapping_report(self->mapping, matrix_name, &self->matrix.window, &self->matrix.refusals);
    st_mapping_report(self->mapping, matrix_name, &window, refusals);
}

// Where the blocks between two inputs go.
static st_sink *sink_between(geometric_accumulator *self, const st_state *row, const st_state *col) {
    st_mapped *m = self->mapped;
    if (!st_mapping_has_input(self->mapping, row) || !st_mapping_has_input(self->mapping, col)) {
        self->dropped++;
        return st_null_sink();
    }

    const size_t r = st_mapped_place(m, row), c = st_mapped_place(m, col);
    if (r == SIZE_MAX || c == SIZE_MAX) return st_null_sink(); // a state of another plan
    const size_t row_place = m->states.data[r].independent, col_place = m->states.data[c].independent;

    // both independent: into the matrix of the system
    if (row_place != SIZE_MAX && col_place != SIZE_MAX) {
        const size_t *offsets = m->plan->offsets;
        const st_window window = {offsets[row_place], offsets[col_place], st_state_scalars(row), st_state_scalars(col)};
        st_matrix_sink_init(&self->matrix, self->assembly, window, self->k);
        return &self->matrix.sink;
    }

    const size_t pair = st_pointer_table_get(&m->pair_places, row, col);
    if (!self->request->project || pair == SIZE_MAX) return st_null_sink();

    // The part has begun: several pairs may lead to one matrix, and go on where the former one ended.
    return st_mapped_open(m, pair, SIZE_MAX, self->assembly, self->k, &self->mapped_sink);
}

static st_sink *mapped_geometric_between(st_accumulator *accumulator, const st_state *row, const st_state *col) {
    geometric_accumulator *self = (geometric_accumulator *)accumulator;
    finish_pair(self);
    st_sink *sink = sink_between(self, row, col);

    if (!self->request->check || sink == st_null_sink()) return sink;
    st_check_sink_init(&self->check, sink, &self->mapping->object, matrix_name, st_state_scalars(row),
                       st_state_scalars(col), self->request->finite, ST_REFUSED_BLOCKS);

    return &self->check.sink;
}

static void begin_part(st_mapped *m, st_assembly *assembly, size_t part) {
    // several pairs of a mapping may lead to one matrix
    st_assembly_part(assembly, part);
    for (size_t i = 0; i < m->pairs.count; i++) st_assembly_part(&m->pairs.data[i].assembly, part);
}

void st_mapped_add_geometric(st_mapped *m, st_assembly *assembly, const st_params *params, size_t first_part,
                             const st_geometric_request *request) {
    for (size_t i = 0; params->k != 0 && i < m->geometric.count; i++) {
        st_mapping *mapping = m->geometric.data[i];
        if (request->only && request->only != &mapping->object) continue;

        geometric_accumulator self = {
            .accumulator = {.between = mapped_geometric_between},
            .mapped = m,
            .mapping = mapping,
            .assembly = assembly,
            .k = params->k,
            .request = request,
        };

        // the mapping asks for the pairs of its inputs, with the whole force of its outputs
        begin_part(m, assembly, first_part + i);
        const st_params total = st_total_force(mapping, params);
        mapping->object.type->mapping->geometric(mapping, &total, (st_stiffness){&self.accumulator});
        finish_pair(&self);

        if (self.dropped > 0)
            st_message_once(
                &mapping->object, ST_REFUSED_BLOCKS, ST_ERROR,
                "asks for the geometric stiffness between states that are not its inputs; that part is left out");
    }
}
