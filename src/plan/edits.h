// The end of a change of meshes: components that do not follow edits by themselves are initialized again.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PLAN_EDITS_H
#define SETTEE_PLAN_EDITS_H

#include "settee/plugin/component.h"

// To be called once after the edits of topology/edit.h, however many there were; nothing is done where there were none.
//     1. contacts are given up: they name elements by their numbers
//     2. topological mappings that cannot follow make their output again
//     3. forces, masses, mappings and so on at and below a changed mesh, or linked to something there, are initialized
//        again in the order of the scene, unless their class follows meshes (settee/plugin/change.h)
//     4. positions are projected and go through the mappings; lists of the step are made again
void st_finish_edits(st_scene *scene);

// Brings back the meshes before the first change, for a reset. False: out of memory.
bool st_undo_edits(st_scene *scene);

#endif
