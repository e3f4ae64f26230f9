// Direct solvers of a sparse system, by the library that does it. A library is one file, direct_NAME.c, with one table,
// st_direct_NAME; nothing else knows it. The build finds the files and lists the tables.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_DIRECT_H
#define SETTEE_LINALG_DIRECT_H

#include "linalg/ldl.h"

typedef enum st_direct_method {
    ST_DIRECT_LDLT, // symmetric, without pivoting
    ST_DIRECT_LLT,  // symmetric positive definite
    ST_DIRECT_LU,   // any
    ST_DIRECT_QR,   // any
} st_direct_method;

typedef struct st_direct_request {
    st_direct_method method;
    st_ordering ordering;
    st_ldl_couple couple; // which triangle a symmetric method reads; libraries other than settee's read the lower one
} st_direct_request;

typedef struct st_direct_library {
    const char *name;
    int rank;         // of those that have a method, the one with the smallest is taken where none is named
    unsigned methods; // bit 1 << method
    void *(*create)(void);
    void (*destroy)(void *);
    // Factors a square matrix; analyses are kept while the pattern is the same. ST_FAILED when it is singular, or not
    // positive definite where it must be: *unknown is the scalar at which that was seen, or SIZE_MAX. ST_INVALID for a
    // matrix or an ordering that the library cannot take.
    st_status (*factor)(void *, st_pool *, const st_bsr *matrix, const st_direct_request *request, size_t *unknown);
    st_status (*solve)(void *, const st_real *b, st_real *x); // ST_FAILED without a factor
    size_t (*entries)(const void *);                          // of the factor
    void (*forget)(void *);                                   // the next factorization analyzes again
    // Where the library has them:
    // Before the matrix of the last factorization is left out: counts as one. False when another factor is due.
    bool (*stands)(void *);
    st_status (*solve_many)(void *, st_pool *, size_t count, const st_real *b, st_real *x);
    st_status (*compliance)(void *, st_pool *, const st_sparse_rows *h, st_real factor, st_real *w);
} st_direct_library;

// By name, for a method; without a name, the first by rank. NULL: there is none.
const st_direct_library *st_direct_find(const char *name, st_direct_method method);
// Names of the libraries for a method by rank, separated by blanks, for messages; `text` has room for `size`
// characters.
void st_direct_names(st_direct_method method, char *text, size_t size);

#endif
