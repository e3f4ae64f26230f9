// Any bytes as a Gmsh file.
//
// SPDX-License-Identifier: Apache-2.0
#include "mesh_check.h"

FUZZ_MESH(st_gmsh_read(&mesh, &file))
