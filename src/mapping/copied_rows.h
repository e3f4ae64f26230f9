// Child DOFs that are copies of parent DOFs: identities, subsets, concatenations.
//
// Child i is DOF index[i] of input parent[i]. Where the child's type has fewer scalars the first ones are taken (the
// center of a rigid); Jᵀ leaves what the child does not know (torques) alone. An invalid index leaves the child's DOF
// to itself.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_COPIED_ROWS_H
#define SETTEE_MAPPING_COPIED_ROWS_H

#include "settee/plugin/physics.h"

// First member of such a mapping, which has one output. What lies outside of its states is left alone.
typedef struct st_copied_mapping {
    st_mapping mapping;
    bool in_order; // child i is DOF i of input 0, whatever the sizes: there are no lists
    st_uints index;
    st_uints parent; // empty: all of input 0
} st_copied_mapping;

void st_copied_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in);
void st_copied_apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in);
void st_copied_apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out);
void st_copied_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink);
extern const st_mapping_ops st_copied_ops;
void st_copied_destroy(st_object *object); // where no field owns the lists

#endif
