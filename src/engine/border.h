// The border of a surface: edges that belong to exactly one of its triangles and quads.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ENGINE_BORDER_H
#define SETTEE_ENGINE_BORDER_H

#include "settee/types.h"

// Fills `edges` (two vertices each) in the order of the faces, triangles first, in the direction of the face.
// False: out of memory.
bool st_border_edges(st_uints *edges, const st_uints *triangles, const st_uints *quads);

#endif
