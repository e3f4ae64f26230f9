// Sparse matrices in blocks: conversions to scalar rows and to a dense matrix. See bsr.h.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "linalg/bsr.h"

// Room for every scalar that is stored, so that later copies of the same matrix fit whatever their zeros are.
static bool bsr_convert_make_room(st_bsr *target, int32_t rows, size_t count) {
    if (!target->starts || target->rows != rows) {
        size_t *starts = st_alloc((size_t)rows + 1, sizeof *starts);
        if (!starts) return false;
        st_free(target->starts);
        target->starts = starts;
        target->rows = rows;
    }

    if (target->columns && target->values && target->capacity >= count) return true;
    st_free(target->columns);
    st_free(target->values);
    target->columns = st_alloc(count, sizeof *target->columns);
    target->values = st_alloc(count, sizeof *target->values);
    target->capacity = count;

    return target->columns && target->values;
}

// Appends the nonzeros of scalar row r of a block row at position `next` and gives the position after them.
static size_t copy_row(st_bsr *target, size_t next, const st_bsr *matrix, int32_t row, int32_t r) {
    const int32_t b = matrix->height;
    for (size_t s = matrix->starts[row]; s < matrix->starts[row + 1]; s++) {
        const st_real *values = &matrix->values[(s * (size_t)b + (size_t)r) * (size_t)b];
        for (int32_t c = 0; c < b; c++) {
            if (values[c] == 0) continue;
            target->columns[next] = matrix->columns[s] * b + c;
            target->values[next++] = values[c];
        }
    }

    return next;
}

st_status st_bsr_copy_nonzeros(st_bsr *target, const st_bsr *matrix) {
    const int32_t b = matrix->height;
    if (!bsr_convert_make_room(target, matrix->rows * b, st_bsr_count(matrix) * (size_t)b * (size_t)b)) {
        st_bsr_free(target);
        return ST_OUT_OF_MEMORY;
    }

    target->height = target->width = 1;
    target->cols = matrix->cols * b;
    target->symmetric_pattern = false;
    size_t next = 0;

    // scalar row by scalar row
    for (int32_t row = 0; row < matrix->rows; row++) {
        for (int32_t r = 0; r < b; r++) {
            target->starts[row * b + r] = next;
            next = copy_row(target, next, matrix, row, r);
        }
    }

    target->starts[target->rows] = next;
    return ST_OK;
}

// The scalars of one scalar row of a block matrix, from left to right.
typedef struct row_reader {
    const st_bsr *matrix;
    const bool *coupled; // zeros are read, too, where both their row and their column are coupled; NULL: never
    size_t slot, end;
    int32_t i, r, c;
} row_reader;

static row_reader read_row(const st_bsr *matrix, const bool *coupled, int32_t i) {
    const int32_t row = i / matrix->height;
    return (row_reader){.matrix = matrix,
                        .coupled = coupled,
                        .slot = matrix->starts[row],
                        .end = matrix->starts[row + 1],
                        .i = i,
                        .r = i % matrix->height};
}

// The next scalar; false at the end of the row.
static bool next_scalar(row_reader *reader, int32_t *column, st_real *value) {
    const int32_t b = reader->matrix->height;
    for (; reader->slot < reader->end; reader->slot++, reader->c = 0)
        for (; reader->c < b; reader->c++) {
            *value =
                reader->matrix->values[(reader->slot * (size_t)b + (size_t)reader->r) * (size_t)b + (size_t)reader->c];
            *column = reader->matrix->columns[reader->slot] * b + reader->c;
            if (*value == 0 && !(reader->coupled && reader->coupled[reader->i] && reader->coupled[*column])) continue;
            reader->c++;
            return true;
        }

    return false;
}

