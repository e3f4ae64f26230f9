// Pairs of DOFs that stay together, for those that derive from BilateralLagrangianConstraint.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LAW_BILATERAL_H
#define SETTEE_LAW_BILATERAL_H

#include "law/law.h"

typedef struct st_bilateral {
    st_law law;
    st_uints first, second;
    st_reals rest;
    bool activate;
    bool keep_orientation;
    st_real load;
    st_object *topology1, *topology2;
    st_reals memory;     // three reals a pair
    st_reals forces;     // multipliers of the last step, those of a pair as one
    st_reals difference; // frames of object2 in object1 at the beginning, 7 reals a pair
} st_bilateral;

extern const st_class st_bilateral_lagrangian_constraint_class;

#endif
