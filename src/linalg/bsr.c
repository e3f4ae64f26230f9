// Sparse matrices in blocks: creation, access to entries, norms. See bsr.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/bsr.h"

#include <string.h>
#include <tgmath.h>

#include "base/array.h"

static bool pattern_is_valid(int32_t rows, int32_t cols, const size_t *starts, const int32_t *columns) {
    if (starts[0] != 0) return false;
    for (int32_t row = 0; row < rows; row++) {
        if (starts[row + 1] < starts[row]) return false;

        // columns increase within a row
        int32_t previous = -1;
        for (size_t s = starts[row]; s < starts[row + 1]; s++) {
            if (columns[s] <= previous || columns[s] >= cols) return false;
            previous = columns[s];
        }
    }

    return true;
}

// Rows are visited in order, so the mirror of an entry (row, col) must be the first entry of row `col` that was not
// yet met as a mirror: one cursor per row, no search.
static bool pattern_is_symmetric(const st_bsr *matrix, size_t *cursor) {
    if (matrix->rows != matrix->cols) return false;
    const size_t *starts = matrix->starts;

    if (matrix->rows > 0) memcpy(cursor, starts, (size_t)matrix->rows * sizeof *cursor);

    for (int32_t row = 0; row < matrix->rows; row++) {
        for (size_t s = starts[row]; s < starts[row + 1]; s++) {
            const int32_t col = matrix->columns[s];
            if (cursor[col] == starts[col + 1] || matrix->columns[cursor[col]] != row) return false;
            cursor[col]++;
        }
    }

    return true;
}

static bool is_side(int32_t scalars) { return scalars == 1 || scalars == 2 || scalars == 3 || scalars == 6; }

static bool shape_is_valid(int32_t height, int32_t width, int32_t rows, int32_t cols) {
    return is_side(height) && is_side(width) && rows >= 0 && cols >= 0 && rows <= INT32_MAX / height &&
           cols <= INT32_MAX / width;
}

st_status st_bsr_create_with(st_bsr *matrix, int32_t height, int32_t width, int32_t rows, int32_t cols, size_t *starts,
                             int32_t *columns) {
    const size_t count = starts[rows];
    *matrix = (st_bsr){.height = height,
                       .width = width,
                       .rows = rows,
                       .cols = cols,
                       .starts = starts,
                       .columns = columns,
                       .capacity = count};
    st_status status = shape_is_valid(height, width, rows, cols) ? ST_OK : ST_INVALID;

    // one cursor per row for the test of symmetry
    size_t *cursor = status == ST_OK ? st_alloc((size_t)rows, sizeof *cursor) : NULL;
    if (status == ST_OK) matrix->values = st_alloc(count, st_bsr_area(matrix) * sizeof *matrix->values);
    if (status == ST_OK && (!cursor || !matrix->values)) status = ST_OUT_OF_MEMORY;

    if (status == ST_OK) matrix->symmetric_pattern = pattern_is_symmetric(matrix, cursor);
    else st_bsr_free(matrix);
    st_free(cursor);
    return status;
}

st_status st_bsr_create(st_bsr *matrix, int32_t block, int32_t rows, int32_t cols, const size_t *starts,
                        const int32_t *columns) {
    *matrix = (st_bsr){0};
    if (!shape_is_valid(block, block, rows, cols) || !pattern_is_valid(rows, cols, starts, columns)) return ST_INVALID;

    // the pattern is copied
    const size_t count = starts[rows];
    size_t *own_starts = st_alloc((size_t)rows + 1, sizeof *own_starts);
    int32_t *own_columns = st_alloc(count, sizeof *own_columns);

    if (!own_starts || !own_columns) {
        st_free(own_starts);
        st_free(own_columns);
        return ST_OUT_OF_MEMORY;
    }

    memcpy(own_starts, starts, ((size_t)rows + 1) * sizeof *starts);
    if (count > 0) memcpy(own_columns, columns, count * sizeof *columns);
    return st_bsr_create_with(matrix, block, block, rows, cols, own_starts, own_columns);
}

