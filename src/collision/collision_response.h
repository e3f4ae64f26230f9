// The contact manager, for those that choose responses by other rules.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_COLLISION_RESPONSE_H
#define SETTEE_COLLISION_COLLISION_RESPONSE_H

#include "collision/contact_pair.h"
#include "collision/pair_order.h"

typedef struct st_collision_response {
    st_contact_manager base;
    char *response, *parameters;
    st_pointer_table places;           // of pairs in `pairs`
    ST_LIST(st_contact_pair *) pairs;  // every pair that ever was in contact
    ST_LIST(st_contact_pair *) sorted; // those that are
    ST_LIST(st_contact_pair *) placed; // in the order of their responses in the graph
    ST_LIST(st_contact_pair *) wanted; // work
    st_pair_order order;
    char *recipe; // work
    int refused;  // messages about pairs that get no response
} st_collision_response;

extern const st_class st_collision_response_class;

// The operations of every manager but `recipe`.
void st_collision_response_clear(st_contact_manager *manager);
st_status st_collision_response_respond(st_contact_manager *manager, st_node *node, const st_intersection *method,
                                        const st_narrow_phase *phase);
// That of the one model which names a response, or of both if they agree; else the manager's, with its parameters.
const char *st_collision_response_recipe(st_contact_manager *manager, const st_contact_pair *pair);

#endif
