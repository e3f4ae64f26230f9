// What the writers of matrices share. See settee/matrix.h.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_MATRIX_FILE_H
#define SETTEE_IO_MATRIX_FILE_H

#include "settee/matrix.h"

// Scalar number `at` of those that row i stores, zeros included, in the order of its blocks; false past the last one.
static inline bool st_view_scalar(const st_matrix_view *m, size_t i, size_t at, size_t *column, st_real *value) {
    const size_t b = (size_t)m->block, slot = m->starts[i / b] + at / b;
    if (slot >= m->starts[i / b + 1]) return false;

    *column = (size_t)m->columns[slot] * b + at % b;
    *value = m->values[slot * b * b + i % b * b + at % b];
    return true;
}
size_t st_view_entries(const st_matrix_view *matrix);                   // scalars that are not 0
void st_view_row(const st_matrix_view *matrix, size_t i, st_real *row); // all its scalars

// st_matrix_format_by_name, st_matrix_write, st_vector_write and st_matrix_summarize of settee/matrix.h.
bool st_find_matrix_format(const char *name, st_matrix_format *format);
st_status st_write_matrix(const st_matrix_view *matrix, st_matrix_format format, int digits, FILE *stream);
st_status st_write_vector(const st_vector_view *vector, st_matrix_format format, int digits, FILE *stream);
st_status st_summarize_matrix(const st_matrix_view *matrix, st_matrix_summary *summary);

st_status st_matrix_write_npz(const st_matrix_view *matrix, FILE *stream);
st_status st_vector_write_npz(const st_vector_view *vector, FILE *stream);
st_status st_matrix_write_png(const st_matrix_view *matrix, const st_matrix_part *parts, size_t count, FILE *stream);

#endif
