// The compliance block by block, without W: what the unbuilt solvers share.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CONSTRAINT_UNBUILT_H
#define SETTEE_CONSTRAINT_UNBUILT_H

#include "constraint/generic_solver.h"

// The diagonal blocks, with the regularization, and the order of visits; from p->force on corrections follow the
// forces.
st_status st_unbuilt_begin(st_generic_solver *solver, const st_constraint_params *params);
static inline st_real *st_unbuilt_w(const st_constraint_problem *p, size_t block) {
    return p->unbuilt.w.data + p->unbuilt.starts.data[block];
}
// The block that is visited as the i-th.
static inline size_t st_unbuilt_visit(const st_constraint_problem *p, size_t i) {
    return p->unbuilt.order.data[i].block;
}
// Of the rows of a block: d += the displacement by all forces; and the change of its forces.
void st_unbuilt_displacement(const st_constraint_solver *solver, size_t block, st_real *d);
void st_unbuilt_force(st_constraint_solver *solver, size_t block, const st_real *df);

#endif
