// Recognizing a matrix. See bsr_copy.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/bsr_copy.h"

#include <string.h>

#include "base/array.h"

static void take_sample(const st_bsr *matrix, st_real sample[ST_BSR_SAMPLE]) {
    const size_t numbers = st_bsr_count(matrix) * st_bsr_area(matrix);

    // an odd stride meets every row of a block
    const size_t stride = (numbers / ST_BSR_SAMPLE) | 1;
    for (size_t i = 0; i < ST_BSR_SAMPLE; i++) sample[i] = numbers ? matrix->values[i * stride % numbers] : 0;
}

static bool same_shape(const st_bsr_copy *copy, const st_bsr *matrix) {
    return copy->height == matrix->height && copy->width == matrix->width && copy->rows == matrix->rows &&
           copy->cols == matrix->cols && copy->count == st_bsr_count(matrix);
}

bool st_bsr_copy_is(const st_bsr_copy *copy, const st_bsr *matrix) {
    if (!copy->whole || !same_shape(copy, matrix)) return false;
    if (copy->count == 0) return true;

    return memcmp(copy->values.data, matrix->values, copy->values.count * sizeof *matrix->values) == 0 &&
           memcmp(copy->starts.data, matrix->starts, copy->starts.count * sizeof *matrix->starts) == 0 &&
           memcmp(copy->columns.data, matrix->columns, copy->columns.count * sizeof *matrix->columns) == 0;
}

static bool copy_whole(st_bsr_copy *copy, const st_bsr *matrix) {
    const size_t rows = matrix->starts ? (size_t)matrix->rows + 1 : 0, numbers = copy->count * st_bsr_area(matrix);
    if (!st_list_set_count(&copy->starts, rows, 1) || !st_list_set_count(&copy->columns, copy->count, 1) ||
        !st_list_set_count(&copy->values, numbers, 1))
        return false;

    st_copy_bytes(copy->starts.data, matrix->starts, rows * sizeof *matrix->starts);
    st_copy_bytes(copy->columns.data, matrix->columns, copy->count * sizeof *matrix->columns);
    st_copy_reals(copy->values.data, matrix->values, numbers);
    return true;
}

void st_bsr_copy_note(st_bsr_copy *copy, const st_bsr *matrix) {
    st_real sample[ST_BSR_SAMPLE];
    take_sample(matrix, sample);

    // what was noted before says whether a copy is worth it
    const bool again = copy->sampled && same_shape(copy, matrix) && memcmp(copy->sample, sample, sizeof sample) == 0;
    copy->height = matrix->height;
    copy->width = matrix->width;
    copy->rows = matrix->rows;
    copy->cols = matrix->cols;
    copy->count = st_bsr_count(matrix);
    copy->sampled = true;
    memcpy(copy->sample, sample, sizeof sample);

    copy->whole = again && copy_whole(copy, matrix);
}

void st_bsr_copy_forget(st_bsr_copy *copy) { copy->sampled = copy->whole = false; }

void st_bsr_copy_free(st_bsr_copy *copy) {
    st_list_free(&copy->starts);
    st_list_free(&copy->columns);
    st_list_free(&copy->values);
    *copy = (st_bsr_copy){0};
}
