// Constraint rows through a mapping p = J(q): a row h on the child means the row h J on the parent.
//
// J comes as blocks. Only those that meet a DOF with an entry are kept, sorted by child DOF; each entry is then
// multiplied by the few blocks of its DOF. Cost: one pass over J and the entries, whatever the size of the states. That
// is why J is not an st_bsr here: most of it would be stored and sorted for nothing.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/problem.h"
#include "state/sink.h"

typedef struct keep_sink {
    st_sink sink;
    st_mapped_rows *to;
    size_t rows, cols, width; // scalars; scalars per child DOF
} keep_sink;

static bool is_wanted(const st_mapped_rows *m, size_t width, size_t row, size_t rows) {
    for (size_t dof = row / width; dof <= (row + rows - 1) / width; dof++)
        if (m->wanted.data[dof]) return true;
    return false;
}

static void keep(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    const keep_sink *self = (const keep_sink *)sink;
    st_mapped_rows *m = self->to;
    const st_window window = {.rows = self->rows, .cols = self->cols};

    if (rows <= 0 || cols <= 0 || !st_window_holds(&window, row, col, rows, cols) ||
        !is_wanted(m, self->width, row, rows))
        return;

    const size_t at = m->values.count, count = rows * cols;
    const st_j_block kept = {.row = row, .col = col, .rows = rows, .cols = cols, .value = at};
    if (!st_list_set_count(&m->values, at + count, 1) || !st_list_push(&m->blocks, kept)) {
        m->failed = true;
        return;
    }

    st_copy_reals(m->values.data + at, block, count);
}

static bool mark_wanted(st_mapped_rows *m, const st_state *child) {
    const size_t width = st_state_dof(child)->deriv;
    if (!st_list_set_count(&m->wanted, child->size, 1)) return false;
    memset(m->wanted.data, 0, child->size * sizeof *m->wanted.data);

    for (size_t i = 0; i < child->constraint.entries.count; i++)
        m->wanted.data[st_entry_dof(st_jacobian_entry(&child->constraint, width, i))] = true;
    return true;
}

// A counting sort of the blocks by child DOF; a block over several DOFs is listed with each of them.
static bool sort_blocks(st_mapped_rows *m, const st_state *child) {
    const size_t width = st_state_dof(child)->deriv;
    size_t total = 0;

    // blocks of each DOF, counted two places on
    if (!st_list_set_count(&m->starts, child->size + 2, 1)) return false;
    memset(m->starts.data, 0, (child->size + 2) * sizeof *m->starts.data);
    for (size_t b = 0; b < m->blocks.count; b++) {
        const st_j_block *block = &m->blocks.data[b];
        for (size_t dof = block->row / width; dof <= (block->row + block->rows - 1) / width; dof++, total++)
            m->starts.data[dof + 2]++;
    }

    // their starts one place on: filling moves each to where it belongs
    for (size_t i = 2; i < child->size + 2; i++) m->starts.data[i] += m->starts.data[i - 1];
    if (!st_list_set_count(&m->places, total, 1)) return false;

    for (size_t b = 0; b < m->blocks.count; b++) {
        const st_j_block *block = &m->blocks.data[b];
        for (size_t dof = block->row / width; dof <= (block->row + block->rows - 1) / width; dof++)
            m->places.data[m->starts.data[dof + 1]++] = b;
    }

    return true;
}

// The part of h J that one block gives, parent DOF by parent DOF.
static void mapped_rows_add_product(const st_mapped_rows *m, const st_j_block *block, const st_real *entry,
                                    size_t width, st_state *parent) {
    const size_t dof = st_entry_dof(entry), parent_width = st_state_dof(parent)->deriv;

    // rows of the block that belong to the DOF of the entry
    const size_t first = dof * width > block->row ? dof * width : block->row;
    const size_t block_end = block->row + block->rows;
    const size_t end = (dof + 1) * width < block_end ? (dof + 1) * width : block_end;

    const st_real *h = entry + ST_ENTRY_HEAD, *j = m->values.data + block->value;
    st_real sum[6] = {0};

    for (size_t c = 0; c < block->cols; c++) {
        const size_t col = block->col + c;
        for (size_t r = first; r < end; r++)
            sum[col % parent_width] += h[r - dof * width] * j[(r - block->row) * block->cols + c];
        if (c + 1 < block->cols && (col + 1) % parent_width != 0) continue;
        // a parent DOF ends here, or the block
        st_jacobian_add(&parent->constraint, parent_width, st_entry_row(entry), col / parent_width, sum);
        memset(sum, 0, sizeof sum);
    }
}

static bool map_to(st_mapped_rows *m, st_mapping *mapping, size_t out, size_t in) {
    const st_state *child = (const st_state *)mapping->output.data[out];
    st_state *parent = (st_state *)mapping->input.data[in];
    const size_t width = st_state_dof(child)->deriv;
    if (!parent || !parent->mechanical) return true;

    // the blocks of J that meet an entry
    keep_sink sink = {.sink = {.add = keep},
                      .to = m,
                      .rows = st_state_scalars(child),
                      .cols = st_state_scalars(parent),
                      .width = width};
    m->blocks.count = m->values.count = 0;
    m->failed = false;
    mapping->object.type->mapping->jacobian(mapping, out, in, &sink.sink);
    if (m->failed || !sort_blocks(m, child)) return false;

    // h J, entry by entry
    for (size_t i = 0; i < child->constraint.entries.count; i++) {
        const st_real *entry = st_jacobian_entry(&child->constraint, width, i);
        const size_t dof = st_entry_dof(entry);
        for (size_t k = m->starts.data[dof]; k < m->starts.data[dof + 1]; k++)
            mapped_rows_add_product(m, &m->blocks.data[m->places.data[k]], entry, width, parent);
    }

    return !parent->constraint.failed;
}

bool st_map_rows(st_mapped_rows *work, st_mapping *mapping) {
    for (size_t out = 0; out < mapping->output.count; out++) {
        st_state *child = (st_state *)mapping->output.data[out];
        if (!child || !child->mechanical) continue;
        if (!st_jacobian_close(&child->constraint, st_state_dof(child)->deriv)) return false;
        if (child->constraint.entries.count == 0) continue;
        if (!mark_wanted(work, child)) return false;

        for (size_t in = 0; in < mapping->input.count; in++)
            if (!map_to(work, mapping, out, in)) return false;
    }
    return true;
}
