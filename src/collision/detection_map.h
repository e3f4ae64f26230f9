// What a narrow phase found, by pairs of models: lists that keep their memory, and the order of pairs.
//
//     begin     lists are emptied; pairs of the last step are still in the map
//     enter     a pair that will be looked at; it is in the map from now on
//     end       pairs without detections leave it; the others are the outputs of the phase
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_DETECTION_MAP_H
#define SETTEE_COLLISION_DETECTION_MAP_H

#include "collision/collision.h"
#include "collision/pair_order.h"

typedef struct st_range_pair {
    st_box_range first, second;
    const st_box *around[2]; // the boxes that hold all of the first, all of the second
} st_range_pair;

typedef struct st_detection_entry {
    st_ranked_pair pair; // first
    st_model_detections output;
    bool in_map;
    // the traversal of this pair
    st_element_test *test;
    ST_LIST(st_range_pair) stack;
    st_uints near[2]; // of two ranges of leaves: those that can be near some of the other
} st_detection_entry;

typedef struct st_detection_map {
    st_pointer_table places;               // of pairs in `entries`
    ST_LIST(st_detection_entry *) entries; // every pair that was ever near
    ST_LIST(st_detection_entry *) sorted;  // those in the map; in order at the end
    ST_LIST(st_detection_entry *) work;    // those of this step, as they were entered
    st_collision_models waiting;           // whose boxes of elements are behind, and needed
    st_pair_order order;
} st_detection_map;

st_status st_detections_begin(st_narrow_phase *phase);
st_status st_detections_enter(st_narrow_phase *phase, st_collision_model *a, st_collision_model *b,
                              st_element_test *test);
// The same for a pair of the broad phase, where the method has a test: in the order of the test, with what it asks of the
// models.
st_status st_detections_enter_pair(st_narrow_phase *phase, st_intersection *method, const st_model_pair *pair);
// After all pairs were entered: boxes of elements near the other model of a pair, or of all elements.
st_status st_detections_fill_boxes(st_narrow_phase *phase, const st_intersection *method, bool all);
st_status st_detections_end(st_narrow_phase *phase);
// Back to where nothing was ever found.
void st_detections_forget(st_narrow_phase *phase);

#endif
