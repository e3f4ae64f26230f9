// The system of a WarpPreconditioner. rotation_matrix_system.c tells how it works.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SYSTEM_ROTATION_MATRIX_SYSTEM_H
#define SETTEE_SYSTEM_ROTATION_MATRIX_SYSTEM_H

#include "system/rotations.h"
#include "system/system.h"

typedef struct st_rotation_matrix_system {
    st_system system;
    uint32_t rate;
    st_system *main;
    st_object *finder;

    uint32_t builds; // since the main system's last one
    bool building;
    bool built; // since the last reset
    st_rotations rotations;
    st_bsr matrix; // rotations.since as the diagonal blocks of a matrix
} st_rotation_matrix_system;

extern const st_class st_rotation_matrix_system_class;

#endif
