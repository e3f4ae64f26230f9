// The sink that leads into an assembly. See matrix_sink.h.
//
// A block that is handed over need not start on the grid of the matrix's own blocks: it is cut along the grid, and each
// piece is one addition of the stream, row of pieces by row of pieces.
//
// SPDX-License-Identifier: Apache-2.0
#include "assembly/matrix_sink.h"

#include "assembly/known_elements.h"
#include "linalg/add_block.h"

// ---------------------------------------------------------------------------------------------------
// Recording
// ---------------------------------------------------------------------------------------------------

static void record_block(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    (void)block; // the pattern does not depend on values
    st_matrix_sink *s = (st_matrix_sink *)sink;
    if (!st_window_holds(&s->window, row, col, rows, cols)) {
        st_refuse_addition(&s->refusals, row, col, rows, cols);
        return;
    }

    if (rows == 0 || cols == 0) return;

    // every block of the matrix that it touches
    st_assembly *a = s->assembly;
    const size_t h = (size_t)a->height, w = (size_t)a->width, i = s->window.row + row, j = s->window.col + col;

    for (size_t r = i / h; r <= (i + rows - 1) / h; r++) {
        for (size_t c = j / w; c <= (j + cols - 1) / w; c++) {
            const st_status status = st_pattern_record(&a->pattern, (int32_t)r, (int32_t)c);
            if (status == ST_INVALID) st_refuse_addition(&s->refusals, row, col, rows, cols);
            else if (status != ST_OK) a->status = status;
        }
    }
}

// ---------------------------------------------------------------------------------------------------
// Adding
// ---------------------------------------------------------------------------------------------------

static void add_pieces(const st_matrix_sink *s, size_t i, size_t j, size_t rows, size_t cols, const st_real *block,
                       size_t h, size_t w) {
    const size_t bottom = i + rows, right = j + cols;
    for (size_t top = i, below; top < bottom; top = below) {
        below = st_piece_end(top, bottom, h);
        for (size_t left = j, behind; left < right; left = behind) {
            behind = st_piece_end(left, right, w);

            // scalars [top, below) × [left, behind) are in one block of the matrix
            st_real *target = st_assembly_next_block(s->assembly, top / h, left / w, h * w);
            for (size_t r = top; target && r < below; r++)
                for (size_t c = left; c < behind; c++)
                    target[r % h * w + c % w] += s->factor * block[(r - i) * cols + (c - j)];
        }
    }
}

// The common case: the block given is a block of the matrix.
static inline void add_aligned(const st_matrix_sink *s, size_t i, size_t j, const st_real *block, size_t h, size_t w) {
    st_real *target = st_assembly_next_block(s->assembly, i / h, j / w, h * w);
    if (!target) return;

    if (h == 3 && w == 3) {
        st_add_block_3(target, block, 3, s->factor);
        return;
    }

    for (size_t k = 0; k < h * w; k++) target[k] += s->factor * block[k];
}

// A block that consists of whole 3 x 3 blocks of the matrix: a rigid body, a beam.
static void add_blocks_3(const st_matrix_sink *s, size_t i, size_t j, size_t rows, size_t cols, const st_real *block) {
    // in the order in which its pieces were recorded
    for (size_t r = 0; r < rows; r += 3)
        for (size_t c = 0; c < cols; c += 3) {
            st_real *target = st_assembly_next_block(s->assembly, (i + r) / 3, (j + c) / 3, 9);
            if (target) st_add_block_3(target, block + r * cols + c, cols, s->factor);
        }
}

// The size of the matrix's blocks is a constant at most calls.
static inline void add_block(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block,
                             size_t h, size_t w) {
    st_matrix_sink *s = (st_matrix_sink *)sink;
    const size_t i = s->window.row + row, j = s->window.col + col;

    if (!st_window_holds(&s->window, row, col, rows, cols)) st_refuse_addition(&s->refusals, row, col, rows, cols);
    else if (rows == h && cols == w && i % h == 0 && j % w == 0) add_aligned(s, i, j, block, h, w);
    else if (h == 3 && w == 3 && rows % 3 == 0 && cols % 3 == 0 && i % 3 == 0 && j % 3 == 0)
        add_blocks_3(s, i, j, rows, cols, block);
    else add_pieces(s, i, j, rows, cols, block, h, w);
}

