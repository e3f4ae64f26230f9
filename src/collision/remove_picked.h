// Removing elements of a collision model from the mesh behind it: what the mouse picks, or a tool carves.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_REMOVE_PICKED_H
#define SETTEE_COLLISION_REMOVE_PICKED_H

#include "collision/collision.h"

// Elements of the model, in any order; numbers that do not exist are left out. A surface that is made from a volume gives the
// volume's elements behind it. Returns how many elements were removed; 0, with a warning, where that cannot be.
size_t st_remove_picked(const st_collision_model *model, const uint32_t *ids, size_t count);

#endif
