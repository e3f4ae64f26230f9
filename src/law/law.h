// What the laws share.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LAW_LAW_H
#define SETTEE_LAW_LAW_H

#include "base/array.h"
#include "math/quat.h"
#include "settee/plugin/constraint.h"

// The position of a DOF that the parameters name.
static inline const st_real *st_law_x(const st_state *s, const st_constraint_params *p, size_t dof) {
    return st_coord_list(s, p->x.index, ST_COORD_POSITION)->data + dof * st_state_dof(s)->coord;
}
// The present position.
static inline const st_real *st_law_now(const st_state *s, size_t dof) {
    return s->coord[ST_COORD_POSITION].data + dof * st_state_dof(s)->coord;
}

// Adds sign · e_axis to a row at a DOF.
void st_law_add_axis(st_state *state, size_t row, size_t dof, size_t axis, st_real sign);
// Adds k · direction (along the first three scalars) to a row at a DOF.
void st_law_add_direction(st_state *state, size_t row, size_t dof, const st_real direction[3], st_real k);

#endif