static void add_1(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    add_block(sink, row, col, rows, cols, block, 1, 1);
}
static void add_2(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    add_block(sink, row, col, rows, cols, block, 2, 2);
}
static void add_3(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    add_block(sink, row, col, rows, cols, block, 3, 3);
}
static void add_any(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    const st_bsr *m = &((st_matrix_sink *)sink)->assembly->matrix;
    add_block(sink, row, col, rows, cols, block, (size_t)m->height, (size_t)m->width);
}

// ---------------------------------------------------------------------------------------------------
// Diagonals
// ---------------------------------------------------------------------------------------------------

// Is value times the identity of n rows in one block of the matrix, on its diagonal?
static bool is_block_diagonal(const st_matrix_sink *s, size_t row, size_t col, size_t n) {
    const size_t b = (size_t)s->assembly->height;
    return n == b && s->assembly->width == s->assembly->height && (s->window.row + row) % b == 0 &&
           (s->window.col + col) % b == 0 && st_window_holds(&s->window, row, col, n, n);
}

static void record_diagonal(st_sink *sink, size_t row, size_t col, size_t n, st_real value) {
    if (is_block_diagonal((st_matrix_sink *)sink, row, col, n)) record_block(sink, row, col, n, n, &value);
    else st_add_diagonal_scalars(sink, row, col, n, value);
}

static void add_diagonal(st_sink *sink, size_t row, size_t col, size_t n, st_real value) {
    const st_matrix_sink *s = (st_matrix_sink *)sink;
    if (!is_block_diagonal(s, row, col, n)) {
        st_add_diagonal_scalars(sink, row, col, n, value);
        return;
    }

    st_real *target = st_assembly_next_block(s->assembly, (s->window.row + row) / n, (s->window.col + col) / n, n * n);
    for (size_t k = 0; target && k < n; k++) target[k * (n + 1)] += s->factor * value;
}

// ---------------------------------------------------------------------------------------------------
// Many at once, into 3 x 3 blocks
// ---------------------------------------------------------------------------------------------------

static st_known_blocks known_blocks(const st_matrix_sink *s) {
    return (st_known_blocks){&s->assembly->slots, s->assembly->matrix.values, s->window, s->factor};
}

static void add_element_3(st_sink *sink, size_t count, const uint32_t *nodes, size_t width, const st_real *matrix) {
    const st_known_blocks known = known_blocks((st_matrix_sink *)sink);
    if (width != 3 || !st_add_known_element(&known, count, nodes, matrix))
        st_add_element_blocks(sink, count, nodes, width, matrix);
}

static bool add_elements_3(st_sink *sink, st_pool *pool, const st_element_source *source) {
    const st_known_blocks known = known_blocks((st_matrix_sink *)sink);
    return st_add_known_elements(&known, pool, source);
}

static bool add_diagonals_3(st_sink *sink, st_pool *pool, const st_diagonals *diagonals) {
    const st_known_blocks known = known_blocks((st_matrix_sink *)sink);
    return st_add_known_diagonals(&known, pool, diagonals);
}

static bool has_blocks_3(const st_bsr *m) { return m->starts && m->height == 3 && m->width == 3; }

void st_matrix_sink_add_matrix(st_matrix_sink *s, st_pool *pool, const st_bsr *from) {
    const size_t h = (size_t)from->height, w = (size_t)from->width;

    // its slots are the next ones of the stream
    const st_known_blocks known = known_blocks(s);
    if (!s->assembly->recording && has_blocks_3(&s->assembly->matrix) && has_blocks_3(from) &&
        st_add_known_rows(&known, pool, from))
        return;

    for (size_t r = 0; from->starts && r < (size_t)from->rows; r++)
        for (size_t k = from->starts[r]; k < from->starts[r + 1]; k++)
            s->sink.add(&s->sink, r * h, (size_t)from->columns[k] * w, h, w, &from->values[k * h * w]);
}

// ---------------------------------------------------------------------------------------------------

void st_matrix_sink_init(st_matrix_sink *sink, st_assembly *assembly, st_window window, st_real factor) {
    *sink = (st_matrix_sink){.window = window, .factor = factor, .assembly = assembly};
    if (assembly->recording) {
        sink->sink.add = record_block;
        sink->sink.add_diagonal = record_diagonal;
        return;
    }

    const int32_t b = assembly->height == assembly->width ? assembly->height : 0;
    sink->sink.add = b == 1 ? add_1 : b == 2 ? add_2 : b == 3 ? add_3 : add_any;
    sink->sink.add_diagonal = add_diagonal;
    if (b != 3) return;
    sink->sink.add_element = add_element_3;
    sink->sink.add_elements = add_elements_3;
    sink->sink.add_diagonals = add_diagonals_3;
}
