// Sparse matrices of rectangular blocks: recording their pattern, adding into known slots. See block_matrix.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/block_matrix.h"

#include "assembly/known_elements.h"
#include "base/array.h"
#include "linalg/add_block.h"
#include "linalg/vector.h"

// ---------------------------------------------------------------------------------------------------
// Life
// ---------------------------------------------------------------------------------------------------

static st_status record_present(st_block_matrix *m) {
    for (int32_t row = 0; row < m->rows; row++) {
        for (size_t s = m->starts[row]; s < m->starts[row + 1]; s++) {
            const st_status status = st_pattern_record(&m->pattern, row, m->columns[s]);
            if (status != ST_OK) return status;
        }
    }
    return ST_OK;
}

static void drop_weights(st_block_matrix *m) {
    st_free(m->weights);
    m->weights = NULL;
}

st_status st_block_matrix_begin_record(st_block_matrix *m, int32_t height, int32_t width, size_t rows, size_t cols,
                                       size_t part_count, bool keep) {
    if (rows > INT32_MAX || cols > INT32_MAX) return ST_INVALID;
    const bool same =
        m->starts && m->height == height && m->width == width && (size_t)m->rows == rows && (size_t)m->cols == cols;
    if (!st_list_set_count(&m->parts, part_count, 1)) return ST_OUT_OF_MEMORY;
    for (size_t i = 0; i < part_count; i++) m->parts.data[i] = SIZE_MAX;
    st_status status = st_pattern_begin(&m->pattern, (int32_t)rows, (int32_t)cols);
    if (status == ST_OK && keep && same) status = record_present(m);
    if (status != ST_OK) return status;
    drop_weights(m);
    m->height = height;
    m->width = width;
    m->rows = (int32_t)rows;
    m->cols = (int32_t)cols;
    m->skipped = m->streamed = m->pattern.additions.count;
    m->recording = true;
    m->status = ST_OK;
    return ST_OK;
}

void st_block_matrix_end_stream(st_block_matrix *m) { m->streamed = m->pattern.additions.count; }

void st_block_matrix_reserve(st_block_matrix *m, int32_t row, int32_t col) {
    const st_status status = st_pattern_record(&m->pattern, row, col);
    if (status != ST_OK) m->status = status;
}

// The compressed pattern becomes the matrix's own; the additions of the stream become its slots.
static st_status take_pattern(st_block_matrix *m) {
    const size_t count = m->pattern.starts[m->pattern.rows];
    const st_status status =
        st_slots_take(&m->slots, &m->pattern, m->skipped, m->streamed, m->pattern.starts, m->pattern.columns);
    if (status != ST_OK) return status;
    st_free(m->starts);
    st_free(m->columns);
    st_free(m->values);
    m->starts = m->pattern.starts;
    m->columns = m->pattern.columns;
    m->pattern.starts = NULL;
    m->pattern.columns = NULL;
    st_list_free(&m->pattern.additions);
    m->values = st_alloc(count, st_block_matrix_area(m) * sizeof *m->values);
    return m->values ? ST_OK : ST_OUT_OF_MEMORY;
}

st_status st_block_matrix_end_record(st_block_matrix *m) {
    m->recording = false;
    st_status status = m->status;
    if (status == ST_OK) status = st_pattern_compress(&m->pattern);
    if (status == ST_OK) status = take_pattern(m);
    if (status != ST_OK) st_block_matrix_free(m);
    return status;
}

void st_block_matrix_begin_add(st_block_matrix *m, st_pool *pool) {
    drop_weights(m);
    st_vector_zero(pool, st_block_matrix_count(m) * st_block_matrix_area(m), m->values);
    m->slots.cursor = 0;
    m->misses = 0;
    m->grown = false;
}

void st_block_matrix_part(st_block_matrix *m, size_t part) {
    if (part >= m->parts.count) return;
    if (m->recording) m->parts.data[part] = m->pattern.additions.count - m->skipped;
    else m->slots.cursor = m->parts.data[part];
}

bool st_block_matrix_is_stale(const st_block_matrix *m) { return st_slots_is_stale(&m->slots, m->misses); }

static bool is_weight(const st_real *block, size_t n) {
    for (size_t k = 0; k < n * n; k++)
        if (block[k] != (k % (n + 1) == 0 ? block[0] : 0)) return false;
    return true;
}

st_status st_block_matrix_find_weights(st_block_matrix *m) {
    const size_t count = st_block_matrix_count(m), area = st_block_matrix_area(m);
    drop_weights(m);
    if (m->height != m->width) return ST_OK;
    for (size_t s = 0; s < count; s++)
        if (!is_weight(m->values + s * area, (size_t)m->height)) return ST_OK;
    m->weights = st_alloc(count, sizeof *m->weights);
    if (!m->weights) return ST_OUT_OF_MEMORY;
    for (size_t s = 0; s < count; s++) m->weights[s] = m->values[s * area];
    return ST_OK;
}

void st_block_matrix_free(st_block_matrix *m) {
    drop_weights(m);
    st_free(m->starts);
    st_free(m->columns);
    st_free(m->values);
    st_pattern_free(&m->pattern);
    st_slots_free(&m->slots);
    st_list_free(&m->parts);
    *m = (st_block_matrix){0};
}

