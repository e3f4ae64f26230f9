// Many blocks at once into a matrix of 3 x 3 blocks whose slots are known: elements, point masses, another matrix.
//
// Most of assembly is this. The checks are made once for all, not for each block, and threads share the work; each sum
// is taken in the order of the stream.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ASSEMBLY_KNOWN_ELEMENTS_H
#define SETTEE_ASSEMBLY_KNOWN_ELEMENTS_H

#include "base/pool.h"
#include "linalg/pattern.h"
#include "state/sink.h"

// Where the blocks go: the slots of the matrix, their values (nine a slot), and the component's part of them.
typedef struct st_known_blocks {
    st_slots *slots;
    st_real *values;
    st_window window;
    st_real factor;
} st_known_blocks;

// False: an addition is not the recorded one, and nothing was added.
bool st_add_known_element(const st_known_blocks *to, size_t count, const uint32_t *nodes, const st_real *matrix);
// False as well where threads would not pay.
bool st_add_known_elements(const st_known_blocks *to, st_pool *pool, const st_element_source *source);

// One block on the diagonal for each DOF.
bool st_add_known_diagonals(const st_known_blocks *to, st_pool *pool, const st_diagonals *diagonals);

// The blocks of another matrix of 3 x 3 blocks, row by row.
bool st_add_known_rows(const st_known_blocks *to, st_pool *pool, const st_bsr *rows);

#endif
