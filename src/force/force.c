// The bases of forces: one acts on a single state, the other between two.
//
// A single force acts on the state that `mstate` names, else on the node's own, else on the nearest one upwards.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/former_interface.h"
#include "settee/plugin/physics.h"
#include "state/find_state.h"

// ---------------------------------------------------------------------------------------------------
// Forces on one state
// ---------------------------------------------------------------------------------------------------

static bool force_accepts(st_object *object) {
    return st_accept_state(object, "mstate", st_attribute(object, "mstate"));
}

static st_status force_init(st_object *object) {
    st_force *force = (st_force *)object;
    force->other = NULL;
    return st_match_state(object, &force->state);
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
