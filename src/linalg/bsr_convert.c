// Sparse matrices in square blocks: conversions to scalar rows and to a dense matrix. See bsr.h.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "linalg/bsr.h"

// Room for every scalar that is stored, so that later copies of the same matrix fit whatever their zeros are.
static bool make_room(st_bsr *target, int32_t rows, size_t count) {
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
    const int32_t b = matrix->block;
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
    const int32_t b = matrix->block;
    if (!make_room(target, matrix->rows * b, st_bsr_count(matrix) * (size_t)b * (size_t)b)) {
        st_bsr_free(target);
        return ST_OUT_OF_MEMORY;
    }
    target->block = 1;
    target->cols = matrix->cols * b;
    target->symmetric_pattern = false;
    size_t next = 0;
    for (int32_t row = 0; row < matrix->rows; row++) {
        for (int32_t r = 0; r < b; r++) {
            target->starts[row * b + r] = next;
            next = copy_row(target, next, matrix, row, r);
        }
    }
    target->starts[target->rows] = next;
    return ST_OK;
}

void st_bsr_to_dense(const st_bsr *matrix, st_real *dense) {
    const size_t b = (size_t)matrix->block, width = st_bsr_scalar_cols(matrix);
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
