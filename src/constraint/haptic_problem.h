// A copy of a constraint problem and of the rows of one state in it, the tool's: what force feedback solves again while
// the simulation goes on. After the capture it refers to nothing of the scene.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CONSTRAINT_HAPTIC_PROBLEM_H
#define SETTEE_CONSTRAINT_HAPTIC_PROBLEM_H

#include "constraint/problem.h"

typedef struct st_haptic_problem {
    size_t size;    // rows
    st_reals w;     // size × size
    st_reals free;  // violations of the free motion
    st_reals start; // f of the step
    st_reals force; // f of the last solution here
    st_resolutions blocks;
    st_reals work, memory; // of the blocks
    st_reals visit;
    st_real tolerance;
    bool by_contact; // contacts of LCPConstraintSolver: time is looked at after each of them

    const st_dof *dof; // of the tool
    st_reals rows;     // its part of H: row, DOF, derivative
    st_reals places;   // its free motion

    st_reals shifted, way; // d_free and the displacements of the last solution
} st_haptic_problem;

// How the problem is solved again.
typedef struct st_haptic_limits {
    st_real timeout; // seconds
    int32_t iterations;
    bool rotations; // rotations of frames shift the violations, too
    bool one_frame; // every column acts on the first DOF
} st_haptic_limits;

// The last problem of a solver, in which the state is the tool. Memory of an earlier capture is used again. ST_INVALID:
// the solver has no W and cannot make one.
st_status st_haptic_problem_capture(st_haptic_problem *h, st_constraint_solver *solver, const st_state *tool);
void st_haptic_problem_clear(st_haptic_problem *h); // no rows: no force
void st_haptic_problem_free(st_haptic_problem *h);

// f for the tool at the positions x of its first `count` DOFs; Hᵀ f of these DOFs goes to `forces`. Allocates nothing.
// False: no finite forces were found; they are 0.
bool st_haptic_problem_solve(st_haptic_problem *h, const st_haptic_limits *limits, const st_real *x, size_t count,
                             st_real *forces);

#endif
