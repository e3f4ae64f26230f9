// The numbers of a file's nodes, and the place of each in the list of points.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_FILE_GMSH_NODES_H
#define SETTEE_TOPOLOGY_FILE_GMSH_NODES_H

#include "settee/types.h"

// Zero bytes are an empty one.
typedef struct st_gmsh_nodes {
    st_ints numbers;  // as they came
    int32_t smallest; // of them
    int32_t largest;
    bool in_order;   // they are smallest, smallest + 1, ...
    st_uints table;  // when they are dense: place + 1 of the number smallest + i, or 0
    st_uints sorted; // otherwise: places in the order of their numbers
} st_gmsh_nodes;

bool st_gmsh_nodes_add(st_gmsh_nodes *nodes, int32_t number); // false: out of memory
// To be called when all are there. False: out of memory.
bool st_gmsh_nodes_sort(st_gmsh_nodes *nodes);
// The place of a number, the last one if several have it; ST_INVALID_INDEX for none.
uint32_t st_gmsh_nodes_find(const st_gmsh_nodes *nodes, int32_t number);
void st_gmsh_nodes_free(st_gmsh_nodes *nodes);

#endif
