// The bases of constraint laws: one acts on the state of its node, the other between two objects.
//
// SPDX-License-Identifier: Apache-2.0
#include "law/law.h"

#include "state/find_state.h"

void st_law_add_axis(st_state *state, size_t row, size_t dof, size_t axis, st_real sign) {
    st_real h[6] = {0};
    h[axis] = sign;
    st_constraint_add(state, row, dof, h);
}

void st_law_add_direction(st_state *state, size_t row, size_t dof, const st_real direction[3], st_real k) {
    const st_real h[6] = {direction[0] * k, direction[1] * k, direction[2] * k};
    st_constraint_add(state, row, dof, h);
}

// ---------------------------------------------------------------------------------------------------
// One state
// ---------------------------------------------------------------------------------------------------

static bool law_accepts(st_object *object) { return st_accept_state(object, "", NULL); }

static st_status law_init(st_object *object) {
    st_law *law = (st_law *)object;
    law->state = NULL;
    return st_match_state(object, &law->state);
}

#define LAW_FIELDS                                                                                                     \
    ST_FIELD(st_law, group, "group", st_type_int, "0", "number of a group", .flags = ST_FIELD_NO_EFFECT),              \
        ST_FIELD(st_law, first_row, "constraintIndex", st_type_uint, "0", "number of its first row",                   \
                 .flags = ST_FIELD_OUTPUT),                                                                            \
        ST_FIELD(st_law, end_time, "endTime", st_type_real, "-1", "ignored, as in SOFA", .flags = ST_FIELD_NO_EFFECT)

static const st_field fields[] = {LAW_FIELDS, ST_FIELDS_END};

const st_class st_law_class = {
    .name = "LagrangianConstraint",
    .help = "what every constraint law on one state has",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_law),
    .flags = ST_CLASS_ABSTRACT,
    .accepts = law_accepts,
    .init = law_init,
};

// ---------------------------------------------------------------------------------------------------
// Two states
// ---------------------------------------------------------------------------------------------------

static st_status law_pair_init(st_object *object) {
    st_law *law = (st_law *)object;
    return st_match_pair(object, &law->state, &law->other);
}

static const st_field pair_fields[] = {
    LAW_FIELDS,
    ST_FIELD(st_law, state, "object1", st_type_link, "@./", "the first state, or a node that holds it",
             .role = ST_ROLE(state)),
    ST_FIELD(st_law, other, "object2", st_type_link, "@./", "the second state; it may be the first one",
             .role = ST_ROLE(state)),
    ST_FIELDS_END,
};

const st_class st_pair_law_class = {
    .name = "PairInteractionConstraint",
    .help = "what every constraint law between two states has",
    .parent = &st_object_class,
    .fields = pair_fields,
    .size = sizeof(st_law),
    .flags = ST_CLASS_ABSTRACT,
    .accepts = st_accept_pair,
    .init = law_pair_init,
};
