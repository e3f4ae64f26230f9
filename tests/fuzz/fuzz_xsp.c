// Any bytes as an Xsp file.
//
// SPDX-License-Identifier: Apache-2.0
#include "mesh_check.h"

FUZZ_MESH(st_xsp_mesh_read(&mesh, &file))
