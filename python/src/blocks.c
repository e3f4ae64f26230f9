// Blocks of a derivative that Python code has given. See blocks.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "blocks.h"

#include <stdlib.h>

void blocks_free(blocks *b) {
    free(b->at_row);
    free(b->at_col);
    free(b->values);
    *b = (blocks){0};
}

// Every block must lie in the matrix: the engine does not look again.
static bool check(const blocks *b) {
    for (size_t i = 0; i < b->count; i++) {
        const int64_t r = b->at_row[i], c = b->at_col[i];
        if (r < 0 || c < 0 || (size_t)r >= b->rows / b->height || (size_t)c >= b->cols / b->width) {
            PyErr_Format(PyExc_IndexError, "block %zu at (%lld, %lld) is outside of a matrix of %zu x %zu blocks", i,
                         (long long)r, (long long)c, b->rows / b->height, b->cols / b->width);
            return false;
        }
    }
    return true;
}

bool blocks_read(blocks *b, PyObject *matrix, size_t rows, size_t cols) {
    blocks_free(b);

    // (height, width, total rows, rows, columns, values) of the package
    PyObject *form = PyObject_CallFunction(st_binding.normalize, "Onn", matrix,
                                           rows == SIZE_MAX ? (Py_ssize_t)-1 : (Py_ssize_t)rows, (Py_ssize_t)cols);
    if (!form) return false;
    Py_ssize_t height, width, total;
    PyObject *at_row, *at_col, *values;
    bool ok = PyArg_ParseTuple(form, "nnnOOO", &height, &width, &total, &at_row, &at_col, &values);

    numbers r = {0}, c = {0}, v = {0};
    ok = ok && numbers_read(at_row, false, &r) && numbers_read(at_col, false, &c) && numbers_read(values, true, &v);
    if (ok && (r.count != c.count || r.count != v.count || v.width != (size_t)(height * width))) {
        PyErr_SetString(PyExc_ValueError, "rows, columns and blocks differ in number");
        ok = false;
    }
    if (ok) {
        *b = (blocks){.count = r.count,
                      .height = (size_t)height,
                      .width = (size_t)width,
                      .rows = (size_t)total,
                      .cols = cols,
                      .at_row = r.integers,
                      .at_col = c.integers,
                      .values = v.reals,
                      .known = true};
        r.integers = c.integers = NULL;
        v.reals = NULL;
    }

    numbers_free(&r);
    numbers_free(&c);
    numbers_free(&v);
    Py_DECREF(form);
    if (ok && check(b)) return true;
    blocks_free(b);
    return false;
}

void blocks_give(const blocks *b, st_sink *sink) {
    const size_t h = b->height, w = b->width;
    for (size_t i = 0; i < b->count; i++)
        sink->add(sink, (size_t)b->at_row[i] * h, (size_t)b->at_col[i] * w, h, w, b->values + i * h * w);
}

void blocks_multiply(const blocks *b, st_real k, const st_real *x, st_real *y) {
    const size_t h = b->height, w = b->width;
    for (size_t i = 0; i < b->count; i++) {
        const st_real *block = b->values + i * h * w, *from = x + (size_t)b->at_col[i] * w;
        st_real *to = y + (size_t)b->at_row[i] * h;
        for (size_t r = 0; r < h; r++)
            for (size_t c = 0; c < w; c++) to[r] += k * block[r * w + c] * from[c];
    }
}

bool blocks_are_diagonal(const blocks *b) {
    const size_t h = b->height, w = b->width;
    for (size_t i = 0; i < b->count; i++)
        for (size_t k = 0; k < h * w; k++) {
            const size_t row = (size_t)b->at_row[i] * h + k / w, col = (size_t)b->at_col[i] * w + k % w;
            if (row != col && b->values[i * h * w + k] != 0) return false;
        }
    return true;
}

st_real *blocks_diagonal(const blocks *b) {
    st_real *d = calloc(b->rows + 1, sizeof *d);
    const size_t h = b->height, w = b->width;
    for (size_t i = 0; d && i < b->count; i++)
        for (size_t k = 0; k < h * w; k++) {
            const size_t row = (size_t)b->at_row[i] * h + k / w, col = (size_t)b->at_col[i] * w + k % w;
            if (row == col) d[row] += b->values[i * h * w + k];
        }
    return d;
}
