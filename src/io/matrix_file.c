// Matrices and vectors as files: Matrix Market, comma-separated values, SOFA's text. See settee/matrix.h; matrix_npz.c
// has NumPy's format, matrix_picture.c the picture.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/matrix_file.h"

#include <string.h>

#include "base/array.h"
#include "system/matrix_view.h"

#define MOST_DENSE 1e9 // entries of a format that has them all

bool st_find_matrix_format(const char *name, st_matrix_format *format) {
    static const char *const names[] = {"mtx", "csv", "npz", "png", "txt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) != 0) continue;
        *format = (st_matrix_format)i;
        return true;
    }
    return false;
}

size_t st_view_entries(const st_matrix_view *m) {
    const size_t scalars = m->rows ? m->starts[m->rows / (size_t)m->block] * (size_t)m->block * (size_t)m->block : 0;
    size_t count = 0;
    for (size_t k = 0; k < scalars; k++) count += m->values[k] != 0;
    return count;
}

static int significant(int digits) { return digits < 1 ? 1 : digits > 17 ? 17 : digits; }

// ---------------------------------------------------------------------------------------------------
// Matrix Market
// ---------------------------------------------------------------------------------------------------

static void write_mtx(const st_matrix_view *m, int digits, FILE *stream) {
    fprintf(stream, "%%%%MatrixMarket matrix coordinate real general\n%zu %zu %zu\n", m->rows, m->cols,
            st_view_entries(m));

    // zeros inside of blocks are not written; rows and columns count from 1
    for (size_t i = 0, column; i < m->rows; i++) {
        st_real value;
        for (size_t k = 0; st_view_scalar(m, i, k, &column, &value); k++)
            if (value != 0) fprintf(stream, "%zu %zu %.*g\n", i + 1, column + 1, digits, (double)value);
    }
}

// ---------------------------------------------------------------------------------------------------
// All entries, row by row
// ---------------------------------------------------------------------------------------------------

void st_view_row(const st_matrix_view *m, size_t i, st_real *row) {
    size_t column;
    st_real value;

    memset(row, 0, m->cols * sizeof *row);
    for (size_t k = 0; st_view_scalar(m, i, k, &column, &value); k++) row[column] = value;
}

static void matrix_file_write_row(const st_real *row, size_t count, bool csv, int digits, FILE *stream) {
    if (!csv) fputs("\n[", stream);
    for (size_t j = 0; j < count; j++) fprintf(stream, "%s%.*g", csv ? (j ? "," : "") : " ", digits, (double)row[j]);
    fputs(csv ? "\n" : " ]", stream);
}

static st_status write_dense(const st_matrix_view *m, bool csv, int digits, FILE *stream) {
    if ((double)m->rows * (double)m->cols > MOST_DENSE) return ST_INVALID;

    st_real *row = st_alloc(m->cols, sizeof *row);
    if (!row) return ST_OUT_OF_MEMORY;

    // SOFA's text has brackets around the whole and around each row
    if (!csv) fputc('[', stream);
    for (size_t i = 0; i < m->rows; i++) {
        st_view_row(m, i, row);
        matrix_file_write_row(row, m->cols, csv, digits, stream);
    }
    if (!csv) fputs(" ]", stream);

    st_free(row);
    return ST_OK;
}

st_status st_write_matrix(const st_matrix_view *matrix, st_matrix_format format, int digits, FILE *stream) {
    st_status status = ST_OK;
    switch (format) {
    case ST_FORMAT_MTX: write_mtx(matrix, significant(digits), stream); break;
    case ST_FORMAT_CSV: status = write_dense(matrix, true, significant(digits), stream); break;
    case ST_FORMAT_TXT: status = write_dense(matrix, false, significant(digits), stream); break;
    case ST_FORMAT_NPZ: status = st_matrix_write_npz(matrix, stream); break;
    case ST_FORMAT_PNG: status = st_matrix_write_png(matrix, NULL, 0, stream); break;
    }

    // a full disk shows in the stream
    if (status != ST_OK) return status;
    return ferror(stream) ? ST_FAILED : ST_OK;
}

static void write_numbers(const st_vector_view *vector, int digits, FILE *stream) {
    for (size_t i = 0; i < vector->count; i++) fprintf(stream, "%.*g\n", digits, (double)vector->values[i]);
}

st_status st_write_vector(const st_vector_view *vector, st_matrix_format format, int digits, FILE *stream) {
    st_status status = ST_OK;

    // as a matrix of one column; there is no picture of it
    switch (format) {
    case ST_FORMAT_MTX:
        fprintf(stream, "%%%%MatrixMarket matrix array real general\n%zu 1\n", vector->count);
        write_numbers(vector, significant(digits), stream);
        break;
    case ST_FORMAT_CSV: write_numbers(vector, significant(digits), stream); break;
    case ST_FORMAT_TXT:
        fputc('[', stream);
        matrix_file_write_row(vector->values, vector->count, false, significant(digits), stream);
        fputs(" ]", stream);
        break;
    case ST_FORMAT_NPZ: status = st_vector_write_npz(vector, stream); break;
    case ST_FORMAT_PNG: status = ST_INVALID; break;
    }

    if (status != ST_OK) return status;
    return ferror(stream) ? ST_FAILED : ST_OK;
}
