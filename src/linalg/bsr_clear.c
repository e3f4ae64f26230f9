// Sparse matrices in square blocks: rows and columns replaced by those of the identity, which is how a Dirichlet
// condition enters an assembled matrix. See bsr.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/bsr.h"

static void clear_row_of_block(st_real *block, size_t b, size_t r) {
    for (size_t c = 0; c < b; c++) block[r * b + c] = 0;
}

static void clear_col_of_block(st_real *block, size_t b, size_t c) {
    for (size_t r = 0; r < b; r++) block[r * b + c] = 0;
}

static void clear_col_in_row(st_bsr *matrix, int32_t row, size_t j) {
    const size_t b = (size_t)matrix->block;
    const size_t slot = st_bsr_find(matrix, row, (int32_t)(j / b));
    if (slot != SIZE_MAX) clear_col_of_block(&matrix->values[slot * b * b], b, j % b);
}

void st_bsr_clear_row(st_bsr *matrix, size_t i) {
    if (i >= st_bsr_scalar_rows(matrix)) return;
    const size_t b = (size_t)matrix->block, row = i / b;
    for (size_t s = matrix->starts[row]; s < matrix->starts[row + 1]; s++)
        clear_row_of_block(&matrix->values[s * b * b], b, i % b);
}

void st_bsr_clear_col(st_bsr *matrix, size_t j) {
    if (j >= st_bsr_scalar_cols(matrix)) return;
    const size_t b = (size_t)matrix->block, col = j / b;
    if (!matrix->symmetric_pattern) {
        for (int32_t row = 0; row < matrix->rows; row++) clear_col_in_row(matrix, row, j);
        return;
    }
    // The rows that have an entry in this column are the columns of the row of the same number.
    for (size_t s = matrix->starts[col]; s < matrix->starts[col + 1]; s++)
        clear_col_in_row(matrix, matrix->columns[s], j);
}

bool st_bsr_clear_row_col(st_bsr *matrix, size_t i) {
    st_real *crossing = st_bsr_at(matrix, i, i);
    if (!crossing) return false;
    st_bsr_clear_row(matrix, i);
    st_bsr_clear_col(matrix, i);
    *crossing = 1;
    return true;
}

// Clears in one block the marked rows and columns; the crossings of a diagonal block become 1.
static void clear_block(st_real *block, size_t b, const bool *rows, const bool *cols, bool diagonal) {
    for (size_t r = 0; r < b; r++) {
        if (rows[r]) clear_row_of_block(block, b, r);
        if (cols[r]) clear_col_of_block(block, b, r);
    }
    for (size_t r = 0; diagonal && r < b; r++)
        if (rows[r]) block[r * b + r] = 1;
}

bool st_bsr_clear_rows_cols(st_bsr *matrix, const bool *mask) {
    const size_t b = (size_t)matrix->block, scalars = st_bsr_scalar_rows(matrix);
    if (matrix->rows != matrix->cols) return false;
    for (size_t i = 0; i < scalars; i++)
        if (mask[i] && !st_bsr_at(matrix, i, i)) return false;
    for (int32_t row = 0; row < matrix->rows; row++) {
        for (size_t s = matrix->starts[row]; s < matrix->starts[row + 1]; s++) {
            const int32_t col = matrix->columns[s];
            clear_block(&matrix->values[s * b * b], b, &mask[(size_t)row * b], &mask[(size_t)col * b], row == col);
        }
    }
    return true;
}
