// Are the numbers of a matrix those of an earlier one? Whoever factors a matrix asks before doing it again.
//
// Most matrices change in each step. A full copy is therefore only taken when a sample of the numbers is found again:
//
//     1. the first matrix leaves a sample
//     2. one with another sample leaves its own
//     3. one with the same sample may be the same: it leaves a copy
//     4. from then on the copy decides, bit by bit
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_BSR_COPY_H
#define SETTEE_LINALG_BSR_COPY_H

#include "linalg/bsr.h"

enum { ST_BSR_SAMPLE = 64 }; // numbers

typedef struct st_bsr_copy {
    int32_t height, width, rows, cols; // of the matrix that was noted last
    size_t count;                      // blocks
    st_real sample[ST_BSR_SAMPLE];     // spread over its numbers
    bool sampled, whole;               // there is a sample; the lists below are the whole matrix
    ST_LIST(size_t) starts;
    ST_LIST(int32_t) columns;
    ST_LIST(st_real) values;
} st_bsr_copy;

// Is this the matrix that was noted last, pattern and numbers? Without a whole copy: no.
bool st_bsr_copy_is(const st_bsr_copy *copy, const st_bsr *matrix);
// From now on this one counts. Without memory for a copy it is only not recognized.
void st_bsr_copy_note(st_bsr_copy *copy, const st_bsr *matrix);
void st_bsr_copy_forget(st_bsr_copy *copy); // keeps the memory
void st_bsr_copy_free(st_bsr_copy *copy);   // leaves an empty one

#endif
