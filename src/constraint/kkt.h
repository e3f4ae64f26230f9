// What the files of KKTConstraintSolver share. Its model, its formulas and its steps are in kkt_constraint_solver.c.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CONSTRAINT_KKT_H
#define SETTEE_CONSTRAINT_KKT_H

#include "base/array.h"
#include "constraint/correction.h"
#include "linalg/ldl.h"
#include "math/real.h"

#ifdef SETTEE_REAL_FLOAT
#define ST_KKT_TOLERANCE ST_R(1e-4) // of forces of friction, relative
#else
#define ST_KKT_TOLERANCE ST_R(1e-6)
#endif

typedef struct st_kkt_triplet {
    int32_t row, col;
    st_real value;
} st_kkt_triplet;

typedef struct st_kkt_body {
    const st_state *state;
    size_t offset;
    st_real factor; // φ; 0: nobody moves it
    bool corrected; // forces of constraints act on it; other states of a linear system only answer
} st_kkt_body;

typedef struct st_kkt {
    st_constraint_solver base;
    st_real compliance;
    int32_t max_iterations;
    int32_t iterations, num_constraints;
    st_real error;

    ST_LIST(st_kkt_body) bodies;
    ST_LIST(size_t) places;           // among the bodies, by state->index; those of former problems are checked
    size_t unknowns;                  // scalars of the bodies
    ST_LIST(st_kkt_triplet) triplets; // lower triangle, in the order of addition
    ST_LIST(size_t) starts, fill;
    st_ints columns;
    st_reals values; // the true matrix
    st_reals scale;  // of each row: h A⁻¹ hᵀ by the diagonal of A
    st_reals soft;   // of each row: C
    st_reals rhs, x, residual;
    st_reals work;      // values with δ, and without the rows that are not held
    st_bools held;      // rows that are equalities now; the others have no force
    st_bools last_held; // at the end of the last step
    st_reals target;    // of d, where a row holds
    st_reals slip;      // S of tangents that slide
    st_reals secant;    // of the first tangent: the last S, of the second: 1/|f| there; 0: none
    st_ldl *ldl;

    // sweeps over the rows of contacts
    ST_LIST(size_t) swept; // those rows
    st_reals w, d;         // their compliance by bodies and equalities, and their violation without contacts
    st_reals steps; // of each row: the force before a sweep, the last change, the direction of acceleration, the force
    st_real change; // of the last sweep, relative to the largest force
    bool failed;    // out of memory while triplets were collected
} st_kkt;

// --- the matrix (kkt_matrix.c) ----------------------------------------------------------------------

// Collects the bodies and the rows of all constraints: the lower triangle, compressed.
st_status st_kkt_build(st_constraint_solver *solver, const st_constraint_params *params);
// NULL: nobody moves the state.
st_kkt_body *st_kkt_find_body(st_kkt *self, const st_state *state);

// --- one system: the rows that are held (kkt_system.c) -----------------------------------------------

bool st_kkt_is_held(const st_kkt *self, size_t r);
st_status st_kkt_factor(st_kkt *self); // of the matrix with δ, and without the rows that are not held
st_real st_kkt_largest(const st_real *v, size_t begin, size_t end);
st_status st_kkt_solve_refined(st_kkt *self); // of the right-hand side; refined with the true matrix
void st_kkt_set_rhs(st_kkt *self);
st_real st_kkt_violation(const st_kkt *self, size_t r); // d of a row with the present motion and forces
st_status st_kkt_solve_held(st_kkt *self); // all of it for the rows that are held now; the forces are taken over

// --- which rows are held (kkt_active_set.c) ----------------------------------------------------------

void st_kkt_hold(st_kkt *self, size_t r, bool on, st_real target);
st_real st_kkt_floor(const st_kkt *self, size_t t); // least S of a tangent
void st_kkt_guess_rows(st_kkt *self);
// Lets go, takes in, gives sliding tangents another S. False: all is settled.
bool st_kkt_review(st_kkt *self, int iteration, int *rounds);

// --- sweeps over the contacts (kkt_sweeps.c) ----------------------------------------------------------

st_status st_kkt_settle_by_sweeps(st_kkt *self);

#endif
