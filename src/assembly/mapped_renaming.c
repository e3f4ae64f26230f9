// Renaming: what is said of copies is said of what they copy. See mapped_renaming.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "assembly/mapped_renaming.h"

#include "base/array.h"
#include "mapping/mapping_product.h"
#include "math/pack.h"

enum { WIDEST = 6, NODES_MAX = 32 }; // scalars of a DOF, nodes of an element

static inline size_t mapped_renaming_smaller(size_t a, size_t b) { return a < b ? a : b; }

void st_renaming_free(st_renaming *renaming) {
    st_list_free(&renaming->roots);
    st_list_free(&renaming->root);
    st_list_free(&renaming->scalars);
}

// ---------------------------------------------------------------------------------------------------
// Reading J
// ---------------------------------------------------------------------------------------------------

typedef struct table_sink {
    st_sink sink;
    st_window window;
    st_renaming *to;
    const st_renaming_input *input;
    st_refusals refusals;
    size_t broken; // blocks that copy nothing
} table_sink;

static uint32_t root_number(const st_renaming *renaming, size_t place) {
    // few: a scan does
    for (size_t i = 0; i < renaming->roots.count; i++)
        if (renaming->roots.data[i] == place) return (uint32_t)i;
    return ST_INVALID_INDEX; // a state of another plan
}

static bool is_identity(const st_real *block, size_t n) {
    // exactly, as a copy is
    for (size_t k = 0; k < n * n; k++)
        if (block[k] != (k % (n + 1) == 0 ? 1 : 0)) return false;
    return true;
}

static void mapped_renaming_enter(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols,
                                  const st_real *block) {
    table_sink *s = (table_sink *)sink;
    st_renaming *to = s->to;

    if (!st_window_holds(&s->window, row, col, rows, cols)) {
        st_refuse_addition(&s->refusals, row, col, rows, cols);
        return;
    }

    // one identity for each DOF
    const size_t dof = row / to->width;
    if (rows != to->width || cols != rows || row % to->width || !is_identity(block, to->width) ||
        to->root.data[dof] != ST_INVALID_INDEX) {
        s->broken++;
        return;
    }

    // a copy of a copy leads to the root of that one
    size_t place = s->input->place, scalar = col;
    const st_renaming *above = s->input->renaming;
    if (above) {
        const size_t copied = col / above->width;
        if (above->root.data[copied] == ST_INVALID_INDEX) return;
        place = above->roots.data[above->root.data[copied]];
        scalar = above->scalars.data[copied] + col % above->width;
    }

    to->root.data[dof] = root_number(to, place);
    to->scalars.data[dof] = (uint32_t)scalar;
}

static void mapped_renaming_report(st_mapping *mapping, const table_sink *sink) {
    st_mapping_report(mapping, "Jacobian", &sink->window, &sink->refusals);

    if (sink->broken == 0) return;
    st_message_once(
        &mapping->object, ST_REFUSED_BLOCKS, ST_ERROR,
        "its class says that it copies DOFs, but %zu blocks of its Jacobian are not one identity for each child "
        "DOF; they are left out of the matrix",
        sink->broken);
}

bool st_renaming_fill(st_renaming *renaming, const st_renaming_input *inputs) {
    st_mapping *mapping = renaming->mapping;
    const st_state *child = (const st_state *)mapping->output.data[renaming->output];
    if (!st_list_set_count(&renaming->root, child->size, 1) || !st_list_set_count(&renaming->scalars, child->size, 1))
        return false;

    for (size_t i = 0; i < child->size; i++) renaming->root.data[i] = ST_INVALID_INDEX;

    for (size_t in = 0; in < mapping->input.count; in++) {
        const st_state *parent = (const st_state *)mapping->input.data[in];
        table_sink sink = {.sink = {.add = mapped_renaming_enter},
                           .window = {.rows = st_state_scalars(child), .cols = st_state_scalars(parent)},
                           .to = renaming,
                           .input = &inputs[in]};

        mapping->object.type->mapping->jacobian(mapping, renaming->output, in, &sink.sink);
        mapped_renaming_report(mapping, &sink);
    }

    return true;
}

// ---------------------------------------------------------------------------------------------------
// Passing on
// ---------------------------------------------------------------------------------------------------

// One side of a piece of a block: scalars begin … end - 1 belong to one DOF; to the root's scalar `to`.
typedef struct stretch {
    size_t begin, end;
    size_t root, to;
    bool copied;
} stretch;

static stretch stretch_at(const st_renaming *renaming, size_t begin, size_t end) {
    if (!renaming) return (stretch){.begin = begin, .end = end, .to = begin, .copied = true};

    const size_t dof = begin / renaming->width, inner = begin % renaming->width;
    const uint32_t root = renaming->root.data[dof];

    return (stretch){.begin = begin,
                     .end = mapped_renaming_smaller(end, begin - inner + renaming->width),
                     .root = root,
                     .to = renaming->scalars.data[dof] + inner,
                     .copied = root != ST_INVALID_INDEX};
}

