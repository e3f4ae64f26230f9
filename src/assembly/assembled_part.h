// The part of a matrix-free product that costs less with a matrix.
//
// A conjugate gradient may multiply with the same A a hundred times. An element that many nodes share gives its product
// again and again; assembled once, its blocks are merged with those of its neighbors and with the masses, and a product
// is a few times cheaper (hexahedra 2 to 3 times, tetrahedra 5 to 6). Forces whose class says that their products may
// be taken so (ST_CLASS_PRODUCT_BY_MATRIX) go into the matrix, all others keep their own products:
//
//     q = A_part p + Σ over the other forces (their product)
//
// Constraints and mappings are not part of it.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ASSEMBLY_ASSEMBLED_PART_H
#define SETTEE_ASSEMBLY_ASSEMBLED_PART_H

#include "assembly/matrix_sum.h"

typedef struct st_assembled_part {
    st_matrix_sum sum;
    st_bools taken; // of plan->forces: those in the matrix
} st_assembled_part;

// Assembles the part for the plan with the factors of the parameters. False: nothing is worth it, or it cannot be done;
// products are then those of the forces.
bool st_assembled_part_build(st_assembled_part *part, const st_plan *plan, const st_params *params);
void st_assembled_part_free(st_assembled_part *part);

#endif
