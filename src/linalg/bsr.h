// Sparse matrices in blocks, by compressed rows: the one form in which the library keeps a sparse matrix.
//
// A matrix of rows × cols blocks of height × width scalars (each 1, 2, 3 or 6) stores for each block row the columns of
// its blocks, increasing, and the blocks, each row-major; with area = height · width:
//
//     slots of block row i:   starts[i] … starts[i + 1] - 1
//     block of slot s:        column columns[s], scalars values[area · s] … values[area · (s + 1) - 1]
//
// With blocks of 1 × 1 it is the usual scalar compressed-row matrix. Indices named row, col are in blocks, i, j in
// scalars. The pattern is fixed at creation; stored zeros stay.
//
// System matrices have square blocks; products with vectors, conversions and factorizations are for those. Where two
// states are coupled (a Jacobian, the stiffness between a mapped state and another one) a block has the height of the
// row state's unit and the width of the column state's, and products of matrices (block_product.h) take them.
//
// Other forms of sparse rows exist only where this one cannot serve, and say why at the top of their file: csc.h (what
// libraries read), ldl_plan.h (a factor with fill), state/jacobian.h (H, whose rows change in each step), the triplets of
// KKTConstraintSolver, st_sparse_rows and st_matrix_view (arrays that are lent to plug-ins and programs, which do not
// know this struct).
//
// A product accumulates each scalar of the result from left to right over the blocks of its row and, within a block,
// over its columns. With blocks of 3 × 3 each column of the blocks has two sums, one for the blocks at even places of
// the row and one for those at odd places and the last, and these six are added at the end. The order does not depend
// on the number of threads.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_BSR_H
#define SETTEE_LINALG_BSR_H

#include "base/pool.h"
#include "settee/types.h"

typedef struct st_bsr {
    int32_t height, width;  // scalars of a block
    int32_t rows, cols;     // in blocks
    bool symmetric_pattern; // known to store (row, col) exactly when it stores (col, row)
    size_t *starts;         // rows + 1
    int32_t *columns;       // one per slot
    st_real *values;        // height · width per slot
    size_t capacity;        // slots for which columns and values have room
    st_real *weights;       // one per slot where every block is that times the identity; NULL: not known to be so
} st_bsr;

// A matrix of zeros in square blocks with the given pattern, which is copied and checked: starts increase from 0,
// columns increase strictly within a row and lie in [0, cols). ST_INVALID otherwise. An all-zero st_bsr is a valid
// empty matrix.
st_status st_bsr_create(st_bsr *matrix, int32_t block, int32_t rows, int32_t cols, const size_t *starts,
                        const int32_t *columns);
// A matrix of zeros that takes over a valid pattern: starts and columns become its own, on failure, too.
st_status st_bsr_create_with(st_bsr *matrix, int32_t height, int32_t width, int32_t rows, int32_t cols, size_t *starts,
                             int32_t *columns);
void st_bsr_free(st_bsr *matrix); // leaves an empty matrix

static inline size_t st_bsr_count(const st_bsr *matrix) { return matrix->starts ? matrix->starts[matrix->rows] : 0; }
static inline size_t st_bsr_area(const st_bsr *matrix) { return (size_t)matrix->height * (size_t)matrix->width; }
static inline size_t st_bsr_scalar_rows(const st_bsr *matrix) { return (size_t)matrix->rows * (size_t)matrix->height; }
static inline size_t st_bsr_scalar_cols(const st_bsr *matrix) { return (size_t)matrix->cols * (size_t)matrix->width; }
// Scalars along one side of a block of a matrix in square blocks.
static inline size_t st_bsr_block(const st_bsr *matrix) { return (size_t)matrix->height; }

// Slot of block (row, col), SIZE_MAX when it is not stored or out of range. Binary search.
size_t st_bsr_find(const st_bsr *matrix, int32_t row, int32_t col);
// Address of scalar (i, j), NULL when it is not stored or out of range.
st_real *st_bsr_at(const st_bsr *matrix, size_t i, size_t j);
st_real st_bsr_get(const st_bsr *matrix, size_t i, size_t j); // 0 when not stored

// For a matrix that is multiplied again and again with the same numbers: are its blocks weights times the identity? The
// weights hold until the numbers change.
st_status st_bsr_find_weights(st_bsr *matrix);
void st_bsr_drop_weights(st_bsr *matrix);

// y = A x; x and y must not overlap.
void st_bsr_multiply(const st_bsr *matrix, st_pool *pool, const st_real *x, st_real *y);

// Dirichlet conditions: the marked rows and columns of scalars become 0 and their crossings 1. mask has one flag per
// scalar of a square matrix. False when a crossing is not stored: nothing is changed then.
bool st_bsr_clear_rows_cols(st_bsr *matrix, const bool *mask);

// The scalar matrix of the entries that are not exactly 0. `target` is an empty matrix or a former target:
// its memory is used again where it is large enough, so that a steady step allocates nothing.
st_status st_bsr_copy_nonzeros(st_bsr *target, const st_bsr *matrix);

// The same, but the pattern of a former target only grows: a place that was once used stays, and when a nonzero has no
// place, all stored scalars between coupled unknowns get one. Entries that change between 0 and rounding noise from
// step to step then do not change the pattern again and again.
st_status st_bsr_copy_growing(st_bsr *target, const st_bsr *matrix, bool *changed);

// Row-major dense copy: scalar rows × scalar cols numbers.
void st_bsr_to_dense(const st_bsr *matrix, st_real *dense);

st_real st_bsr_norm(const st_bsr *matrix);           // Frobenius: √Σ a²
st_real st_bsr_symmetry_error(const st_bsr *matrix); // Frobenius norm of A - Aᵀ; A must be square

#endif
