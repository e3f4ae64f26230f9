// Blocks of a derivative that Python code has given, as the engine takes them.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PYTHON_BLOCKS_H
#define SETTEE_PYTHON_BLOCKS_H

#include "binding.h"
#include "settee/plugin/physics.h"

typedef struct blocks {
    size_t count;         // blocks of height × width scalars
    size_t height, width; //
    size_t rows, cols;    // of the whole matrix, in scalars
    int64_t *at_row, *at_col;
    st_real *values; // row-major within a block
    bool known;
} blocks;

// From what a method has returned: a SciPy matrix, an array (rows, cols), or (rows, columns, blocks). False with an
// exception. `rows` = SIZE_MAX: any number, taken from the matrix.
bool blocks_read(blocks *b, PyObject *matrix, size_t rows, size_t cols);
void blocks_free(blocks *b);
void blocks_give(const blocks *b, st_sink *sink);
// y += k B x
void blocks_multiply(const blocks *b, st_real k, const st_real *x, st_real *y);
bool blocks_are_diagonal(const blocks *b);
// The diagonal, `rows` scalars; allocated, NULL when out of memory.
st_real *blocks_diagonal(const blocks *b);

#endif
