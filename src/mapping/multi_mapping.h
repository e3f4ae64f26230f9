// Mappings with several parents, several children, or two families of parents.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_MULTI_MAPPING_H
#define SETTEE_MAPPING_MULTI_MAPPING_H

#include "mapping/states.h"

extern const st_class st_multi_mapping_class; // input, output: lists

// mapping.input holds the parents of both families, those of input1 first.
typedef struct st_multi2_mapping {
    st_mapping mapping;
    ST_LIST(st_object *) input1, input2;
} st_multi2_mapping;

extern const st_class st_multi2_mapping_class; // input1, input2, output: lists
// For the init of a class of the second kind: makes mapping.input from the two lists, since links may have been found
// after the component was made.
st_status st_multi2_mapping_join(st_object *object);

// indexPairs: (parent, index) of DOFs that exist. An error otherwise.
st_status st_multi_mapping_check_pairs(st_mapping *mapping, const st_uints *pairs);

#endif
