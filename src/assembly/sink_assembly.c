// Recording the pattern of a matrix and adding into its known slots. See sink_assembly.h.
//
// A block that is handed over need not stand on the grid of the matrix's own blocks: it is cut along the grid, and
// each piece is one addition of the stream, row of pieces by row of pieces.
//
// SPDX-License-Identifier: Apache-2.0
#include "assembly/sink_assembly.h"

#include "assembly/known_elements.h"
#include "base/array.h"
#include "base/pool.h"
#include "linalg/add_block.h"
#include "linalg/vector.h"

enum { TRIES = 3 };

st_status st_assembly_begin_record(st_assembly *a, int32_t block, size_t size, size_t part_count, bool keep) {
    if (block < 1 || size % (size_t)block != 0 || size / (size_t)block > INT32_MAX) return ST_INVALID;
    const int32_t rows = (int32_t)(size / (size_t)block);
    if (!st_list_set_count(&a->parts, part_count, 1)) return ST_OUT_OF_MEMORY;
    st_status status = st_pattern_begin(&a->pattern, rows, rows);
    if (status == ST_OK) status = st_pattern_record_diagonal(&a->pattern);
    if (status == ST_OK && keep && a->matrix.block == block && a->matrix.rows == rows && a->matrix.starts)
        status = st_pattern_record_matrix(&a->pattern, &a->matrix);
    if (status != ST_OK) return status;
    a->block = block;
    a->skipped = a->pattern.additions.count;
    for (size_t i = 0; i < part_count; i++) a->parts.data[i] = SIZE_MAX;
    a->recording = true;
    a->status = ST_OK;
    return ST_OK;
}

st_status st_assembly_end_record(st_assembly *a) {
    a->recording = false;
    st_status status = a->status;
    if (status == ST_OK) status = st_pattern_compress(&a->pattern);
    st_bsr_free(&a->matrix);
    if (status == ST_OK) status = st_pattern_create_matrix(&a->pattern, a->block, &a->matrix);
    if (status == ST_OK)
        status = st_slots_take(&a->slots, &a->pattern, a->skipped, a->pattern.additions.count, a->matrix.starts,
                               a->matrix.columns);
    st_pattern_free(&a->pattern);
    if (status != ST_OK) st_assembly_free(a);
    return status;
}

void st_assembly_begin_add(st_assembly *a, st_pool *pool) {
    st_vector_zero(pool, st_bsr_count(&a->matrix) * (size_t)(a->block * a->block), a->matrix.values);
    a->slots.cursor = 0;
    a->misses = 0;
    a->grown = false;
}

void st_assembly_part(st_assembly *a, size_t part) {
    if (part >= a->parts.count) return;
    if (a->recording) a->parts.data[part] = a->pattern.additions.count - a->skipped;
    // A part that was not recorded starts beyond the end: all its additions are looked up.
    else a->slots.cursor = a->parts.data[part];
}

void st_assembly_forget(st_assembly *a) { a->recorded = a->keep = false; }

st_status st_assembly_run(st_assembly *a, st_status (*record)(void *context, bool keep),
                          st_assembly_result (*add)(void *context), void *context) {
    for (int i = 0; i < TRIES; i++) {
        if (!a->recorded) {
            const st_status status = record(context, a->keep);
            if (status != ST_OK) {
                st_assembly_forget(a);
                return status;
            }
            a->recordings++;
        }
        const st_assembly_result result = add(context);
        a->keep = true;
        a->recorded = result == ST_ASSEMBLY_STEADY;
        if (result != ST_ASSEMBLY_GREW) return ST_OK;
    }
    return ST_FAILED;
}

bool st_assembly_is_stale(const st_assembly *a) { return st_slots_is_stale(&a->slots, a->misses); }

void st_assembly_free(st_assembly *a) {
    st_bsr_free(&a->matrix);
    st_pattern_free(&a->pattern);
    st_slots_free(&a->slots);
    st_list_free(&a->parts);
    *a = (st_assembly){0};
}

// ---------------------------------------------------------------------------------------------------
// Recording
// ---------------------------------------------------------------------------------------------------

