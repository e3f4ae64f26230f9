// A copy of a matrix as the libraries want it. See csc.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/csc.h"

#include <limits.h>

#include "base/array.h"

static bool make_pattern(st_csc *csc, bool lower) {
    const st_bsr *a = &csc->scalar;
    st_free(csc->starts);
    st_free(csc->rows);
    st_free(csc->values);

    csc->n = a->rows;
    csc->starts = st_alloc((size_t)a->rows + 1, sizeof *csc->starts);
    csc->rows = st_alloc(st_bsr_count(a), sizeof *csc->rows);
    csc->values = st_alloc(st_bsr_count(a), sizeof *csc->values);
    if (!csc->starts || !csc->rows || !csc->values) return false;

    // the columns of the scalar copy, row by row
    int next = 0;
    for (int32_t i = 0; i < a->rows; i++) {
        for (size_t s = a->starts[i]; s < a->starts[i + 1]; s++)
            if (!lower || a->columns[s] <= i) csc->rows[next++] = a->columns[s];
        csc->starts[i + 1] = next;
    }

    return true;
}

static void copy_values(st_csc *csc, bool lower) {
    const st_bsr *a = &csc->scalar;
    size_t next = 0;
    for (int32_t i = 0; i < a->rows; i++)
        for (size_t s = a->starts[i]; s < a->starts[i + 1]; s++)
            if (!lower || a->columns[s] <= i) csc->values[next++] = (double)a->values[s];
}

st_status st_csc_copy(st_csc *csc, const st_bsr *matrix, bool lower) {
    csc->changed = false;
    if (matrix->rows != matrix->cols || st_bsr_scalar_rows(matrix) > INT_MAX) return ST_INVALID;
    const st_status status = st_bsr_copy_growing(&csc->scalar, matrix, &csc->changed);
    if (status != ST_OK) return status;
    if (st_bsr_count(&csc->scalar) > INT_MAX) return ST_INVALID;

    // its pattern grows, and does not shrink
    csc->changed = csc->changed || !csc->starts;
    if (csc->changed && !make_pattern(csc, lower)) {
        st_csc_free(csc);
        return ST_OUT_OF_MEMORY;
    }

    copy_values(csc, lower);
    return ST_OK;
}

void st_csc_free(st_csc *csc) {
    st_free(csc->starts);
    st_free(csc->rows);
    st_free(csc->values);
    st_bsr_free(&csc->scalar);
    *csc = (st_csc){0};
}
