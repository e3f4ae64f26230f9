// Contacts between points of two objects, for those that derive from UnilateralLagrangianConstraint: the responses of
// the collision layer.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LAW_UNILATERAL_H
#define SETTEE_LAW_UNILATERAL_H

#include "law/law.h"

typedef struct st_contact_frame {
    st_real n[3], t[3], s[3];
} st_contact_frame;

// The force of a contact in the last step.
typedef struct st_contact_guess {
    int64_t id;
    st_real f[3];
} st_contact_guess;

typedef struct st_unilateral {
    st_law law;
    st_uints first, second; // DOFs of the contacts that the scene names
    st_reals normals;
    st_reals distances;
    st_real mu;
    st_real epsilon;
    ST_LIST(st_contact) contacts; // added by code
    ST_LIST(st_contact) all;      // of the last build, all of them usable
    ST_LIST(st_contact_frame) frames;
    ST_LIST(st_contact_guess) guesses;
    st_uints places; // of guesses by id: a table with open addressing, numbers from 1 on
    bool augmented;
} st_unilateral;

extern const st_class st_unilateral_lagrangian_constraint_class, st_augmented_lagrangian_constraint_class;

// Contacts begin without a past: no first guess is taken from earlier steps.
static inline void st_unilateral_forget(st_unilateral *law) { law->guesses.count = 0; }

#endif
