// Orderings: in which order the unknowns of a symmetric system are eliminated, so that its factor stays sparse.
//
// A permutation lists the unknowns in the order of their elimination: permutation[k] is the k-th one.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_ORDERING_H
#define SETTEE_LINALG_ORDERING_H

#include "settee/types.h"

typedef enum st_ordering {
    ST_ORDERING_AMD,     // approximate minimum degree, from SuiteSparse
    ST_ORDERING_NATURAL, // as the unknowns come
} st_ordering;

// Orders the graph of a square scalar pattern by compressed rows (columns increasing within a row); an entry counts
// for its mirror, too. `permutation` has room for n numbers.
st_status st_ordering_compute(st_ordering ordering, int32_t n, const size_t *starts, const int32_t *columns,
                              int32_t *permutation);

#endif
