// The bases of forces: one acts on a single state, the other between two.
//
// A single force acts on the state that `mstate` names, else on the node's own, else on the nearest one upwards.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/force.h"
#include "force/former_interface.h"

// ---------------------------------------------------------------------------------------------------
// States
// ---------------------------------------------------------------------------------------------------

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

// ---------------------------------------------------------------------------------------------------
// Forces on one state
// ---------------------------------------------------------------------------------------------------

static bool force_accepts(st_object *object) {
    return st_accept_state(object, "mstate", st_attribute(object, "mstate"));
}

static st_status force_init(st_object *object) {
    st_force *force = (st_force *)object;
    force->state = st_matching_state(object, force->state);
    force->other = NULL;
    if (force->state) return ST_OK;
    return st_invalid(object, "no mechanical state of type %s is found: it has no effect",
                      object->dof ? object->dof->name : "(none)");
}

static const st_field fields[] = {
    ST_FIELD(st_force, rayleigh_stiffness, "rayleighStiffness", st_type_real, "0",
             "damping in proportion to the stiffness of this component"),
    ST_FIELD(st_force, state, "mstate", st_type_link, NULL,
             "the state it acts on; the node's own, else the nearest upwards, when not given", .role = ST_ROLE(state)),
    ST_FIELDS_END,
};

const st_class st_force_class = {
    .name = "ForceField",
    .help = "what every force on one state has",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_force),
    .flags = ST_CLASS_ABSTRACT,
    .accepts = force_accepts,
    .init = force_init,
    .resolve = st_bridge_former,
};

// ---------------------------------------------------------------------------------------------------
// Forces between two states
// ---------------------------------------------------------------------------------------------------

static const char *path_of(const st_object *object, const char *name) {
    const char *path = st_attribute(object, name);
    return path && *path ? path : "@./";
}

bool st_accept_pair(st_object *object) {
    return st_accept_state(object, "object1", path_of(object, "object1")) &&
           st_accept_state(object, "object2", path_of(object, "object2"));
}

st_status st_match_pair(st_object *object, st_state **one, st_state **two) {
    *one = st_matching_state(object, *one);
    *two = st_matching_state(object, *two);
    if (*one && *two) return ST_OK;
    return st_invalid(object, "%s is not a mechanical state of type %s: it has no effect", *one ? "object2" : "object1",
                      object->dof ? object->dof->name : "(none)");
}

static st_status force_pair_init(st_object *object) {
    st_force *force = (st_force *)object;
    return st_match_pair(object, &force->state, &force->other);
}

static const st_field pair_fields[] = {
    ST_FIELD(st_force, rayleigh_stiffness, "rayleighStiffness", st_type_real, "0",
             "damping in proportion to the stiffness of this component"),
    ST_FIELD(st_force, state, "object1", st_type_link, "@./", "the first state, or a node that holds it",
             .role = ST_ROLE(state)),
    ST_FIELD(st_force, other, "object2", st_type_link, "@./", "the second state; it may be the first one",
             .role = ST_ROLE(state)),
    ST_FIELDS_END,
};

const st_class st_pair_force_class = {
    .name = "PairInteractionForceField",
    .help = "what every force between two states has",
    .parent = &st_object_class,
    .fields = pair_fields,
    .size = sizeof(st_force),
    .flags = ST_CLASS_ABSTRACT,
    .accepts = st_accept_pair,
    .init = force_pair_init,
    .resolve = st_bridge_former,
};

// ---------------------------------------------------------------------------------------------------
// Gravity
// ---------------------------------------------------------------------------------------------------

void st_gravity(const st_object *object, const st_dof *dof, st_real g[6]) {
    for (size_t i = 0; i < 6; i++) g[i] = i < dof->spatial ? object->node->gravity[i] : 0;
}
