// What the writers of matrices share. See settee/matrix.h.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_MATRIX_FILE_H
#define SETTEE_IO_MATRIX_FILE_H

#include "settee/matrix.h"

// Blocks of the block row that holds scalar row i: how many, and the first one's slot.
size_t st_view_blocks(const st_matrix_view *matrix, size_t i, size_t *first);
size_t st_view_entries(const st_matrix_view *matrix);                   // scalars that are not 0
void st_view_row(const st_matrix_view *matrix, size_t i, st_real *row); // all its scalars

st_status st_matrix_write_npz(const st_matrix_view *matrix, FILE *stream);
st_status st_vector_write_npz(const st_vector_view *vector, FILE *stream);
st_status st_matrix_write_png(const st_matrix_view *matrix, FILE *stream);

#endif
