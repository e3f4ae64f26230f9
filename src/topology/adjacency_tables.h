// The tables behind topology/adjacency.h.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_ADJACENCY_TABLES_H
#define SETTEE_TOPOLOGY_ADJACENCY_TABLES_H

#include "topology/adjacency.h"

// Row i: ids from starts[i] to starts[i + 1], or to ends[i] once rows have lost elements.
typedef struct st_around_table {
    uint32_t *starts, *ends, *ids;
    size_t count, id_count;
} st_around_table;

struct st_adjacency {
    uint32_t *in[ST_ELEMENT_KINDS][ST_ELEMENT_KINDS];
    size_t in_count[ST_ELEMENT_KINDS][ST_ELEMENT_KINDS];
    st_around_table around[ST_ELEMENT_KINDS][ST_ELEMENT_KINDS + 1];
};

#endif
