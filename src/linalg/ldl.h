// Sparse LDLᵀ factorization of a symmetric matrix in blocks, without pivoting:
//
//     P A Pᵀ = L D Lᵀ        L unit lower triangular, D diagonal, P a fill-reducing permutation of the blocks
//
// Positive definite matrices and quasi-definite ones (indefinite, such as those of saddle points with a compliance)
// have this factorization in any order. The work is in three parts: the analysis looks at the pattern and is kept while
// the pattern is the same, the factorization looks at the values, a solve uses the factor.
//
// The matrix is a square st_bsr of any block size. Blocks that are zero in the first analysis are left out; a block
// that is not zero later makes the pattern grow, so that entries that come and go do not change it again and again.
// Results do not depend on the number of threads. An empty matrix is solved without further ado.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_LDL_H
#define SETTEE_LINALG_LDL_H

#include "linalg/bsr.h"
#include "linalg/ordering.h"

typedef struct st_ldl st_ldl;

// Which of the two entries of a symmetric couple is read. It matters only for a matrix that is not symmetric, if only
// by rounding.
typedef enum st_ldl_couple {
    ST_LDL_LATER_ROW, // the one in the row that is eliminated later; both triangles must be stored
    ST_LDL_LOWER,     // the one in the lower triangle of A; the upper one need not be stored
} st_ldl_couple;

st_ldl *st_ldl_create(void); // NULL: out of memory
void st_ldl_free(st_ldl *ldl);

// Chooses the order and finds the pattern of L; does nothing while pattern and choices are those of the last analysis.
// `pool` only says whether to plan for threads. ST_INVALID for a matrix that is not square: the former analysis and
// factor then stay.
st_status st_ldl_analyze(st_ldl *ldl, st_pool *pool, const st_bsr *matrix, st_ordering ordering, st_ldl_couple couple);
// The next analysis starts from nothing: zero blocks are looked for again.
void st_ldl_forget(st_ldl *ldl);
void st_ldl_drop(st_ldl *ldl); // there is no factor any more
// The matrix of the last factorization need not be factored again, which counts as a factorization. False when there is
// no factor, or when the next analysis would choose a better order.
bool st_ldl_stands(st_ldl *ldl);

// Factors a matrix that has the analyzed pattern (ST_INVALID when it plainly has not). ST_FAILED on a pivot that is 0,
// not finite or nothing but rounding of its diagonal entry: *unknown, if not NULL, is then the scalar of the first such
// pivot in the order of elimination, and there is no factor to solve with.
st_status st_ldl_factor(st_ldl *ldl, st_pool *pool, const st_bsr *matrix, size_t *unknown);

// x = A⁻¹ b; x and b may be the same array. ST_FAILED without a factor, x is then untouched.
st_status st_ldl_solve(st_ldl *ldl, const st_real *b, st_real *x);
// The same for `count` right-hand sides, one after the other in b and x.
st_status st_ldl_solve_many(st_ldl *ldl, st_pool *pool, size_t count, const st_real *b, st_real *x);

// W += factor · H A⁻¹ Hᵀ for sparse rows H; W is dense and row-major, and the addition symmetric to the last bit. Only
// the part of L that the entries of H reach is looked at. Columns must be those of the matrix.
st_status st_ldl_compliance(st_ldl *ldl, st_pool *pool, const st_sparse_rows *h, st_real factor, st_real *w);

size_t st_ldl_entries(const st_ldl *ldl);             // of L below its diagonal, with the zeros inside of fronts
const int32_t *st_ldl_permutation(const st_ldl *ldl); // k-th eliminated block
st_real st_ldl_inverse_pivot(const st_ldl *ldl, size_t unknown); // 1/D of a scalar; needs a factor

#endif
