// Any bytes as a GID file.
//
// SPDX-License-Identifier: Apache-2.0
#include "mesh_check.h"

FUZZ_MESH(st_gid_read(&mesh, &file, true))
