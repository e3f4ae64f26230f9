// NumPy's archive of arrays: a zip file whose members are .npy files, here stored without compression. A matrix has the
// members that scipy.sparse.load_npz reads (format, shape, indptr, indices, data, as a CSR matrix without zeros), a
// vector the member "data".
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/array.h"
#include "io/matrix_file.h"

enum { MEMBERS = 5, LOCAL_HEADER = 30, CENTRAL_HEADER = 46, END_HEADER = 22, NPY_HEADER = 128 };

typedef struct member {
    const char *name; // "indices.npy"
    char header[NPY_HEADER];
    const void *data;
    size_t bytes;
    uint32_t crc;
    size_t offset; // in the archive
} member;

// The header of version 1.0 is padded with blanks so that the numbers begin at a multiple of 64 bytes.
static void matrix_npz_describe(member *m, const char *name, const char *type, const char *shape, const void *data,
                                size_t bytes) {
    *m = (member){.name = name, .data = data, .bytes = bytes};

    // magic, version 1.0, length of what follows
    memset(m->header, ' ', NPY_HEADER);
    memcpy(m->header, "\x93NUMPY\x01\x00", 8);
    m->header[8] = (char)(NPY_HEADER - 10);
    m->header[9] = 0;

    // the description is a Python dictionary that ends in a newline
    char text[NPY_HEADER];
    const int length =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
    memcpy(m->header + 10, text, (size_t)length);
    m->header[NPY_HEADER - 1] = '\n';

    // the checksum of the archive covers header and numbers
    m->crc = (uint32_t)crc32_z(0, (const Bytef *)m->header, NPY_HEADER);
    if (bytes) m->crc = (uint32_t)crc32_z(m->crc, data, bytes);
}

static void matrix_npz_put(unsigned char **at, uint32_t value, int bytes) {
    for (int i = 0; i < bytes; i++) *(*at)++ = (unsigned char)(value >> (8 * i));
}

// The fields that the local and the central header of a member share.
static void put_common(unsigned char **at, const member *m) {
    matrix_npz_put(at, 20, 2); // version of the format
    matrix_npz_put(at, 0, 2);  // flags
    matrix_npz_put(at, 0, 2);  // stored
    matrix_npz_put(at, 0, 2);  // time: always the same, so that equal matrices are equal files
    matrix_npz_put(at, 0x21, 2);
    matrix_npz_put(at, m->crc, 4);
    matrix_npz_put(at, (uint32_t)(m->bytes + NPY_HEADER), 4);
    matrix_npz_put(at, (uint32_t)(m->bytes + NPY_HEADER), 4);
    matrix_npz_put(at, (uint32_t)strlen(m->name), 2);
    matrix_npz_put(at, 0, 2); // no extra field
}

static void write_member(member *m, size_t offset, FILE *stream) {
    unsigned char header[LOCAL_HEADER], *at = header;
    m->offset = offset;

    matrix_npz_put(&at, 0x04034b50, 4);
    put_common(&at, m);

    fwrite(header, 1, sizeof header, stream);
    fwrite(m->name, 1, strlen(m->name), stream);
    fwrite(m->header, 1, NPY_HEADER, stream);
    if (m->bytes) fwrite(m->data, 1, m->bytes, stream);
}

static size_t write_entry(const member *m, FILE *stream) {
    unsigned char header[CENTRAL_HEADER], *at = header;

    matrix_npz_put(&at, 0x02014b50, 4);
    matrix_npz_put(&at, 20, 2);
    put_common(&at, m);
    matrix_npz_put(&at, 0, 2); // comment
    matrix_npz_put(&at, 0, 2); // disk
    matrix_npz_put(&at, 0, 2); // attributes
    matrix_npz_put(&at, 0, 4);
    matrix_npz_put(&at, (uint32_t)m->offset, 4);

    fwrite(header, 1, sizeof header, stream);
    fwrite(m->name, 1, strlen(m->name), stream);
    return sizeof header + strlen(m->name);
}

