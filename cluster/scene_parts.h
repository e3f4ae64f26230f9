// A scene of which every rank holds a part: an ordinary scene of the engine with the rank's points and elements.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CLUSTER_SCENE_PARTS_H
#define SETTEE_CLUSTER_SCENE_PARTS_H

#include "settee/settee.h"
#include "spread.h"

extern const st_class st_mesh_part_class;

typedef struct st_scene_part {
    st_scene *scene;
    st_spread spread;
    st_state *state;   // the one mechanical state: its points are those of the spread
    st_object *solver; // the PetscLinearSolver; NULL: there is none
    bool explicit_;    // velocities and positions of ghosts have to be brought after each step
    const char *file;  // of the scene
    char folder[1024]; // that it is in
    size_t cells[2];   // of the grid, along x and y
    bool is_grid;
    bool matrix_free;
    const char *options; // for PETSc
    char last_error[1024];
    size_t errors;
} st_scene_part;

// Reads the scene file, refuses what cannot be spread, spreads the mesh, and makes the rank's scene, which is
// initialized then. All ranks call it; file, matrix_free and options are set.
void st_scene_part_load(st_scene_part *part);
void st_scene_part_free(st_scene_part *part);

#endif
