// The base of direct solvers: they factor the system's matrix with one of the libraries of linalg/direct.h.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SOLVER_DIRECT_SOLVER_H
#define SETTEE_SOLVER_DIRECT_SOLVER_H

#include "linalg/bsr_copy.h"
#include "linalg/direct.h"
#include "solver/linear_solver.h"

typedef struct st_direct_solver {
    st_linear_solver solver;
    st_object *ordering;
    char *library;

    // Set by the class before the base's init.
    st_direct_method method;
    st_ldl_couple couple;

    const st_direct_library *used; // the library
    void *factor;                  // what it keeps
    bool factored;                 // there is a factor, of the size at hand
    size_t size;                   // scalars of the matrix that was factored
    st_direct_request request;     // how it was factored,
    st_bsr_copy matrix;            // and its numbers, where they were met twice
    bool left_out;                 // invert has said that this matrix is not factored; the solution stays
} st_direct_solver;

extern const st_class st_direct_solver_class;

// A small scene with a direct solver, for the examples of the classes.
#define ST_DIRECT_EXAMPLE(solver, attributes)                                                                          \
    "<EulerImplicitSolver/>\n<" solver " " attributes "/>\n"                                                           \
    "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0  0 0 1\"/>\n"                                                    \
    "<MeshTopology tetrahedra=\"0 1 2 3\"/>\n"                                                                         \
    "<UniformMass totalMass=\"2\"/>\n"                                                                                 \
    "<FixedProjectiveConstraint indices=\"0\"/>\n"                                                                     \
    "<TetrahedronFEMForceField youngModulus=\"500\" poissonRatio=\"0.3\" method=\"large\"/>"

st_status st_direct_solver_init(st_direct_solver *self, st_direct_method method, st_ldl_couple couple);

// Is the matrix of the system, number by number, the one that was factored last? Its factor then stays.
bool st_direct_solver_stands(st_direct_solver *self);
// Refuses a system without a matrix and numbers that are not finite; *matrix is the system's.
st_status st_direct_solver_check(st_linear_solver *solver, const st_bsr **matrix);
// Factors, and names the unknown where that fails.
st_status st_direct_solver_factor(st_direct_solver *self, const st_bsr *matrix);

// The ops, for classes that have some of their own.
st_status st_direct_solver_solve(st_linear_solver *solver);
st_status st_direct_solver_compliance(st_linear_solver *solver, const st_sparse_rows *h, st_real factor, st_real *w);
st_status st_direct_solver_solve_many(st_linear_solver *solver, size_t count, const st_real *b, st_real *x);
extern const st_linear_solver_ops st_direct_solver_ops;

#endif
