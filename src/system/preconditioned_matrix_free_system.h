// A matrix-free system that also has the system of a preconditioner built. The .c file tells how.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SYSTEM_PRECONDITIONED_MATRIX_FREE_SYSTEM_H
#define SETTEE_SYSTEM_PRECONDITIONED_MATRIX_FREE_SYSTEM_H

#include "system/matrix_free_system.h"

typedef struct st_preconditioned_matrix_free_system {
    st_matrix_free_system matrix_free;
    st_system *preconditioner; // its system; linked by PCGLinearSolver
    uint32_t rate;             // builds of this one for one of the preconditioner's
    uint32_t builds;           // since the preconditioner's last one
    bool building;
} st_preconditioned_matrix_free_system;

extern const st_class st_preconditioned_matrix_free_system_class;

#endif
