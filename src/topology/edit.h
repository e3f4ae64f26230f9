// Changes of a container: points and elements added, removed, renumbered, moved, and carried to all who hold data on them.
//
// Each call is complete: when it returns, the container, the lists attached to its points and elements, the meshes that
// topological mappings make from it and the states that follow it fit together. Components that are initialized again
// after a change (settee/plugin/change.h) wait until st_finish_edits of plan/edits.h.
//
// Numbers that do not exist and numbers given twice are left out, with a warning; the rest of the change is made.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_EDIT_H
#define SETTEE_TOPOLOGY_EDIT_H

#include "settee/plugin/change.h"
#include "topology/container.h"

// Where new points or elements come from: see st_edit. All NULL: nobody knows.
typedef struct st_origin {
    const uint32_t *starts, *ancestors;
    const st_real *weights;
} st_origin;

// Is it a container that can change?
bool st_is_changeable(const st_topology *topology);
// The modifier of a container: of its own node, else above; NULL: none.
st_modifier *st_modifier_of(const st_topology *topology);

// Before an edit that needs the number of points: what a reset goes back to is kept, and the mesh has as many points as the
// states that follow it. The other calls do this by themselves.
st_status st_edit_begin(st_topology *topology);
// Points behind the last one; `dofs`: states that follow the mesh get them, too, at the weighted means of their ancestors.
st_status st_edit_add_points(st_topology *topology, size_t count, const st_origin *origin, bool dofs);
// The same for points of a cut: projections that hold all ancestors of a new point hold it, too (`inherits` of st_edit).
st_status st_edit_add_inheriting_points(st_topology *topology, size_t count, const st_origin *origin);
// Elements that still have one of the points are removed first.
st_status st_edit_remove_points(st_topology *topology, const uint32_t *ids, size_t count, bool dofs);
// New point i is the former point order[i]; all points are named once.
st_status st_edit_renumber_points(st_topology *topology, const uint32_t *order, bool dofs);
// Points go to the weighted sums of their ancestors: positions, rest positions, velocities, all vectors of the states that
// follow the mesh.
st_status st_edit_move_points(st_topology *topology, const uint32_t *ids, size_t count, const st_origin *origin);

// Elements behind the last one; edges and faces that they lack are made. Vertices beyond the last point make points.
st_status st_edit_add(st_topology *topology, st_element kind, const uint32_t *vertices, size_t count,
                      const st_origin *origin);
// `parts`: edges and faces that no element of this kind has any more go, too; `points`: so do points.
st_status st_edit_remove(st_topology *topology, st_element kind, const uint32_t *ids, size_t count, bool parts,
                         bool points);
// What REMOVE of a change file means: elements of the modifier's own kind, with what gets isolated.
st_status st_edit_remove_items(st_modifier *modifier, const uint32_t *ids, size_t count);
st_element st_modifier_kind(const st_modifier *modifier); // ST_POINT for points

// --- for edit.c: carries edits to attached lists, mappings and hooks; to states (edit_follow.c)
void st_edits_carry(const st_edits *edits);
void st_edits_carry_to_states(const st_edits *edits);
// A removal with all its consequences is over: topological mappings from or to this mesh may go on with theirs.
void st_edits_ended(st_topology *topology);
// Before the first edit: states that follow the mesh may have more DOFs than its elements use.
void st_edits_fit_points(st_topology *topology);

#endif
