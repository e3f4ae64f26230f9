// Points that a force found in its reach at its last evaluation, each with the derivative of its force: a block of
// width × width on the diagonal. Shared by the loads that act on points one by one.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_LOAD_CONTACTS_H
#define SETTEE_FORCE_LOAD_CONTACTS_H

#include "settee/plugin/physics.h"

typedef struct st_contacts {
    st_uints points;
    st_reals blocks; // width × width each
    size_t width;
} st_contacts;

// Empty, with room for all DOFs of the state: no allocation while it does not grow.
bool st_contacts_begin(st_contacts *contacts, const st_state *state, size_t width);
// The block of one more point, to be filled in.
st_real *st_contacts_add(st_contacts *contacts, size_t point);
void st_contacts_blocks(const st_contacts *contacts, const st_state *state, st_stiffness k);
void st_contacts_product(const st_contacts *contacts, const st_state *state, const st_params *params, st_real k);
void st_contacts_free(st_contacts *contacts);

#endif
