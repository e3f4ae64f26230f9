// The tables behind topology/adjacency.h.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_ADJACENCY_TABLES_H
#define SETTEE_TOPOLOGY_ADJACENCY_TABLES_H

#include "topology/adjacency.h"

// Row i: ids from starts[i] to starts[i + 1]; once rows have lost or gained elements, to ends[i], with room up to limits[i].
// From then on row_room and id_room tell how many rows and ids there is memory for.
typedef struct st_around_table {
    uint32_t *starts, *ends, *limits, *ids;
    size_t count, id_count;
    size_t row_room, id_room;
} st_around_table;

struct st_adjacency {
    uint32_t *in[ST_ELEMENT_KINDS][ST_ELEMENT_KINDS];
    size_t in_count[ST_ELEMENT_KINDS][ST_ELEMENT_KINDS]; // words in use
    size_t in_room[ST_ELEMENT_KINDS][ST_ELEMENT_KINDS];  // and words there is memory for
    st_around_table around[ST_ELEMENT_KINDS][ST_ELEMENT_KINDS + 1];
};

// Rows that can become shorter and longer. False: out of memory.
bool st_around_table_loosen(st_around_table *table);
void st_around_table_free(st_around_table *table); // and it is empty
// The order of two elements in a row.
bool st_around_before(const st_topology *topology, bool by_direction, uint32_t row, uint32_t a, uint32_t b);

#endif
