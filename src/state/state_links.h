// Links from and to the vectors of states.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_STATE_STATE_LINKS_H
#define SETTEE_STATE_STATE_LINKS_H

#include "settee/plugin/state.h"

bool st_state_is_linked(const st_state *state); // are its positions linked, from or to others?
void st_state_take_links(st_state *state);      // takes up what its positions are linked to
void st_state_give_links(st_state *state);      // what is linked to its positions is out of date
// Counts the change of all vectors that steps write, for links to them. After each step.
void st_touch_states(st_scene *scene);

#endif
