// One pair of models in contact: its mappers, and where its objects are (see collision.h).
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_CONTACT_PAIR_H
#define SETTEE_COLLISION_CONTACT_PAIR_H

#include "collision/collision.h"

// --- the life of a pair, for contact managers

// A pair of models without response, out of the graph. NULL: out of memory.
st_contact_pair *st_contact_pair_create(st_collision_model *first, st_collision_model *second);
// Frees what it has taken out of the graph; what is in the graph is the graph's.
void st_contact_pair_destroy(st_contact_pair *pair);
// Makes the response of the class for the models, unless it has one for the same recipe, and its mappers; nodes of
// contact points go into the graph. A pair that could not be woken sleeps. `parameters`: "name=value&name=value".
st_status st_contact_pair_wake(st_contact_pair *pair, const st_class *response, const char *recipe,
                               const char *parameters);
// Of a pair out of the graph: it has none any more.
void st_contact_pair_drop_response(st_contact_pair *pair);
// Takes response and nodes out of the graph.
void st_contact_pair_sleep(st_contact_pair *pair);

// --- filling, for responses

// Points, lines, triangles and spheres around points: those that every response knows.
static inline bool st_has_common_response(const st_collision_model *model) {
    return model->primitive <= ST_PRIMITIVE_SPHERE;
}

// Empties both mappers; points are added; the end computes the places and velocities of the contact points.
bool st_contact_pair_begin(st_contact_pair *pair);
// The DOF of a contact point on an element of model `side` (0 or 1); ST_INVALID_INDEX: out of memory.
uint32_t st_contact_pair_add(st_contact_pair *pair, int side, size_t element, const st_real point[3]);
bool st_contact_pair_end(st_contact_pair *pair);
// After the end: where the parents have a free motion, the contact points have the free motion of their mappings.
bool st_contact_pair_move_freely(st_contact_pair *pair);

// Of all detections with the same id the one with the smallest value, the first of several; in the order of detection.
// Fills pair->kept with their numbers. False: out of memory.
bool st_contact_pair_keep_nearest(st_contact_pair *pair, const st_detections *found);
// Those that do not repeat an earlier one: both points at the same places, within 1e-4. Fills pair->kept, too. An
// earlier one is one that was kept, or, with `all`, any.
bool st_contact_pair_keep_distinct(st_contact_pair *pair, const st_detections *found, bool all);

#endif
