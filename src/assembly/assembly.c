// A sparse matrix that is assembled again and again from the same stream of additions. See assembly.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "assembly/assembly.h"

#include "base/array.h"
#include "linalg/vector.h"

// ---------------------------------------------------------------------------------------------------
// Recording
// ---------------------------------------------------------------------------------------------------

static bool has_shape(const st_bsr *m, int32_t height, int32_t width, size_t rows, size_t cols) {
    return m->starts && m->height == height && m->width == width && (size_t)m->rows == rows && (size_t)m->cols == cols;
}

static st_status assembly_begin(st_assembly *a, int32_t height, int32_t width, size_t rows, size_t cols,
                                size_t part_count, bool keep, bool diagonal) {
    if (rows > (size_t)(INT32_MAX / height) || cols > (size_t)(INT32_MAX / width)) return ST_INVALID;
    if (!st_list_set_count(&a->parts, part_count, 1)) return ST_OUT_OF_MEMORY;

    for (size_t i = 0; i < part_count; i++) a->parts.data[i] = SIZE_MAX;

    // what has a place without being part of the stream
    st_status status = st_pattern_begin(&a->pattern, (int32_t)rows, (int32_t)cols);
    if (status == ST_OK && diagonal) status = st_pattern_record_diagonal(&a->pattern);
    if (status == ST_OK && keep && has_shape(&a->matrix, height, width, rows, cols))
        status = st_pattern_record_matrix(&a->pattern, &a->matrix);
    if (status != ST_OK) return status;

    a->height = height;
    a->width = width;
    a->skipped = a->pattern.additions.count;
    a->streamed = SIZE_MAX;
    a->recording = true;
    a->status = ST_OK;

    return ST_OK;
}

st_status st_assembly_begin_record(st_assembly *a, int32_t block, size_t size, size_t part_count, bool keep) {
    if (block < 1 || size % (size_t)block != 0) return ST_INVALID;
    const size_t rows = size / (size_t)block;
    return assembly_begin(a, block, block, rows, rows, part_count, keep, true);
}

st_status st_assembly_begin_record_blocks(st_assembly *a, int32_t height, int32_t width, size_t rows, size_t cols,
                                          size_t part_count, bool keep) {
    if (height < 1 || width < 1) return ST_INVALID;
    return assembly_begin(a, height, width, rows, cols, part_count, keep, false);
}

void st_assembly_end_stream(st_assembly *a) { a->streamed = a->pattern.additions.count; }

st_status st_assembly_end_record(st_assembly *a) {
    const size_t count = a->pattern.additions.count, end = a->streamed < count ? a->streamed : count;
    a->recording = false;
    st_status status = a->status;
    if (status == ST_OK) status = st_pattern_compress(&a->pattern);

    // the slots borrow the rows of the new matrix, which are those of the pattern
    st_bsr_free(&a->matrix);
    if (status == ST_OK)
        status = st_slots_take(&a->slots, &a->pattern, a->skipped, end, a->pattern.starts, a->pattern.columns);
    if (status == ST_OK) status = st_pattern_take_matrix(&a->pattern, a->height, a->width, &a->matrix);

    st_pattern_free(&a->pattern);
    if (status != ST_OK) st_assembly_free(a);
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Adding
// ---------------------------------------------------------------------------------------------------

void st_assembly_begin_add(st_assembly *a, st_pool *pool) {
    st_bsr_drop_weights(&a->matrix);
    st_vector_zero(pool, st_bsr_count(&a->matrix) * st_bsr_area(&a->matrix), a->matrix.values);
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

st_real *st_assembly_look_up(st_assembly *a, size_t row, size_t col, size_t area) {
    a->misses++;
    const size_t found = st_bsr_find(&a->matrix, (int32_t)row, (int32_t)col);
    if (found != SIZE_MAX) return &a->matrix.values[found * area];
    a->grown = true;
    return NULL;
}

bool st_assembly_is_stale(const st_assembly *a) { return st_slots_is_stale(&a->slots, a->misses); }

// ---------------------------------------------------------------------------------------------------

st_window st_assembly_window(const st_assembly *a) {
    if (!a->recording)
        return (st_window){.rows = st_bsr_scalar_rows(&a->matrix), .cols = st_bsr_scalar_cols(&a->matrix)};
    return (st_window){.rows = (size_t)a->pattern.rows * (size_t)a->height,
                       .cols = (size_t)a->pattern.cols * (size_t)a->width};
}

void st_assembly_forget(st_assembly *a) { a->recorded = a->keep = false; }

void st_assembly_free(st_assembly *a) {
    st_bsr_free(&a->matrix);
    st_pattern_free(&a->pattern);
    st_slots_free(&a->slots);
    st_list_free(&a->parts);
    *a = (st_assembly){0};
}
