// A mesh as files hold it: lists, with nothing made of them yet. Readers fill one, loaders and topologies take it over.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_FILE_MESH_H
#define SETTEE_TOPOLOGY_FILE_MESH_H

#include "settee/mesh.h"
#include "settee/plugin/topology.h"
#include "topology/element_set.h"
#include "topology/file/mesh_file.h"

enum { ST_MESH_POLYGONS = ST_ELEMENT_KINDS, ST_MESH_GROUP_KINDS };

// Zero bytes are an empty one. In a mesh that was read well every element names points that exist, and points are
// finite.
struct st_mesh {
    st_reals position; // Vec3
    st_uints elements[ST_ELEMENT_KINDS];
    st_uints edge_points;                   // points in the middle of edges: point, edge, 1, 1
    st_strings polylines;                   // "a b c ..."
    st_strings groups[ST_MESH_GROUP_KINDS]; // "name material first count"
    st_element_set sides;                   // edges that have such a point
};

void st_mesh_free(st_mesh *mesh);

// False, in all that follow: out of memory.
bool st_mesh_add_point(st_mesh *mesh, const st_real point[3]);
// `flip` turns a face over.
bool st_mesh_add(st_mesh *mesh, st_element kind, const uint32_t *vertices, bool flip);
// Triangles (0 k k+1).
bool st_mesh_add_fan(st_mesh *mesh, const uint32_t *vertices, size_t count, bool flip);
bool st_mesh_add_polyline(st_mesh *mesh, const uint32_t *vertices, size_t count);
// The run of elements of one kind from `first` to the end of the list.
bool st_mesh_add_group(st_mesh *mesh, st_element kind, const char *name, size_t first);

// Middles of the sides of a quadratic element: sides[k] are the local numbers of both ends and of the point between. A
// side that is new becomes an edge.
typedef unsigned char st_mesh_side[3];
bool st_mesh_add_middles(st_mesh *mesh, const uint32_t *vertices, const st_mesh_side *sides, int count);

// Room for so many more points or elements as a header promises, as far as the rest of the file can hold them, each
// being `bytes` long at least.
bool st_mesh_promise_points(st_mesh *mesh, size_t count, size_t left, size_t bytes);
bool st_mesh_promise(st_mesh *mesh, st_element kind, size_t count, size_t left, size_t bytes);

#endif
