// PetscLinearSolver, and what it needs where the points of the model are spread over ranks.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CLUSTER_PETSC_LINEAR_SOLVER_H
#define SETTEE_CLUSTER_PETSC_LINEAR_SOLVER_H

#include <petscvec.h>

#include "settee/plugin/solver.h"

// The points of a state that one rank holds: its own ones, and ghosts, which are another rank's. PETSc numbers the points
// rank by rank; that number is the place of a point.
typedef struct st_part {
    MPI_Comm comm;
    size_t count;     // points held, own and ghost
    size_t own;       // of these, the rank's own
    PetscInt first;   // place of the first own one
    PetscInt *places; // of each point held
} st_part;

static inline bool st_part_owns(const st_part *part, size_t point) {
    return part->places[point] >= part->first && (size_t)(part->places[point] - part->first) < part->own;
}

extern const st_class st_petsc_linear_solver_class;

// Solves for the points of all ranks; `part` is borrowed. The solution is brought to the ghosts, too. `options` (may be
// NULL) take precedence over those of the scene.
void st_petsc_linear_solver_spread(st_object *solver, const st_part *part, const char *options);

// Starts PETSc, and MPI with it, once in a process; the end of the process ends it. False: it cannot be started.
bool st_petsc_start(void);

#endif
