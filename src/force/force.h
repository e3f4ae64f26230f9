// What the components that act on states share: how they find them.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FORCE_H
#define SETTEE_FORCE_FORCE_H

#include "settee/plugin/physics.h"

// Leading scalars of a coordinate (and of a velocity) that are its position: all of a vector, the center of a rigid.
static inline size_t st_position_scalars(const st_dof *dof) { return dof->rigid ? dof->spatial : dof->coord; }

// For `accepts`: does the path (NULL or empty: the context) lead to a mechanical state of the object's DOF type?
bool st_accept_state(st_object *object, const char *attribute, const char *path);

// For `init`: the context's mechanical state when `state` is NULL; NULL when it is missing or of another type.
st_state *st_matching_state(const st_object *object, st_state *state);
// The same for the two states of the attributes object1 and object2 ("@./" when not given); of those found, one that
// does not match makes the component invalid.
bool st_accept_pair(st_object *object);
st_status st_match_pair(st_object *object, st_state **one, st_state **two);

#endif
