// Mesh files of every known format, read into lists.
//
// Each reader answers anything that is wrong with an error at its line (or byte) and returns false: the mesh is then
// useless, and must be freed all the same. Nothing is read past the end, and no memory is taken because of what a
// header claims.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_MESH_READER_H
#define SETTEE_IO_MESH_READER_H

#include "topology/file/mesh_formats.h"

bool st_off_read(st_mesh *mesh, st_mesh_file *file, bool flip);
bool st_gid_read(st_mesh *mesh, st_mesh_file *file, bool flip);
bool st_xsp_mesh_read(st_mesh *mesh, st_mesh_file *file);

// `swap`: the bytes of numbers in a binary legacy file are in the order that this machine does not have.
bool st_vtk_read(st_mesh *mesh, st_mesh_file *file, bool flip, bool swap);

typedef struct st_stl_options {
    uint32_t header; // bytes before the number of triangles in a binary file
    bool binary;     // even when the file begins with "solid"
    bool flip;
} st_stl_options;
bool st_stl_read(st_mesh *mesh, st_mesh_file *file, const st_stl_options *options);

// The format is that of the suffix: obj, msh, vtk, vtk_swap, vtu, vtp, stl, off, xsp, trian, trian2, gid.
bool st_mesh_format_known(const char *path);
const char *st_mesh_suffix_at(size_t index); // the formats one after the other; NULL past the end
const char *st_mesh_suffix_name(size_t index);
bool st_mesh_read(st_mesh *mesh, st_mesh_file *file);

#endif
