// Sparse matrices in blocks: rows and columns replaced by those of the identity, which is how a Dirichlet
// condition enters an assembled matrix. See bsr.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/bsr.h"

// Clears in one block the marked rows and columns; the crossings of a diagonal block become 1.
static void clear_block(st_bsr *matrix, size_t slot, int32_t row, int32_t col, const bool *mask) {
    const size_t b = st_bsr_block(matrix);
    const bool *rows = mask + (size_t)row * b, *cols = mask + (size_t)col * b;
    st_real *block = matrix->values + slot * b * b;

    // rows and columns of the identity
    for (size_t r = 0; r < b; r++)
        for (size_t c = 0; c < b; c++)
            if (rows[r] || cols[c]) block[r * b + c] = 0;

    // the crossings, which only diagonal blocks have
    for (size_t r = 0; row == col && r < b; r++)
        if (rows[r]) block[r * b + r] = 1;
}

static bool is_marked(const bool *mask, size_t b, int32_t row) {
    bool marked = false;
    for (size_t r = 0; r < b; r++) marked |= mask[(size_t)row * b + r];
    return marked;
}

bool st_bsr_clear_rows_cols(st_bsr *matrix, const bool *mask) {
    const size_t b = st_bsr_block(matrix), scalars = st_bsr_scalar_rows(matrix);
    if (matrix->rows != matrix->cols) return false;

    // nothing is changed unless every crossing has a place
    for (size_t i = 0; i < scalars; i++)
        if (mask[i] && !st_bsr_at(matrix, i, i)) return false;

    // Of a symmetric pattern, the rows that have an entry in a column are the columns of the row of the same number.
    for (int32_t row = 0; row < matrix->rows; row++) {
        if (matrix->symmetric_pattern && !is_marked(mask, b, row)) continue;
        for (size_t s = matrix->starts[row]; s < matrix->starts[row + 1]; s++) {
            const int32_t col = matrix->columns[s];
            clear_block(matrix, s, row, col, mask);
            if (matrix->symmetric_pattern && !is_marked(mask, b, col))
                clear_block(matrix, st_bsr_find(matrix, col, row), col, row, mask);
        }
    }

    return true;
}