// Values into the pattern that is there; false when a nonzero has no place.
static bool bsr_convert_refill(st_bsr *target, const st_bsr *matrix) {
    for (int32_t i = 0; i < target->rows; i++) {
        row_reader reader = read_row(matrix, NULL, i);
        size_t at = target->starts[i];
        int32_t column;
        st_real value;
        while (next_scalar(&reader, &column, &value)) {
            // places that hold nothing this time
            for (; at < target->starts[i + 1] && target->columns[at] < column; at++) target->values[at] = 0;
            if (at == target->starts[i + 1] || target->columns[at] != column) return false;
            target->values[at++] = value;
        }
        for (; at < target->starts[i + 1]; at++) target->values[at] = 0;
    }

    return true;
}

// Which scalars have a nonzero outside of the diagonal; those of fixed DOFs have none.
static void find_coupled(const st_bsr *matrix, bool *coupled) {
    for (int32_t i = 0; i < matrix->rows * matrix->height; i++) {
        row_reader reader = read_row(matrix, NULL, i);
        int32_t column;
        st_real value;
        while (!coupled[i] && next_scalar(&reader, &column, &value)) coupled[i] = column != i;
    }
}

// The former pattern of a row and the scalars that come in, merged.
static size_t merge_row(st_bsr *to, size_t next, const st_bsr *former, const st_bsr *matrix, const bool *coupled,
                        int32_t i) {
    row_reader reader = read_row(matrix, coupled, i);
    size_t at = former->starts[i];
    int32_t column = 0;
    st_real value = 0;
    bool more = next_scalar(&reader, &column, &value);

    // both are sorted: the smaller column first, equal ones once
    while (more || at < former->starts[i + 1]) {
        const bool old = at < former->starts[i + 1] && (!more || former->columns[at] <= column);
        const bool fresh = more && (!old || former->columns[at] == column);
        to->columns[next] = old ? former->columns[at] : column;
        to->values[next++] = fresh ? value : 0;
        at += old;
        if (fresh) more = next_scalar(&reader, &column, &value);
    }

    return next;
}

st_status st_bsr_copy_growing(st_bsr *target, const st_bsr *matrix, bool *changed) {
    *changed = false;

    // a matrix of another size: from scratch
    if (target->rows != matrix->rows * matrix->height || !target->starts) {
        *changed = true;
        return st_bsr_copy_nonzeros(target, matrix);
    }

    // the usual case: the pattern has a place for every nonzero
    if (bsr_convert_refill(target, matrix)) return ST_OK;

    *changed = true;
    st_bsr merged = {0};

    bool *coupled = st_alloc((size_t)target->rows, sizeof *coupled);
    if (!coupled || !bsr_convert_make_room(&merged, target->rows,
                                           st_bsr_count(target) + st_bsr_count(matrix) * st_bsr_area(matrix))) {
        st_free(coupled);
        st_bsr_free(&merged);
        return ST_OUT_OF_MEMORY;
    }

    // former places, nonzeros, and zeros between coupled unknowns
    find_coupled(matrix, coupled);
    merged.height = merged.width = 1;
    merged.cols = target->cols;
    size_t next = 0;

    for (int32_t i = 0; i < target->rows; i++) {
        merged.starts[i] = next;
        next = merge_row(&merged, next, target, matrix, coupled, i);
    }

    merged.starts[target->rows] = next;
    st_free(coupled);
    st_bsr_free(target);
    *target = merged;

    return ST_OK;
}

void st_bsr_to_dense(const st_bsr *matrix, st_real *dense) {
    const size_t b = st_bsr_block(matrix), width = st_bsr_scalar_cols(matrix);
    const size_t scalars = st_bsr_scalar_rows(matrix) * width;

    if (scalars > 0) memset(dense, 0, scalars * sizeof *dense);

    for (int32_t row = 0; row < matrix->rows; row++) {
        for (size_t s = matrix->starts[row]; s < matrix->starts[row + 1]; s++) {
            st_real *corner = &dense[(size_t)row * b * width + (size_t)matrix->columns[s] * b];
            for (size_t r = 0; r < b; r++)
                memcpy(corner + r * width, &matrix->values[(s * b + r) * b], b * sizeof *dense);
        }
    }
}