// ---------------------------------------------------------------------------------------------------
// Sinks
// ---------------------------------------------------------------------------------------------------

static void block_matrix_record(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    (void)block; // the pattern does not depend on values
    st_block_sink *s = (st_block_sink *)sink;
    st_block_matrix *m = s->matrix;
    if (!st_window_holds(&s->window, row, col, rows, cols)) {
        st_refuse_addition(&s->refusals, row, col, rows, cols);
        return;
    }
    if (rows == 0 || cols == 0) return;
    const size_t h = (size_t)m->height, w = (size_t)m->width, i = s->window.row + row, j = s->window.col + col;
    for (size_t r = i / h; r <= (i + rows - 1) / h; r++)
        for (size_t c = j / w; c <= (j + cols - 1) / w; c++) st_block_matrix_reserve(m, (int32_t)r, (int32_t)c);
}

static size_t block_matrix_find(const st_block_matrix *m, int32_t row, int32_t col) {
    size_t low = m->starts[row], high = m->starts[row + 1];
    const size_t end = high;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (m->columns[middle] < col) low = middle + 1;
        else high = middle;
    }
    return low < end && m->columns[low] == col ? low : SIZE_MAX;
}

// The block that the next addition goes to; NULL when there is none.
static st_real *next_block(st_block_matrix *m, size_t row, size_t col) {
    const uint32_t slot = st_slots_next(&m->slots, (int32_t)row, (int32_t)col);
    if (slot != ST_INVALID_INDEX) return &m->values[slot * st_block_matrix_area(m)];
    m->misses++;
    const size_t found = m->starts ? block_matrix_find(m, (int32_t)row, (int32_t)col) : SIZE_MAX;
    if (found != SIZE_MAX) return &m->values[found * st_block_matrix_area(m)];
    m->grown = true;
    return NULL;
}

// A block that does not stand on the grid of the matrix's own blocks is cut along it.
static void add_pieces(st_block_sink *s, size_t i, size_t j, size_t rows, size_t cols, const st_real *block) {
    const size_t h = (size_t)s->matrix->height, w = (size_t)s->matrix->width;
    const size_t bottom = i + rows, right = j + cols;
    for (size_t top = i; top < bottom; top = st_piece_end(top, bottom, h)) {
        for (size_t left = j; left < right; left = st_piece_end(left, right, w)) {
            st_real *to = next_block(s->matrix, top / h, left / w);
            if (!to) continue;
            for (size_t r = top; r < st_piece_end(top, bottom, h); r++)
                for (size_t c = left; c < st_piece_end(left, right, w); c++)
                    to[r % h * w + c % w] += s->factor * block[(r - i) * cols + (c - j)];
        }
    }
}

static void block_matrix_add(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    st_block_sink *s = (st_block_sink *)sink;
    const size_t h = (size_t)s->matrix->height, w = (size_t)s->matrix->width;
    const size_t i = s->window.row + row, j = s->window.col + col;
    if (!st_window_holds(&s->window, row, col, rows, cols)) {
        st_refuse_addition(&s->refusals, row, col, rows, cols);
    } else if (rows == h && cols == w && i % h == 0 && j % w == 0) {
        st_real *to = next_block(s->matrix, i / h, j / w);
        if (to && h * w == 9) st_add_block_3(to, block, 3, s->factor);
        else
            for (size_t k = 0; to && k < h * w; k++) to[k] += s->factor * block[k];
    } else {
        add_pieces(s, i, j, rows, cols, block);
    }
}

static st_known_blocks known_blocks(const st_block_sink *s) {
    return (st_known_blocks){&s->matrix->slots, s->matrix->values, s->window, s->factor};
}

// Nodes of three scalars in a matrix of 3 × 3 blocks.
static void add_element_3(st_sink *sink, size_t count, const uint32_t *nodes, size_t width, const st_real *matrix) {
    const st_known_blocks known = known_blocks((st_block_sink *)sink);
    if (width != 3 || !st_add_known_element(&known, count, nodes, matrix))
        st_add_element_blocks(sink, count, nodes, width, matrix);
}

static bool add_elements_3(st_sink *sink, st_pool *pool, const st_element_source *source) {
    const st_known_blocks known = known_blocks((st_block_sink *)sink);
    return st_add_known_elements(&known, pool, source);
}

static bool add_diagonals_3(st_sink *sink, st_pool *pool, const st_diagonals *diagonals) {
    const st_known_blocks known = known_blocks((st_block_sink *)sink);
    return st_add_known_diagonals(&known, pool, diagonals);
}

void st_block_sink_init(st_block_sink *sink, st_block_matrix *m, st_window window, st_real factor) {
    *sink = (st_block_sink){.sink = {.add = m->recording ? block_matrix_record : block_matrix_add},
                            .window = window,
                            .factor = factor,
                            .matrix = m};
    if (m->recording || m->height != 3 || m->width != 3) return;
    sink->sink.add_element = add_element_3;
    sink->sink.add_elements = add_elements_3;
    sink->sink.add_diagonals = add_diagonals_3;
}
