// Positions of states that are linked: what follows a state while a step moves it.
//
// A step writes positions state by state, in the order of the scene. What is linked to a state (an engine, and through
// it the positions of another state) is out of date from then on, and a state whose positions are linked takes them up
// before it is moved itself. So points that an engine picks out of a body are where the body is at the end of the same
// step.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene/scene.h"
#include "settee/plugin/state.h"

// The field of the positions; -1 when the state shows none.
static int position_field(const st_state *state) {
    const size_t offset = offsetof(st_state, coord) + ST_COORD_POSITION * sizeof state->coord[0];
    for (size_t i = 0; i < state->object.type->field_count; i++)
        if (state->object.type->all_fields[i]->offset == offset) return (int)i;
    return -1;
}

bool st_state_is_linked(const st_state *state) {
    const int index = position_field(state);
    return index >= 0 && (state->object.data[index].source || state->object.data[index].children.count);
}

void st_state_take_links(st_state *state) {
    const int index = position_field(state);
    if (index >= 0 && state->object.data[index].source) st_pull_index(&state->object, (uint32_t)index);
}

void st_state_give_links(st_state *state) {
    const int index = position_field(state);
    if (index >= 0 && state->object.data[index].children.count) st_touch_index(&state->object, (uint32_t)index);
}
