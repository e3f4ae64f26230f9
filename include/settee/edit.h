// Meshes that change by a program: points and elements removed, added, split, moved, sutured; meshes cut.
//
//     st_object *mesh = st_scene_find(scene, "/Liver/mesh"); // a container such as TetrahedronSetTopologyContainer
//     st_cut_by_plane(mesh, (st_real[]){1, 0, 0}, (st_real[]){0.1, 0, 0}, 0.1);
//     st_scene_step(scene, 0);
//
// Each call is a whole change: when it returns, states, masses, forces, mappings, constraints and pictures fit the new mesh.
// Numbers of points and elements are those of the moment: what is removed is replaced by the last one of its kind.
// st_scene_reset brings the first mesh back.
//
// A mesh is a changeable container of an initialized scene with its modifier in its node or above. Calls are possible
// between steps and in callbacks of events. ST_INVALID: with a message in the log, and nothing has changed. ST_BUSY: another
// thread uses the scene, or a step computes.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_EDIT_H
#define SETTEE_EDIT_H

#include "settee/plugin/topology.h"
#include "settee/settee.h"

#ifdef __cplusplus
extern "C" {
#endif

// Where points come from: point i is the sum of weights[k] times point ancestors[k], for k from starts[i] to starts[i + 1] - 1.
// Positions, rest positions and velocities are summed alike.
typedef struct st_ancestry {
    const uint32_t *starts; // one more than points
    const uint32_t *ancestors;
    const st_real *weights;
} st_ancestry;

// Elements of the kind that the mesh consists of, with the edges, faces and points that are left alone. Numbers that do not exist
// are left out, with a warning.
ST_API st_status st_remove_elements(st_object *mesh, const uint32_t *ids, size_t count);
// Points with all elements that have one of them.
ST_API st_status st_remove_points(st_object *mesh, const uint32_t *ids, size_t count);
// Elements of a collision model, as a pick finds them: they leave the mesh behind the model, of a surface that is made from a
// volume the volume's element behind it. `removed` (may be NULL): how many.
ST_API st_status st_remove_picked_elements(st_object *model, const uint32_t *ids, size_t count, size_t *removed);

// Points behind the last one, then elements on points that exist. Edges and faces that elements lack are made.
ST_API st_status st_add_points(st_object *mesh, size_t count, const st_ancestry *from);
// Points without ancestors: at the origin, at rest.
ST_API st_status st_add_free_points(st_object *mesh, size_t count);
ST_API st_status st_add_elements(st_object *mesh, st_element kind, const uint32_t *vertices, size_t count);
// Points go to other places; positions and rest positions alike, so that what is at rest stays at rest.
ST_API st_status st_move_points(st_object *mesh, const uint32_t *ids, size_t count, const st_ancestry *to);

// A point on each edge, at (1 - t) of its first and t of its second point (t NULL: in the middle). Elements at the edge are
// divided. For meshes of edges, triangles or tetrahedra.
ST_API st_status st_split_mesh_edges(st_object *mesh, const uint32_t *edges, const st_real *t, size_t count);
// The two points of each pair become one, in the middle between them.
ST_API st_status st_suture(st_object *mesh, const uint32_t *pairs, size_t count);

// Cuts triangles or tetrahedra: elements are split, both sides part. Points of the mesh closer to the cut than `snap` times an
// edge (0 to below 0.5; 0.1 is good) are taken for points of it, so that no thin elements are made. A cut that parts nothing is
// a warning.
ST_API st_status st_cut_by_plane(st_object *mesh, const st_real normal[3], const st_real point[3], st_real snap);
// The triangles have three numbers of points each; the surface may end within the mesh.
ST_API st_status st_cut_by_surface(st_object *mesh, const st_real *positions, size_t points, const uint32_t *triangles,
                                   size_t count, st_real snap);
// Cuts a surface of triangles along a line of places on it, three numbers each, as INCISE of TopologicalChangeProcessor does. A
// line that fails on the way stays cut up to there.
ST_API st_status st_cut_along(st_object *mesh, const st_real *places, size_t count);

#ifdef __cplusplus
}
#endif
#endif
