// Child DOFs that are copies of parent DOFs: subsets and concatenations.
//
// Child i is DOF index[i] of input parent[i]. Where the child's type has fewer scalars the first ones are taken (the
// center of a rigid). An invalid index leaves the child's DOF to itself.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_COPIED_ROWS_H
#define SETTEE_MAPPING_COPIED_ROWS_H

#include "settee/physics.h"

typedef struct st_copied_rows {
    size_t count;
    const uint32_t *index;
    const uint32_t *parent; // NULL: all of input 0
} st_copied_rows;

// Products of a mapping with one output. What lies outside of its state is left alone.
void st_copied_rows_apply(const st_copied_rows *rows, st_mapping *mapping, st_coord_id out, st_const_coord_id in);
void st_copied_rows_apply_j(const st_copied_rows *rows, st_mapping *mapping, st_deriv_id out, st_const_deriv_id in);
void st_copied_rows_apply_jt(const st_copied_rows *rows, st_mapping *mapping, st_deriv_id in, st_const_deriv_id out);
void st_copied_rows_jacobian(const st_copied_rows *rows, const st_mapping *mapping, size_t in, st_sink *sink);

#endif
