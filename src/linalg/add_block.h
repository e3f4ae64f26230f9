// Adding 3 × 3 blocks, which most of assembly does, and cutting others along the grid of a matrix's own blocks.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_ADD_BLOCK_H
#define SETTEE_LINALG_ADD_BLOCK_H

#include "settee/types.h"

// target += factor · block for a 3 x 3 block whose rows are `stride` apart. Written out: the loops would cost more than
// the additions.
static inline void st_add_block_3(st_real *target, const st_real *block, size_t stride, st_real factor) {
    const st_real *second = block + stride, *third = second + stride;
    target[0] += factor * block[0];
    target[1] += factor * block[1];
    target[2] += factor * block[2];
    target[3] += factor * second[0];
    target[4] += factor * second[1];
    target[5] += factor * second[2];
    target[6] += factor * third[0];
    target[7] += factor * third[1];
    target[8] += factor * third[2];
}

// End of the piece that begins at scalar `at`: that of the block it is in, or that of what is cut.
static inline size_t st_piece_end(size_t at, size_t end, size_t block) {
    const size_t next = (at / block + 1) * block;
    return next < end ? next : end;
}

#endif
