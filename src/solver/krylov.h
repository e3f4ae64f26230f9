// The vector operations of iterative solvers, on the flat vectors of a linear system.
//
// On a matrix-free system sums keep SOFA's order, because a solve that stops before it has converged shows it: the
// scalars of one DOF are summed first, these sums in the order of the DOFs, and the sums of the states at last. On an
// assembled system they are taken as linalg/vector.h says. Long vectors are cut into chunks of fixed length, so that
// the number of threads makes no difference.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SOLVER_KRYLOV_H
#define SETTEE_SOLVER_KRYLOV_H

#include "solver/linear_solver.h"

// aᵀb
st_real st_krylov_dot(const st_system *system, const st_real *a, const st_real *b);
// x = x + α p, r = r - α q, and rᵀr in the same pass; same bits as one after the other.
st_real st_krylov_step(const st_system *system, st_real alpha, const st_real *p, const st_real *q, st_real *x,
                       st_real *r);
void st_krylov_direction(const st_system *system, const st_real *r, st_real beta, st_real *p); // p = r + β p
// q = A p
st_status st_krylov_multiply(st_system *system, const st_real *p, st_real *q);

// What iterative solvers have in common besides: checks and messages.
// A tolerance that is negative or not a number becomes 1e-5, with a warning. For init.
void st_krylov_check_tolerance(st_object *solver, const char *name, st_real *tolerance);
// An error about a number of the given iteration that is not finite, and the status to return with it.
st_status st_krylov_not_finite(const st_linear_solver *solver, uint64_t iteration, const char *what);
// Warns, once, of a direction p with pᵀAp < 0: the matrix is not positive definite.
void st_krylov_warn_indefinite(const st_linear_solver *solver, uint64_t iteration, st_real curvature);
// Warns when A is not symmetric: of an assembled matrix by its entries, else by uᵀ(A v) against vᵀv with v = A u.
// `work` receives A v. For solves in which that is due.
st_status st_krylov_check_symmetric(st_linear_solver *solver, const st_real *u, const st_real *v, st_real *work);

// Work vectors of a solver: `count` arrays of the system's size in one block, allocated again when the size changes.
typedef struct st_krylov_vectors {
    st_real *data;
    size_t size, count;
} st_krylov_vectors;
bool st_krylov_reserve(st_krylov_vectors *vectors, size_t size, size_t count);
static inline st_real *st_krylov_vector(const st_krylov_vectors *vectors, size_t index) {
    return vectors->data + index * vectors->size;
}
void st_krylov_free(st_krylov_vectors *vectors);

#endif
