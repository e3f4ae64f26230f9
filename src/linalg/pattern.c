// From a stream of additions to a sparsity pattern; see pattern.h.
//
// Compressing is a counting sort of the additions by row, then row by row: the distinct columns are collected with
// the help of a mark per column, sorted, and numbered; each addition of the row reads its slot off its column.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { SHORT_ROW = 32 }; // up to here an insertion sort is the fastest

st_status st_pattern_begin(st_pattern *pattern, int32_t rows, int32_t cols) {
    if (rows < 0 || cols < 0) return ST_INVALID;
    st_free(pattern->starts);
    st_free(pattern->columns);
    pattern->starts = NULL;
    pattern->columns = NULL;
    pattern->rows = rows;
    pattern->cols = cols;
    pattern->additions.count = 0;

    return ST_OK;
}

st_status st_pattern_record(st_pattern *pattern, int32_t row, int32_t col) {
    if (row < 0 || row >= pattern->rows || col < 0 || col >= pattern->cols) return ST_INVALID;
    const st_addition addition = {.row = row, .col = col, .slot = ST_INVALID_INDEX};
    return st_list_push(&pattern->additions, addition) ? ST_OK : ST_OUT_OF_MEMORY;
}

st_status st_pattern_record_diagonal(st_pattern *pattern) {
    const int32_t count = pattern->rows < pattern->cols ? pattern->rows : pattern->cols;
    for (int32_t i = 0; i < count; i++) {
        const st_status status = st_pattern_record(pattern, i, i);
        if (status != ST_OK) return status;
    }
    return ST_OK;
}

st_status st_pattern_record_matrix(st_pattern *pattern, const st_bsr *matrix) {
    for (int32_t row = 0; row < matrix->rows; row++) {
        for (size_t s = matrix->starts[row]; s < matrix->starts[row + 1]; s++) {
            const st_status status = st_pattern_record(pattern, row, matrix->columns[s]);
            if (status != ST_OK) return status;
        }
    }

    return ST_OK;
}

// Work arrays of one compression.
typedef struct sorter {
    uint32_t *order;       // additions by row; in a row, in the order of recording
    size_t *row_ends;      // end of each row in `order`
    int32_t *last_row;     // per column: the last row that has it
    uint32_t *column_slot; // per column: its slot in that row
} sorter;

static void sorter_free(sorter *w) {
    st_free(w->order);
    st_free(w->row_ends);
    st_free(w->last_row);
    st_free(w->column_slot);
}

static bool sorter_create(sorter *w, const st_pattern *pattern) {
    w->order = st_alloc(pattern->additions.count, sizeof *w->order);
    w->row_ends = st_alloc((size_t)pattern->rows + 1, sizeof *w->row_ends);
    w->last_row = st_alloc((size_t)pattern->cols, sizeof *w->last_row);
    w->column_slot = st_alloc((size_t)pattern->cols, sizeof *w->column_slot);
    if (!w->order || !w->row_ends || !w->last_row || !w->column_slot) return false;
    for (int32_t col = 0; col < pattern->cols; col++) w->last_row[col] = -1;

    return true;
}

static void sort_by_row(sorter *w, const st_pattern *pattern) {
    const st_addition *additions = pattern->additions.data;
    const size_t count = pattern->additions.count;
    for (size_t k = 0; k < count; k++) w->row_ends[additions[k].row + 1]++;

    for (int32_t row = 0; row < pattern->rows; row++) w->row_ends[row + 1] += w->row_ends[row];

    // row_ends[row] is the begin of the row here, and its end once the row is filled.
    for (size_t k = 0; k < count; k++) w->order[w->row_ends[additions[k].row]++] = (uint32_t)k;
}

