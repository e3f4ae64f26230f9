// The compliance block by block, without W: what the unbuilt solvers share.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CONSTRAINT_UNBUILT_H
#define SETTEE_CONSTRAINT_UNBUILT_H

#include "constraint/problem.h"

typedef struct st_unbuilt {
    st_reals w;             // diagonal blocks, one after the other
    ST_LIST(size_t) starts; // of each block
    st_reals part;          // W of the corrections that cannot work block by block, together
    st_reals force;         // and the forces that they know of
    bool has_part;
    size_t size;
} st_unbuilt;

st_status st_unbuilt_begin(st_unbuilt *u, st_constraint_solver *solver, const st_constraint_params *params);
// Adds up the diagonal block; false when no correction acts on its first row.
bool st_unbuilt_block(st_unbuilt *u, st_constraint_solver *solver, const st_resolution *block, size_t index);
static inline st_real *st_unbuilt_w(const st_unbuilt *u, size_t block) { return u->w.data + u->starts.data[block]; }
void st_unbuilt_displacement(const st_unbuilt *u, st_constraint_solver *solver, size_t row, size_t count, st_real *d);
void st_unbuilt_force(st_unbuilt *u, st_constraint_solver *solver, size_t row, size_t count, const st_real *df);
void st_unbuilt_free(st_unbuilt *u);

#endif
