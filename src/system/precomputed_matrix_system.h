// The system of a PrecomputedWarpPreconditioner. precomputed_matrix_system.c tells how it works.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SYSTEM_PRECOMPUTED_MATRIX_SYSTEM_H
#define SETTEE_SYSTEM_PRECOMPUTED_MATRIX_SYSTEM_H

#include "system/system.h"

extern const st_class st_precomputed_matrix_system_class;

// Is it a PrecomputedMatrixSystem that stays empty, as in SOFA?
bool st_is_left_empty(const st_system *system);

#endif
