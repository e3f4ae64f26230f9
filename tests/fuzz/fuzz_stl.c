// Any bytes as an STL file: as what it seems to be, then as a binary one with a short header.
//
// SPDX-License-Identifier: Apache-2.0
#include "mesh_check.h"

static bool read_both(st_mesh *mesh, st_mesh_file *file) {
    st_mesh other = {0};
    st_mesh_file copy = *file;
    const bool binary = st_stl_read(&other, &copy, &(st_stl_options){.header = 4, .binary = true});
    check_mesh(&other, &copy, binary);
    return st_stl_read(mesh, file, &(st_stl_options){.header = 80, .flip = true});
}

FUZZ_MESH(read_both(&mesh, &file))