static void sink_assembly_record(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols,
                                 const st_real *block) {
    (void)block; // the pattern does not depend on values
    st_matrix_sink *s = (st_matrix_sink *)sink;
    if (!st_window_holds(&s->window, row, col, rows, cols)) {
        st_refuse_addition(&s->refusals, row, col, rows, cols);
        return;
    }
    if (rows == 0 || cols == 0) return;
    st_assembly *a = s->assembly;
    const size_t b = (size_t)a->block, i = s->window.row + row, j = s->window.col + col;
    for (size_t r = i / b; r <= (i + rows - 1) / b; r++) {
        for (size_t c = j / b; c <= (j + cols - 1) / b; c++) {
            const st_status status = st_pattern_record(&a->pattern, (int32_t)r, (int32_t)c);
            if (status == ST_INVALID) st_refuse_addition(&s->refusals, row, col, rows, cols);
            else if (status != ST_OK) a->status = status;
        }
    }
}

// ---------------------------------------------------------------------------------------------------
// Adding
// ---------------------------------------------------------------------------------------------------

// The block of the matrix that the next addition goes to; NULL when there is none.
static inline st_real *next_block(st_assembly *a, int32_t row, int32_t col, size_t area) {
    const uint32_t slot = st_slots_next(&a->slots, row, col);
    if (slot != ST_INVALID_INDEX) return &a->matrix.values[slot * area];
    a->misses++;
    const size_t found = st_bsr_find(&a->matrix, row, col);
    if (found != SIZE_MAX) return &a->matrix.values[found * area];
    a->grown = true;
    return NULL;
}

// One piece: scalars [top, bottom) × [left, right) of the matrix, all in one of its blocks.
typedef struct piece {
    size_t top, bottom, left, right;
} piece;

static void add_piece(const st_matrix_sink *s, size_t i, size_t j, size_t cols, const st_real *block, piece p,
                      size_t b) {
    st_real *target = next_block(s->assembly, (int32_t)(p.top / b), (int32_t)(p.left / b), b * b);
    if (!target) return;
    for (size_t r = p.top; r < p.bottom; r++)
        for (size_t c = p.left; c < p.right; c++)
            target[r % b * b + c % b] += s->factor * block[(r - i) * cols + (c - j)];
}

static void add_pieces(const st_matrix_sink *s, size_t i, size_t j, size_t rows, size_t cols, const st_real *block,
                       size_t b) {
    const size_t bottom = i + rows, right = j + cols;
    piece p;
    for (p.top = i; p.top < bottom; p.top = p.bottom) {
        p.bottom = st_piece_end(p.top, bottom, b);
        for (p.left = j; p.left < right; p.left = p.right) {
            p.right = st_piece_end(p.left, right, b);
            add_piece(s, i, j, cols, block, p, b);
        }
    }
}

// The common case: the block given is a block of the matrix.
static inline void add_aligned(const st_matrix_sink *s, size_t i, size_t j, const st_real *block, size_t b) {
    st_real *target = next_block(s->assembly, (int32_t)(i / b), (int32_t)(j / b), b * b);
    if (!target) return;
    if (b == 3) {
        st_add_block_3(target, block, 3, s->factor);
        return;
    }
    for (size_t k = 0; k < b * b; k++) target[k] += s->factor * block[k];
}

// A block that consists of whole 3 x 3 blocks of the matrix: a rigid body, a beam.
static void add_blocks_3(const st_matrix_sink *s, size_t i, size_t j, size_t rows, size_t cols, const st_real *block) {
    for (size_t r = 0; r < rows; r += 3)
        for (size_t c = 0; c < cols; c += 3) {
            st_real *target = next_block(s->assembly, (int32_t)((i + r) / 3), (int32_t)((j + c) / 3), 9);
            if (target) st_add_block_3(target, block + r * cols + c, cols, s->factor);
        }
}

static inline void sink_assembly_add(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols,
                                     const st_real *block, size_t b) {
    st_matrix_sink *s = (st_matrix_sink *)sink;
    const size_t i = s->window.row + row, j = s->window.col + col;
    if (!st_window_holds(&s->window, row, col, rows, cols)) st_refuse_addition(&s->refusals, row, col, rows, cols);
    else if (rows == b && cols == b && i % b == 0 && j % b == 0) add_aligned(s, i, j, block, b);
    else if (b == 3 && rows % 3 == 0 && cols % 3 == 0 && i % 3 == 0 && j % 3 == 0)
        add_blocks_3(s, i, j, rows, cols, block);
    else add_pieces(s, i, j, rows, cols, block, b);
}

