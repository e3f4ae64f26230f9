// The step plan: what a loop runs through in each step, as flat lists in the orders in which SOFA walks over the tree.
//
//     listeners     components with an `event` hook; whether they listen is asked when an event is sent
//     stations      nodes with integrators or with forces between two states, or where contacts put such forces, parents
//                   first. A station whose integrators run owns what is below it: the run goes on at the next station
//                   outside of its node (`after`)
//     pipelines     collision pipelines, one for each node that has any
//
// Only active nodes at and below the loop's node take part. The lists are made again when the structure of the scene
// changes, contacts excepted: which forces between two states a station has is looked up when they act. A step makes no
// walk over the tree.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LOOP_STEP_PLAN_H
#define SETTEE_LOOP_STEP_PLAN_H

#include "settee/plugin/physics.h"

typedef struct st_station {
    const st_node *node;
    size_t first;       // of its integrators in `movers`
    size_t integrators; // how many
    size_t after;       // the first station that is not at or below the node
} st_station;

typedef struct st_step_plan {
    const st_node *node;
    uint32_t version; // the scene's structure without contacts when the lists were made
    ST_LIST(st_object *) listeners;
    ST_LIST(st_station) stations;
    ST_LIST(st_object *) movers;
    ST_LIST(st_object *) pipelines;
    ST_LIST(const void *) before; // listeners before the lists were made again: addresses only, they may be gone
} st_step_plan;

// Brings the lists up to date; false: out of memory.
bool st_step_plan_update(st_step_plan *plan, st_node *node);
void st_step_plan_free(st_step_plan *plan);

// Sends an event to those who listen, in order. A listener may change the scene: the rest of the new list follows, from
// the place behind the last one that got the event and is still there. False: out of memory.
bool st_step_plan_send(st_step_plan *plan, st_node *node, st_event *event);
// The station of a node; SIZE_MAX: it has none.
size_t st_step_plan_find(const st_step_plan *plan, const st_node *node);

#endif
