// The Jacobian of one mapping as a matrix of its own. See jacobian_probe.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "system/jacobian_probe.h"

#include "base/array.h"
#include "linalg/sink.h"

// One side of the matrix: states, and where each begins.
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
    for (size_t i = 0; i < s->count && state_at(s, i) != state; i++)
        if (state_at(s, i) && !is_repeated(s, i)) at += st_state_scalars(state_at(s, i));
    return at;
}

static bool is_by_3(const side *s) {
    for (size_t i = 0; i < s->count; i++)
        if (state_at(s, i) && st_state_dof(state_at(s, i))->deriv % 3 != 0) return false;
    return true;
}

// Passes blocks on to their place in the whole.
typedef struct shift_sink {
    st_sink sink;
    st_window window;
    st_sink *target;
} shift_sink;

static void shift(st_sink *sink, size_t row, size_t col, int rows, int cols, const st_real *block) {
    const shift_sink *s = (const shift_sink *)sink;
    if (st_window_holds(&s->window, row, col, rows, cols))
        s->target->add(s->target, row + s->window.row, col + s->window.col, rows, cols, block);
}

static void describe(st_block_matrix *jacobian, st_mapping *mapping, const side *outputs, const side *inputs) {
    st_block_sink whole;
    st_block_sink_init(&whole, jacobian, 1);
    for (size_t out = 0; out < outputs->count; out++) {
        for (size_t in = 0; in < inputs->count; in++) {
            const st_state *row = state_at(outputs, out), *col = state_at(inputs, in);
            if (!row || !col) continue;
            shift_sink part = {
                .sink = {.add = shift},
                .window = {offset_of(outputs, row), offset_of(inputs, col), st_state_scalars(row),
                           st_state_scalars(col)},
                .target = &whole.sink,
            };
            mapping->object.type->mapping->jacobian(mapping, out, in, &part.sink);
        }
    }
}

static st_status record(st_block_matrix *jacobian, st_mapping *mapping, const side *outputs, const side *inputs) {
    const int32_t block = is_by_3(outputs) && is_by_3(inputs) ? 3 : 1;
    const size_t rows = offset_of(outputs, NULL) / (size_t)block, cols = offset_of(inputs, NULL) / (size_t)block;
    const st_status status = st_block_matrix_begin_record(jacobian, block, block, rows, cols, 0, false);
    if (status != ST_OK) return status;
    describe(jacobian, mapping, outputs, inputs);
    st_block_matrix_end_stream(jacobian);
    return st_block_matrix_end_record(jacobian);
}

static bool has_size(const st_block_matrix *jacobian, const side *outputs, const side *inputs) {
    return jacobian->starts && (size_t)jacobian->rows * (size_t)jacobian->height == offset_of(outputs, NULL) &&
           (size_t)jacobian->cols * (size_t)jacobian->width == offset_of(inputs, NULL);
}

st_status st_gather_jacobian(st_block_matrix *jacobian, st_mapping *mapping) {
    const side outputs = {mapping->output.data, mapping->output.count};
    const side inputs = {mapping->input.data, mapping->input.count};
    if (has_size(jacobian, &outputs, &inputs)) {
        st_block_matrix_begin_add(jacobian);
        describe(jacobian, mapping, &outputs, &inputs);
        if (!jacobian->grown) return ST_OK;
    }
    const st_status status = record(jacobian, mapping, &outputs, &inputs);
    if (status != ST_OK) return status;
    st_block_matrix_begin_add(jacobian);
    describe(jacobian, mapping, &outputs, &inputs);
    return ST_OK;
}
