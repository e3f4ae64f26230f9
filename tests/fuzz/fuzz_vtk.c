// Any bytes as a VTK file, legacy or XML. An odd size stands for a file whose bytes are swapped.
//
// SPDX-License-Identifier: Apache-2.0
#include "mesh_check.h"

FUZZ_MESH(st_vtk_read(&mesh, &file, size % 4 == 0, size % 2 == 1))
