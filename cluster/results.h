// What a run on many ranks writes.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CLUSTER_RESULTS_H
#define SETTEE_CLUSTER_RESULTS_H

#include "scene_parts.h"

// The states of all points in the order of the mesh, in the format of `settee run --dump-states`. Rank 0 writes it, a chunk
// at a time.
void st_write_states(const st_scene_part *part, const char *path, size_t step);

// One frame for ParaView: DIRECTORY/part_<step>.pvtu with a .vtu piece of each rank, and scene.pvd, which lists the frames:
// this one and, unless it is the first of a series, those of earlier steps. An element is in the piece of the rank that
// has its first vertex.
void st_write_pieces(const st_scene_part *part, const char *directory, size_t step, bool is_first);

// A checkpoint: time, positions and velocities by index of the mesh, for any number of ranks. The file appears whole or
// not at all.
void st_write_checkpoint(const st_scene_part *part, const char *path, size_t step);
// Puts it back; the number of steps made before.
size_t st_read_checkpoint(const st_scene_part *part, const char *path);

// Kinetic energy of the own points of all ranks, ½ vᵀ M v.
double st_kinetic_energy(const st_scene_part *part);

#endif
