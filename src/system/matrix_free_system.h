// A linear system without a matrix, for the classes that derive from it. matrix_free_system.c tells how it works.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SYSTEM_MATRIX_FREE_SYSTEM_H
#define SETTEE_SYSTEM_MATRIX_FREE_SYSTEM_H

#include "assembly/assembled_part.h"
#include "system/system.h"

typedef struct st_matrix_free_system {
    st_system system;
    ST_LIST(st_reals) saved; // own dx and df of each independent state, while they point elsewhere
    st_assembled_part part;  // what is cheaper with a matrix
    bool keep_sum_order;     // products keep the order of the elements: the part is not used
    size_t products;         // since the last build
    bool many;               // the build before had so many that the part pays
    bool assembled;          // the part is that of this build
    bool built;              // since the last reset
} st_matrix_free_system;

extern const st_class st_matrix_free_system_class;

st_status st_matrix_free_build(st_system *system, const st_params *params);
st_status st_matrix_free_multiply(st_system *system, const st_real *p, st_real *q);
const st_bsr *st_matrix_free_matrix(st_system *system); // NULL
void st_matrix_free_keep_sum_order(st_system *system, bool keep);
void st_matrix_free_reset(st_object *object);

#endif
