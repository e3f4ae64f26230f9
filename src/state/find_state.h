// How the components that act on states find them: forces, masses, projections, laws, corrections, monitors.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_STATE_FIND_STATE_H
#define SETTEE_STATE_FIND_STATE_H

#include "settee/plugin/state.h"

// For `accepts`: does the path (NULL or empty: the context) lead to a mechanical state of the object's DOF type?
bool st_accept_state(st_object *object, const char *attribute, const char *path);
// For `init`: the context's mechanical state when `state` is NULL; NULL when it is missing or of another type.
st_state *st_matching_state(const st_object *object, st_state *state);
// The same, put in place; the component is invalid without it.
st_status st_match_state(st_object *object, st_state **state);

// The same for the two states of the attributes object1 and object2. Of those found, one that does not match makes the
// component invalid.
bool st_accept_pair(st_object *object);
st_status st_match_pair(st_object *object, st_state **one, st_state **two);
// What the scene gives for object1 or object2: the state of the same node ("@./") when it gives nothing.
const char *st_pair_path(const st_object *object, const char *name);

#endif
