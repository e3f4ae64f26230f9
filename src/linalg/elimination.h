// Symbolic elimination of a symmetric sparse matrix: which columns are eliminated together, and what they touch.
//
// Columns of L with nearly the same rows are eliminated together, as one dense front: a supernode. Supernodes form a
// tree; the rows that a supernode touches below its own columns all belong to its ancestors. They are numbered from the
// leaves to the roots, each subtree in one piece:
//
//     columns of supernode s:  first[s] … first[s + 1] - 1          in the order of elimination
//     rows below them:         rows[row_starts[s]] … rows[row_starts[s + 1] - 1], increasing
//
// The unknowns here are blocks of `block` scalars, which only weighs the costs.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_ELIMINATION_H
#define SETTEE_LINALG_ELIMINATION_H

#include "settee/types.h"

// An undirected graph: the neighbors of each node, without itself, in both directions.
typedef struct st_graph {
    int32_t n;
    size_t *starts; // n + 1
    int32_t *neighbors;
} st_graph;

typedef struct st_elimination {
    int32_t n;
    int32_t *permutation; // k-th eliminated unknown
    int32_t *position;    // its inverse
    int32_t supernodes;
    int32_t *first;     // supernodes + 1
    int32_t *parent;    // -1 for a root
    int32_t *supernode; // of the k-th eliminated unknown
    size_t *row_starts; // supernodes + 1
    int32_t *rows;      // in the order of elimination
    double cost;        // estimated cycles of the factorization
} st_elimination;

// Eliminates in the given order, up to changes that leave the factor as it is (whole subtrees change places).
// ST_INVALID when `permutation` is none. The result belongs to the caller; it is empty on failure.
st_status st_eliminate(st_elimination *e, const st_graph *graph, const int32_t *permutation, int32_t block);
void st_elimination_free(st_elimination *e);

// Estimated cycles for a front of k columns and r rows below them, in scalars.
double st_front_cost(double k, double r);

#endif