void st_bsr_free(st_bsr *matrix) {
    st_free(matrix->starts);
    st_free(matrix->columns);
    st_free(matrix->values);
    st_free(matrix->weights);
    *matrix = (st_bsr){0};
}

size_t st_bsr_find(const st_bsr *matrix, int32_t row, int32_t col) {
    if (row < 0 || row >= matrix->rows || col < 0 || col >= matrix->cols) return SIZE_MAX;
    size_t low = matrix->starts[row], high = matrix->starts[row + 1];
    const size_t end = high;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (matrix->columns[middle] < col) low = middle + 1;
        else high = middle;
    }

    return low < end && matrix->columns[low] == col ? low : SIZE_MAX;
}

st_real *st_bsr_at(const st_bsr *matrix, size_t i, size_t j) {
    if (i >= st_bsr_scalar_rows(matrix) || j >= st_bsr_scalar_cols(matrix)) return NULL;
    const size_t h = (size_t)matrix->height, w = (size_t)matrix->width;
    const size_t slot = st_bsr_find(matrix, (int32_t)(i / h), (int32_t)(j / w));
    return slot == SIZE_MAX ? NULL : &matrix->values[slot * h * w + i % h * w + j % w];
}

st_real st_bsr_get(const st_bsr *matrix, size_t i, size_t j) {
    const st_real *entry = st_bsr_at(matrix, i, j);
    return entry ? *entry : 0;
}

void st_bsr_drop_weights(st_bsr *matrix) {
    st_free(matrix->weights);
    matrix->weights = NULL;
}

static bool is_weight(const st_real *block, size_t n) {
    for (size_t k = 0; k < n * n; k++)
        if (block[k] != (k % (n + 1) == 0 ? block[0] : 0)) return false;
    return true;
}

st_status st_bsr_find_weights(st_bsr *matrix) {
    const size_t count = st_bsr_count(matrix), area = st_bsr_area(matrix);
    st_bsr_drop_weights(matrix);
    if (matrix->height != matrix->width) return ST_OK;
    for (size_t s = 0; s < count; s++)
        if (!is_weight(matrix->values + s * area, (size_t)matrix->height)) return ST_OK;

    matrix->weights = st_alloc(count, sizeof *matrix->weights);
    if (!matrix->weights) return ST_OUT_OF_MEMORY;
    for (size_t s = 0; s < count; s++) matrix->weights[s] = matrix->values[s * area];
    return ST_OK;
}

st_real st_bsr_norm(const st_bsr *matrix) {
    const size_t scalars = st_bsr_count(matrix) * st_bsr_area(matrix);
    st_real sum = 0;
    for (size_t k = 0; k < scalars; k++) sum += matrix->values[k] * matrix->values[k];
    return sqrt(sum);
}

// Σ (a - m)² over the entries a of a block and their mirrors m; without a mirror the two differences are ±a.
static st_real block_asymmetry(size_t b, const st_real *block, const st_real *mirror) {
    st_real sum = 0;
    for (size_t r = 0; r < b; r++) {
        for (size_t c = 0; c < b; c++) {
            const st_real a = block[r * b + c];
            const st_real difference = mirror ? a - mirror[c * b + r] : a;
            sum += (mirror ? 1 : 2) * difference * difference;
        }
    }

    return sum;
}

st_real st_bsr_symmetry_error(const st_bsr *matrix) {
    const size_t b = st_bsr_block(matrix);
    st_real sum = 0;

    // a block without a mirror counts for both
    for (int32_t row = 0; row < matrix->rows; row++) {
        for (size_t s = matrix->starts[row]; s < matrix->starts[row + 1]; s++) {
            const size_t m = st_bsr_find(matrix, matrix->columns[s], row);
            sum += block_asymmetry(b, &matrix->values[s * b * b], m == SIZE_MAX ? NULL : &matrix->values[m * b * b]);
        }
    }

    return sqrt(sum);
}
