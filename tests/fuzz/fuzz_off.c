// Any bytes as an OFF file.
//
// SPDX-License-Identifier: Apache-2.0
#include "mesh_check.h"

FUZZ_MESH(st_off_read(&mesh, &file, true))
