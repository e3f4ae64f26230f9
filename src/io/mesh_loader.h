// What all mesh loaders share: the outputs, the transformation, and what is made of the elements after reading.
//
// A loader reads its file in `parse`:
//
//     st_mesh_file file;
//     if (!st_mesh_loader_begin(loader, &file)) return ST_INVALID;
//     ... fills position, elements, ... from the file ...
//     return st_mesh_loader_end(loader, &file, ok);
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_MESH_LOADER_H
#define SETTEE_IO_MESH_LOADER_H

#include "topology/file/mesh.h"

typedef struct st_mesh_loader {
    st_object object;
    char *filename;
    st_real translation[3], rotation[3], scale3d[3];
    st_real transformation[16];
    st_real scale; // short-hand
    bool flip_normals, triangulate, create_subelements, only_attached_points;
    // Outputs
    st_reals position, normals; // Vec3
    st_uints elements[ST_ELEMENT_KINDS];
    st_strings polylines, polygons;
    st_strings groups[ST_MESH_GROUP_KINDS]; // "name material first count" of each run of elements
    st_uints high_order[5];
    st_uints kept; // after onlyAttachedPoints: the old number of each point; empty when none was dropped
} st_mesh_loader;

extern const st_class st_mesh_loader_class;

// Takes over the short-hands, empties the outputs and opens the file. False: an error was sent.
bool st_mesh_loader_begin(st_mesh_loader *loader, st_mesh_file *file);
// The same for a mesh that comes from no file; st_mesh_loader_end then takes a file of zero bytes.
void st_mesh_loader_begin_without_file(st_mesh_loader *loader);
// Closes the file. When the reading went well: transforms the points, makes the missing elements and normals. Otherwise
// empties the outputs. In both cases notifies what is linked to them.
st_status st_mesh_loader_end(st_mesh_loader *loader, st_mesh_file *file, bool ok);

// The same for a reader that filled a mesh: the loader takes its lists over when the reading went well.
st_status st_mesh_loader_take(st_mesh *mesh, st_mesh_loader *loader, st_mesh_file *file, bool ok);

// Quads become the triangles (0 1 2) and (0 2 3), after the existing ones.
bool st_mesh_triangulate(st_uints elements[ST_ELEMENT_KINDS]);
// Faces of volumes and edges of faces that are not there yet are appended, as loaders do it: in the direction of their
// first occurrence.
bool st_mesh_create_subelements(st_uints elements[ST_ELEMENT_KINDS]);
// The points that elements use, renumbered in order; kept[i] is the old number of point i.
bool st_mesh_keep_attached(st_reals *position, st_uints elements[ST_ELEMENT_KINDS], st_uints *kept);
// The same for values of the points, `width` scalars each.
void st_mesh_keep_reals(st_reals *list, int width, const st_uints *kept);

// x' = R diag(scale) x + translation, R = Rz Ry Rx from degrees; as the first three rows of a 4 x 4 matrix.
void st_mesh_transformation(st_real m[12], const st_real scale[3], const st_real degrees[3],
                            const st_real translation[3]);
void st_mesh_transform(const st_real m[12], st_real *points, size_t count);

// Vertex normals: the sum of the unit normals of triangles, and of quads at each corner, normalized. Elements with
// vertices that do not exist are skipped.
bool st_mesh_normals(st_reals *normals, const st_reals *position, const st_uints *triangles, const st_uints *quads);

#endif
