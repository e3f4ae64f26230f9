// How the components that act on states find them.
//
// A single state is the one that an attribute names, else the node's own, else the nearest one upwards.
//
// SPDX-License-Identifier: Apache-2.0
#include "state/find_state.h"

bool st_accept_state(st_object *object, const char *attribute, const char *path) {
    const bool given = path && *path;
    const st_object *found =
        given ? st_find_path(object->node, path, ST_ROLE(state)) : st_find_slot(object->node, ST_ROLE(state));
    if (!found && given) return st_refuse(object, "%s=\"%.120s\" leads to no mechanical state", attribute, path);
    if (!found) return st_refuse(object, "there is no mechanical state in its node or above");

    if (!((const st_state *)found)->mechanical)
        return st_refuse(object, "the state '%s' is not a mechanical one", found->name ? found->name : "");
    if (found->dof != object->dof)
        return st_refuse(object, "the state '%s' is of type %s", found->name ? found->name : "",
                         found->dof ? found->dof->name : "(none)");
    return true;
}

st_state *st_matching_state(const st_object *object, st_state *state) {
    if (!state) state = (st_state *)st_find_slot(object->node, ST_ROLE(state));
    return state && state->mechanical && state->object.dof == object->dof ? state : NULL;
}

st_status st_match_state(st_object *object, st_state **state) {
    *state = st_matching_state(object, *state);
    if (*state) return ST_OK;
    return st_invalid(object, "no mechanical state of type %s is found: it has no effect",
                      object->dof ? object->dof->name : "(none)");
}

// ---------------------------------------------------------------------------------------------------
// Pairs
// ---------------------------------------------------------------------------------------------------

const char *st_pair_path(const st_object *object, const char *name) {
    const char *path = st_attribute(object, name);
    return path && *path ? path : "@./";
}

bool st_accept_pair(st_object *object) {
    return st_accept_state(object, "object1", st_pair_path(object, "object1")) &&
           st_accept_state(object, "object2", st_pair_path(object, "object2"));
}

st_status st_match_pair(st_object *object, st_state **one, st_state **two) {
    *one = st_matching_state(object, *one);
    *two = st_matching_state(object, *two);
    if (*one && *two) return ST_OK;

    return st_invalid(object, "%s is not a mechanical state of type %s: it has no effect", *one ? "object2" : "object1",
                      object->dof ? object->dof->name : "(none)");
}
