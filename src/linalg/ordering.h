// Orderings: in which order the unknowns of a symmetric system are eliminated, so that its factor stays sparse.
//
// A permutation lists the unknowns in the order of their elimination: permutation[k] is the k-th one.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_ORDERING_H
#define SETTEE_LINALG_ORDERING_H

#include "linalg/elimination.h"

typedef enum st_ordering {
    ST_ORDERING_BEST,    // the cheapest that is found: AMD, and where it is worth a search, orders by dissection
    ST_ORDERING_AMD,     // approximate minimum degree, from SuiteSparse
    ST_ORDERING_COLAMD,  // approximate minimum degree of AᵀA, from SuiteSparse
    ST_ORDERING_METIS,   // nested dissection, from METIS
    ST_ORDERING_NATURAL, // as the unknowns come
} st_ordering;

// `permutation` has room for graph->n numbers. ST_ORDERING_BEST counts as AMD here: st_order_and_eliminate compares.
st_status st_ordering_compute(st_ordering ordering, const st_graph *graph, int32_t *permutation);

// Orders and eliminates. With ST_ORDERING_BEST, others are tried where the elimination in the order of AMD is long
// enough to pay for that; see ordering_best.c.
st_status st_order_and_eliminate(st_elimination *e, st_ordering ordering, const st_graph *graph, int32_t block);

#endif
