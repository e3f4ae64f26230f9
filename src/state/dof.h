// What the scalars of a coordinate mean.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_STATE_DOF_H
#define SETTEE_STATE_DOF_H

#include "settee/plugin/state.h"

// Leading scalars of a coordinate (and of a velocity) that are its position: all of a vector, the center of a rigid.
static inline size_t st_position_scalars(const st_dof *dof) { return dof->rigid ? dof->spatial : dof->coord; }

#endif
