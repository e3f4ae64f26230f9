// Vectors of states that are linked: what follows a state while a step moves it.
//
// A step writes positions state by state, in the order of the scene. What is linked to a state (an engine, and through
// it the positions of another state) is out of date from then on, and a state whose positions are linked takes them up
// before it is moved itself. So points that an engine picks out of a body are where the body is at the end of the same
// step.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene/scene.h"
#include "settee/plugin/state.h"

static bool is_position(const st_field *field) {
    return field->offset == offsetof(st_state, coord) + ST_COORD_POSITION * sizeof(st_reals);
}

// The field of the positions; -1 when the state shows none.
static int position_field(const st_state *state) {
    for (size_t i = 0; i < st_field_count(&state->object); i++)
        if (is_position(st_fields(&state->object)[i])) return (int)i;
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

// ---------------------------------------------------------------------------------------------------
// After a step
// ---------------------------------------------------------------------------------------------------

static const st_field *field_of(const st_live_field *live) { return st_fields(live->object)[live->index]; }

// Does a mapping or an integrator write the state in each step?
static bool is_moved(const st_live_field *live) {
    return live->object->type->state && (live->integrated || ((const st_state *)live->object)->mapped);
}

// Positions whose source was moved after they were themselves.
static void take_late_links(const st_scene *scene) {
    for (size_t i = 0; i < scene->moving.count; i++) {
        const st_live_field *live = &scene->moving.data[i];
        if (!st_live_data(live)->source || !live->integrated || !is_position(field_of(live))) continue;

        const st_state *state = (const st_state *)live->object;
        if (state->mechanical && !state->mapped) st_pull_index(live->object, live->index);
    }
}

// The vector is not taken from its source. The source is brought up to date, since what is out of date has followers
// that are, too.
static void keep_own(st_data *data) {
    if (data->dirty) st_pull_index(data->source, data->source_field);
    data->dirty = false;
}

// After a step, links from the vectors of states have something new to deliver. A state that the step has moved, too,
// has taken up what it is linked to while it was moved, and keeps its own.
void st_touch_states(st_scene *scene) {
    st_find_live(scene);
    take_late_links(scene);

    // what follows a state that the step has moved
    for (size_t i = 0; i < scene->moving.count; i++) {
        const st_live_field *live = &scene->moving.data[i];
        if (st_live_data(live)->children.count) st_touch_index(live->object, live->index);
    }

    // moved states keep what they have taken up
    for (size_t i = 0; i < scene->moving.count; i++) {
        const st_live_field *live = &scene->moving.data[i];
        if (st_live_data(live)->source && is_moved(live)) keep_own(st_live_data(live));
    }
}
