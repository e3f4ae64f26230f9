// The mesh files that topologies read themselves: OBJ, Gmsh, .trian.
//
// Each reader answers anything that is wrong with an error at its line (or byte) and returns false: the mesh is then
// useless, and must be freed all the same. Nothing is read past the end, and memory is not taken on the word of a
// header.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_FILE_MESH_FORMATS_H
#define SETTEE_TOPOLOGY_FILE_MESH_FORMATS_H

#include "topology/file/mesh.h"

bool st_gmsh_read(st_mesh *mesh, st_mesh_file *file);
// Points as in the file, edges, triangles and quads of its faces.
bool st_obj_mesh_read(st_mesh *mesh, st_mesh_file *file);

typedef struct st_trian_border {
    st_ints neighbors;  // 3 of each triangle: that across the edge opposite to each corner, or -1
    st_uints edges;     // those without a neighbor, 2 each
    st_uints triangles; // those that have one of them
} st_trian_border;
// `second`: the second form of the format. `border` may be NULL.
bool st_trian_read(st_mesh *mesh, st_mesh_file *file, bool second, bool flip, st_trian_border *border);

// The file that the attribute `filename` of a topology names; of the formats only obj and msh. False: an error was sent
// in the name of the object, and the mesh is empty.
bool st_mesh_read_topology(st_mesh *mesh, st_object *object, const char *path);

#endif
