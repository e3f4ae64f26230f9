// Sparse LDLᵀ factorization of a symmetric matrix, without pivoting:
//
//     P A Pᵀ = L D Lᵀ        L unit lower triangular, D diagonal, P a fill-reducing permutation
//
// Positive definite matrices and quasi-definite ones (indefinite, such as those of saddle points with a compliance)
// have this factorization in any order. The work is in three parts: the analysis looks at the pattern only and is
// kept while the pattern stands, the factorization looks at the values, a solve uses the factor.
//
// The matrix is an st_bsr with block = 1 without stored zeros (st_bsr_copy_nonzeros). All results depend on the
// matrix alone, not on former matrices or threads.
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

st_ldl *st_ldl_create(void); // NULL when memory is out
void st_ldl_free(st_ldl *ldl);

// Chooses the order and finds the pattern of L; does nothing when pattern and choices are those of the last analysis.
// ST_INVALID for a matrix that cannot be factored whatever its values (empty, not square, block ≠ 1, a row without
// entries): the former analysis and factor then stay.
st_status st_ldl_analyze(st_ldl *ldl, const st_bsr *matrix, st_ordering ordering, st_ldl_couple couple);
// The same with the caller's permutation of the n unknowns; analyzes always.
st_status st_ldl_analyze_permuted(st_ldl *ldl, const st_bsr *matrix, const int32_t *permutation, st_ldl_couple couple);

// Factors a matrix that has the analyzed pattern (ST_INVALID when it plainly has not). ST_FAILED on a pivot that is 0
// or not finite: *column, if not NULL, is then the unknown of that pivot, and there is no factor to solve with.
st_status st_ldl_factor(st_ldl *ldl, const st_bsr *matrix, size_t *column);

// x = A⁻¹ b; x and b may be the same array. ST_FAILED without a factor, x is then untouched.
st_status st_ldl_solve(st_ldl *ldl, const st_real *b, st_real *x);
// The same for `count` right-hand sides, one after the other in b and x; each solution has the bits of st_ldl_solve.
st_status st_ldl_solve_many(st_ldl *ldl, st_pool *pool, size_t count, const st_real *b, st_real *x);

// The halves of a solve, for products J A⁻¹ Jᵀ = Σ (L⁻¹PJᵀ)ᵀ D⁻¹ (L⁻¹PJᵀ): u = L⁻¹ P b, then x = Pᵀ L⁻ᵀ u, which
// overwrites u. They need a factor; several threads may call them at once.
void st_ldl_forward(const st_ldl *ldl, const st_real *b, st_real *u);
void st_ldl_backward(const st_ldl *ldl, st_real *u, st_real *x);

int32_t st_ldl_size(const st_ldl *ldl);                  // n of the last analysis, 0 without
size_t st_ldl_entries(const st_ldl *ldl);                // of L below its diagonal
bool st_ldl_is_factored(const st_ldl *ldl);              //
const int32_t *st_ldl_permutation(const st_ldl *ldl);    // k-th eliminated unknown
const st_real *st_ldl_inverse_pivots(const st_ldl *ldl); // D⁻¹, in the order of elimination

#endif