static void add_1(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    sink_assembly_add(sink, row, col, rows, cols, block, 1);
}
static void add_2(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    sink_assembly_add(sink, row, col, rows, cols, block, 2);
}
static void add_3(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    sink_assembly_add(sink, row, col, rows, cols, block, 3);
}
static void add_any(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    sink_assembly_add(sink, row, col, rows, cols, block, (size_t)((st_matrix_sink *)sink)->assembly->block);
}

static st_known_blocks known_blocks(const st_matrix_sink *s) {
    return (st_known_blocks){&s->assembly->slots, s->assembly->matrix.values, s->window, s->factor};
}

static void add_element_3(st_sink *sink, size_t count, const uint32_t *nodes, size_t width, const st_real *matrix) {
    const st_matrix_sink *s = (st_matrix_sink *)sink;
    const st_known_blocks known = known_blocks(s);
    if (width != 3 || !st_add_known_element(&known, count, nodes, matrix))
        st_add_element_blocks(sink, count, nodes, width, matrix);
}

// Does value times the identity of n rows lie in one block of the matrix, on its diagonal?
static bool is_block_diagonal(const st_matrix_sink *s, size_t row, size_t col, size_t n) {
    const size_t b = (size_t)s->assembly->block;
    return n == b && (s->window.row + row) % b == 0 && (s->window.col + col) % b == 0 &&
           st_window_holds(&s->window, row, col, n, n);
}

static void record_diagonal(st_sink *sink, size_t row, size_t col, size_t n, st_real value) {
    if (is_block_diagonal((st_matrix_sink *)sink, row, col, n)) sink_assembly_record(sink, row, col, n, n, &value);
    else st_add_diagonal_scalars(sink, row, col, n, value);
}

static void add_diagonal(st_sink *sink, size_t row, size_t col, size_t n, st_real value) {
    const st_matrix_sink *s = (st_matrix_sink *)sink;
    if (!is_block_diagonal(s, row, col, n)) {
        st_add_diagonal_scalars(sink, row, col, n, value);
        return;
    }
    const size_t b = n;
    st_real *target =
        next_block(s->assembly, (int32_t)((s->window.row + row) / b), (int32_t)((s->window.col + col) / b), b * b);
    for (size_t k = 0; target && k < b; k++) target[k * (b + 1)] += s->factor * value;
}

static bool add_elements_3(st_sink *sink, st_pool *pool, const st_element_source *source) {
    const st_known_blocks known = known_blocks((st_matrix_sink *)sink);
    return st_add_known_elements(&known, pool, source);
}

static bool add_diagonals_3(st_sink *sink, st_pool *pool, const st_diagonals *diagonals) {
    const st_known_blocks known = known_blocks((st_matrix_sink *)sink);
    return st_add_known_diagonals(&known, pool, diagonals);
}

bool st_matrix_sink_add_rows(const st_matrix_sink *sink, st_pool *pool, const st_known_rows *rows) {
    const st_known_blocks known = known_blocks(sink);
    return sink->assembly->block == 3 && !sink->assembly->recording && st_add_known_rows(&known, pool, rows);
}

void st_matrix_sink_init(st_matrix_sink *sink, st_assembly *assembly, st_window window, st_real factor) {
    *sink = (st_matrix_sink){.window = window, .factor = factor, .assembly = assembly};
    sink->sink.add_diagonal = assembly->recording ? record_diagonal : add_diagonal;
    if (assembly->recording) sink->sink.add = sink_assembly_record;
    else if (assembly->block == 1) sink->sink.add = add_1;
    else if (assembly->block == 2) sink->sink.add = add_2;
    else if (assembly->block == 3) {
        sink->sink.add = add_3;
        sink->sink.add_element = add_element_3;
        sink->sink.add_elements = add_elements_3;
        sink->sink.add_diagonals = add_diagonals_3;
    } else sink->sink.add = add_any;
}