static st_status write_archive(member *members, size_t count, FILE *stream) {
    size_t total = 0, directory = 0;

    // lengths are stored in 32 bits: beyond 4 GiB the format is another one
    for (size_t i = 0; i < count; i++) total += members[i].bytes + NPY_HEADER + LOCAL_HEADER + strlen(members[i].name);
    if (total > UINT32_MAX) return ST_INVALID;

    // the members, each after its local header
    size_t offset = 0;
    for (size_t i = 0; i < count; i++) {
        write_member(&members[i], offset, stream);
        offset += members[i].bytes + NPY_HEADER + LOCAL_HEADER + strlen(members[i].name);
    }

    // the directory, and where it is
    for (size_t i = 0; i < count; i++) directory += write_entry(&members[i], stream);
    unsigned char header[END_HEADER], *at = header;
    matrix_npz_put(&at, 0x06054b50, 4);
    matrix_npz_put(&at, 0, 4);
    matrix_npz_put(&at, (uint32_t)count, 2);
    matrix_npz_put(&at, (uint32_t)count, 2);
    matrix_npz_put(&at, (uint32_t)directory, 4);
    matrix_npz_put(&at, (uint32_t)offset, 4);
    matrix_npz_put(&at, 0, 2);

    fwrite(header, 1, sizeof header, stream);
    return ST_OK;
}

static const char *real_type(void) { return sizeof(st_real) == 8 ? "<f8" : "<f4"; }

// The rows of scalars that are not 0.
typedef struct csr {
    size_t count;
    int64_t *starts;
    int32_t *columns;
    st_real *values;
} csr;

static bool make_csr(const st_matrix_view *m, csr *rows) {
    size_t at = 0;

    // room for what is not 0
    rows->count = st_view_entries(m);
    rows->starts = st_alloc(m->rows + 1, sizeof *rows->starts);
    rows->columns = st_alloc(rows->count, sizeof *rows->columns);
    rows->values = st_alloc(rows->count, sizeof *rows->values);
    if (!rows->starts || !rows->columns || !rows->values) return false;

    // row i, in the order of its blocks
    for (size_t i = 0, column; i < m->rows; i++) {
        st_real value;
        for (size_t k = 0; st_view_scalar(m, i, k, &column, &value); k++) {
            if (value == 0) continue;
            rows->columns[at] = (int32_t)column;
            rows->values[at++] = value;
        }

        rows->starts[i + 1] = (int64_t)at;
    }

    return true;
}

st_status st_matrix_write_npz(const st_matrix_view *m, FILE *stream) {
    csr rows = {0};
    st_status status = ST_OUT_OF_MEMORY;
    if (make_csr(m, &rows)) {
        // the members that scipy.sparse.load_npz expects
        const int64_t shape[2] = {(int64_t)m->rows, (int64_t)m->cols};
        char count[32], starts[32];
        member members[MEMBERS];
        snprintf(count, sizeof count, "(%zu,)", rows.count);
        snprintf(starts, sizeof starts, "(%zu,)", m->rows + 1);

        matrix_npz_describe(&members[0], "indices.npy", "<i4", count, rows.columns, rows.count * sizeof *rows.columns);
        matrix_npz_describe(&members[1], "indptr.npy", "<i8", starts, rows.starts, (m->rows + 1) * sizeof *rows.starts);
        matrix_npz_describe(&members[2], "format.npy", "|S3", "()", "csr", 3);
        matrix_npz_describe(&members[3], "shape.npy", "<i8", "(2,)", shape, sizeof shape);
        matrix_npz_describe(&members[4], "data.npy", real_type(), count, rows.values, rows.count * sizeof *rows.values);
        status = write_archive(members, MEMBERS, stream);
    }

    st_free(rows.starts);
    st_free(rows.columns);
    st_free(rows.values);
    return status;
}

st_status st_vector_write_npz(const st_vector_view *vector, FILE *stream) {
    char shape[32];
    member data;
    snprintf(shape, sizeof shape, "(%zu,)", vector->count);
    matrix_npz_describe(&data, "data.npy", real_type(), shape, vector->values, vector->count * sizeof *vector->values);
    return write_archive(&data, 1, stream);
}
