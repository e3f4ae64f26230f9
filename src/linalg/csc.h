// A copy of a matrix as the libraries of direct solvers want it: scalar, double, int, by columns. Nothing else uses it.
//
// The rows of A are the columns of Aᵀ: what is stored here is Aᵀ by columns. Of a symmetric matrix of which the lower
// triangle is wanted, it is the upper triangle by columns.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_CSC_H
#define SETTEE_LINALG_CSC_H

#include "linalg/bsr.h"

typedef struct st_csc {
    int n;
    int *starts, *rows;
    double *values;
    bool changed; // the pattern is another one than in the last copy
    st_bsr scalar;
} st_csc;

// A place that once held a number stays in the pattern. ST_INVALID for more entries than an int counts.
st_status st_csc_copy(st_csc *csc, const st_bsr *matrix, bool lower);
void st_csc_free(st_csc *csc);

#endif
