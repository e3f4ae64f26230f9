// One sequence of detection and response: models, an intersection method, two phases, a contact manager.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_SUB_COLLISION_PIPELINE_H
#define SETTEE_COLLISION_SUB_COLLISION_PIPELINE_H

#include "collision/collision.h"

enum { ST_TREE_DEPTH = 6 }; // when nothing is said

typedef struct st_detection_sequence {
    st_collision_models models; // in order
    st_collision_models active; // work
    st_intersection *intersection;
    st_broad_phase *broad_phase;
    st_narrow_phase *narrow_phase;
    st_contact_manager *manager;
    bool complete; // all of them are there
} st_detection_sequence;

// Tells in the name of the object what is missing.
void st_detection_sequence_check(st_detection_sequence *sequence, const st_object *object);
void st_detection_sequence_reset(st_detection_sequence *sequence);
st_status st_detection_sequence_detect(st_detection_sequence *sequence, size_t depth);
st_status st_detection_sequence_respond(st_detection_sequence *sequence, st_node *node);
void st_detection_sequence_free(st_detection_sequence *sequence);

typedef struct st_sub_pipeline {
    st_object object;
    uint32_t depth;
    ST_LIST(st_object *) models;
    st_object *intersection, *broad_phase, *narrow_phase, *manager;
    st_detection_sequence sequence;
} st_sub_pipeline;
extern const st_class st_sub_collision_pipeline_class;

// Models at and below a node, depth first.
bool st_collect_models(st_node *node, st_collision_models *models);

#endif
