// The Jacobian of one mapping as a matrix of its own. See jacobian_probe.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "assembly/jacobian_probe.h"

#include "mapping/mapping_product.h"

// One side of the matrix: its states.
typedef struct side {
    st_object *const *states;
    size_t count;
} side;

static const st_state *state_at(const side *s, size_t i) { return (const st_state *)s->states[i]; }

static bool is_repeated(const side *s, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (s->states[k] == s->states[i]) return true;
    return false;
}

// Scalars of the states before the first one that equals `state`; of all of them without one.
static size_t offset_of(const side *s, const st_state *state) {
    size_t at = 0;

    // a state that is named twice has one place
    for (size_t i = 0; i < s->count && state_at(s, i) != state; i++)
        if (state_at(s, i) && !is_repeated(s, i)) at += st_state_scalars(state_at(s, i));
    return at;
}

static bool is_by_3(const side *s) {
    for (size_t i = 0; i < s->count; i++)
        if (state_at(s, i) && st_state_dof(state_at(s, i))->deriv % 3 != 0) return false;
    return true;
}

static void jacobian_probe_describe(st_assembly *jacobian, st_mapping *mapping, const side *outputs,
                                    const side *inputs) {
    for (size_t out = 0; out < outputs->count; out++) {
        for (size_t in = 0; in < inputs->count; in++) {
            const st_state *row = state_at(outputs, out), *col = state_at(inputs, in);
            if (!row || !col) continue;

            const st_window window = {offset_of(outputs, row), offset_of(inputs, col), st_state_scalars(row),
                                      st_state_scalars(col)};
            st_matrix_sink part;
            st_matrix_sink_init(&part, jacobian, window, 1);
            mapping->object.type->mapping->jacobian(mapping, out, in, &part.sink);
            st_mapping_report(mapping, "Jacobian", &part.window, &part.refusals);
        }
    }
}

static st_status jacobian_probe_record(st_assembly *jacobian, st_mapping *mapping, const side *outputs,
                                       const side *inputs) {
    const int32_t block = is_by_3(outputs) && is_by_3(inputs) ? 3 : 1;
    const size_t rows = offset_of(outputs, NULL) / (size_t)block, cols = offset_of(inputs, NULL) / (size_t)block;
    const st_status status = st_assembly_begin_record_blocks(jacobian, block, block, rows, cols, 0, false);
    if (status != ST_OK) return status;

    jacobian_probe_describe(jacobian, mapping, outputs, inputs);
    return st_assembly_end_record(jacobian);
}

static bool has_size(const st_assembly *jacobian, const side *outputs, const side *inputs) {
    const st_bsr *matrix = &jacobian->matrix;
    return matrix->starts && st_bsr_scalar_rows(matrix) == offset_of(outputs, NULL) &&
           st_bsr_scalar_cols(matrix) == offset_of(inputs, NULL);
}

st_status st_gather_jacobian(st_assembly *jacobian, st_mapping *mapping) {
    const side outputs = {mapping->output.data, mapping->output.count};
    const side inputs = {mapping->input.data, mapping->input.count};

    // into the pattern of the last time
    if (has_size(jacobian, &outputs, &inputs)) {
        st_assembly_begin_add(jacobian, NULL);
        jacobian_probe_describe(jacobian, mapping, &outputs, &inputs);
        if (!jacobian->grown) return ST_OK;
    }

    // another pattern: recorded, then filled
    const st_status status = jacobian_probe_record(jacobian, mapping, &outputs, &inputs);
    if (status != ST_OK) return status;
    st_assembly_begin_add(jacobian, NULL);
    jacobian_probe_describe(jacobian, mapping, &outputs, &inputs);

    return ST_OK;
}