static st_sink *target_of(const st_renaming_sink *s, size_t row_root, size_t col_root) {
    return s->targets[row_root * st_renaming_roots(s->col) + col_root].sink;
}

static void mapped_renaming_add(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    st_renaming_sink *s = (st_renaming_sink *)sink;
    if (!st_window_holds(&s->window, row, col, rows, cols)) {
        st_refuse_addition(&s->refusals, row, col, rows, cols);
        return;
    }

    // cut into pieces that belong to one DOF on either side
    const size_t bottom = row + rows, right = col + cols;
    for (size_t top = row; top < bottom;) {
        const stretch r = stretch_at(s->row, top, mapped_renaming_smaller(bottom, top + WIDEST));
        for (size_t left = col; r.copied && left < right;) {
            const stretch c = stretch_at(s->col, left, mapped_renaming_smaller(right, left + WIDEST));
            const size_t height = r.end - r.begin, width = c.end - c.begin;
            const st_real *corner = block + (r.begin - row) * cols + (c.begin - col);
            st_real piece[WIDEST * WIDEST];
            for (size_t k = 0; k < height && width != cols; k++)
                st_copy_reals(piece + k * width, corner + k * (size_t)cols, width);

            st_sink *target = c.copied ? target_of(s, r.root, c.root) : NULL;
            if (target) target->add(target, r.to, c.to, (int)height, (int)width, width == cols ? corner : piece);
            left = c.end;
        }
        top = r.end;
    }
}

static void add_diagonal(st_sink *sink, size_t row, size_t col, size_t n, st_real value) {
    st_renaming_sink *s = (st_renaming_sink *)sink;

    // all of it belongs to one DOF on either side
    if (n > 0 && st_window_holds(&s->window, row, col, n, n)) {
        const stretch r = stretch_at(s->row, row, row + n), c = stretch_at(s->col, col, col + n);
        if (r.end == row + n && c.end == col + n) {
            if (r.copied && c.copied) st_add_diagonal(target_of(s, r.root, c.root), r.to, c.to, n, value);
            return;
        }
    }

    st_add_diagonal_scalars(sink, row, col, n, value);
}

// Can nodes be renamed as such? They are DOFs of one root, and their scalars there begin at multiples of the width
// (those of a root with wider DOFs, too).
static bool rename_nodes(const st_renaming_sink *s, size_t count, const uint32_t *nodes, size_t width,
                         uint32_t *renamed) {
    const st_renaming *names = s->row;
    if (!names || names != s->col || names->roots.count != 1 || width != names->width) return false;

    for (size_t i = 0; i < count; i++) {
        if (nodes[i] >= names->root.count || names->root.data[nodes[i]] != 0) return false;
        if (names->scalars.data[nodes[i]] % (uint32_t)width) return false;
        renamed[i] = names->scalars.data[nodes[i]] / (uint32_t)width;
    }

    return true;
}

static void add_element(st_sink *sink, size_t count, const uint32_t *nodes, size_t width, const st_real *matrix) {
    st_renaming_sink *s = (st_renaming_sink *)sink;
    uint32_t renamed[NODES_MAX];

    // the whole element under other numbers, or block by block
    if (count > 0 && count <= NODES_MAX && rename_nodes(s, count, nodes, width, renamed))
        st_add_element(s->targets[0].sink, count, renamed, width, matrix);
    else st_add_element_blocks(sink, count, nodes, width, matrix);
}

static bool add_elements(st_sink *sink, struct st_pool *pool, const st_element_source *source) {
    st_renaming_sink *s = (st_renaming_sink *)sink;
    const size_t packs = (source->elements + ST_PACK_SIZE - 1) / ST_PACK_SIZE;
    const size_t count = packs * source->size * ST_PACK_SIZE;
    st_sink *target = s->targets[0].sink;
    st_element_source renamed = *source;

    if (!target->add_elements || !st_list_set_count(s->nodes, count, 1) ||
        !rename_nodes(s, count, source->nodes, source->width, s->nodes->data))
        return false;

    renamed.nodes = s->nodes->data;
    return target->add_elements(target, pool, &renamed);
}

void st_renaming_sink_init(st_renaming_sink *sink, st_window window, const st_renaming *row, const st_renaming *col,
                           st_renamed_target *targets, st_uints *nodes) {
    *sink = (st_renaming_sink){
        .sink = {.add = mapped_renaming_add, .add_diagonal = add_diagonal},
        .window = window,
        .row = row,
        .col = col,
        .targets = targets,
        .nodes = nodes,
    };

    if (st_renaming_roots(row) == 0 || st_renaming_roots(col) == 0 || !nodes) return;
    sink->sink.add_element = add_element;
    sink->sink.add_elements = add_elements;
}