static int compare_columns(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void sort_columns(int32_t *columns, size_t count) {
    if (count > SHORT_ROW) {
        qsort(columns, count, sizeof *columns, compare_columns);
        return;
    }

    for (size_t i = 1; i < count; i++) {
        const int32_t column = columns[i];
        size_t j = i;
        for (; j > 0 && columns[j - 1] > column; j--) columns[j] = columns[j - 1];
        columns[j] = column;
    }
}

// Writes the distinct columns of one row from `next` on, numbers them, and gives the position after them.
static size_t compress_row(sorter *w, st_pattern *pattern, int32_t row, size_t next) {
    st_addition *additions = pattern->additions.data;
    const size_t begin = row == 0 ? 0 : w->row_ends[row - 1], end = w->row_ends[row], first = next;

    // the columns of the row, each once
    for (size_t k = begin; k < end; k++) {
        const int32_t col = additions[w->order[k]].col;
        if (w->last_row[col] == row) continue;
        w->last_row[col] = row;
        pattern->columns[next++] = col;
    }

    // sorted, they are slots
    if (next > first) sort_columns(pattern->columns + first, next - first);
    for (size_t s = first; s < next; s++) w->column_slot[pattern->columns[s]] = (uint32_t)s;

    // each addition finds the slot of its column
    for (size_t k = begin; k < end; k++) {
        st_addition *addition = &additions[w->order[k]];
        addition->slot = w->column_slot[addition->col];
    }

    return next;
}

st_status st_pattern_compress(st_pattern *pattern) {
    const size_t count = pattern->additions.count;
    if (count >= ST_INVALID_INDEX) return ST_INVALID;

    st_free(pattern->starts);
    st_free(pattern->columns);

    pattern->starts = st_alloc((size_t)pattern->rows + 1, sizeof *pattern->starts);
    pattern->columns = st_alloc(count, sizeof *pattern->columns);
    sorter w = {0};

    const bool enough = pattern->starts && pattern->columns && sorter_create(&w, pattern);

    // a counting sort by row, then row by row
    if (enough) {
        sort_by_row(&w, pattern);
        for (int32_t row = 0; row < pattern->rows; row++)
            pattern->starts[row + 1] = compress_row(&w, pattern, row, pattern->starts[row]);
    }

    sorter_free(&w);

    // There was room for as many columns as there are additions.
    int32_t *fitting =
        enough ? st_resize(pattern->columns, count, pattern->starts[pattern->rows], sizeof *fitting) : NULL;
    if (fitting) pattern->columns = fitting;

    return enough ? ST_OK : ST_OUT_OF_MEMORY;
}

st_status st_pattern_take_matrix(st_pattern *pattern, int32_t height, int32_t width, st_bsr *matrix) {
    *matrix = (st_bsr){0};
    if (!pattern->starts || !pattern->columns) return ST_INVALID;

    // the additions go first: they take more memory than the matrix
    st_list_free(&pattern->additions);
    size_t *starts = pattern->starts;
    int32_t *columns = pattern->columns;
    const int32_t rows = pattern->rows, cols = pattern->cols;
    *pattern = (st_pattern){0};

    return st_bsr_create_with(matrix, height, width, rows, cols, starts, columns);
}

void st_pattern_free(st_pattern *pattern) {
    st_list_free(&pattern->additions);
    st_free(pattern->starts);
    st_free(pattern->columns);
    *pattern = (st_pattern){0};
}

st_status st_slots_take(st_slots *slots, const st_pattern *pattern, size_t first, size_t end, const size_t *starts,
                        const int32_t *columns) {
    if (!pattern->starts || first > end || end > pattern->additions.count) return ST_INVALID;
    st_slots_free(slots);
    if (!st_list_set_count(&slots->list, end - first, 1)) return ST_OUT_OF_MEMORY;
    for (size_t k = first; k < end; k++) slots->list.data[k - first] = pattern->additions.data[k].slot;
    slots->starts = starts;
    slots->columns = columns;

    return ST_OK;
}

void st_slots_free(st_slots *slots) {
    st_list_free(&slots->list);
    *slots = (st_slots){0};
}
