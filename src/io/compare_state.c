// CompareState: how far the node's state is from a file that WriteState wrote.
//
// At the beginning of each step, for each vector of the frames reached since the last one (t + shift + 0.001 dt), the
// error is the mean of |reference - current| over the scalars, where current is rounded to the six digits of the file.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "io/state_frames.h"
#include "math/real.h"

typedef struct compare_state {
    st_read_state read;
    st_real total, by_dof;
    uint32_t frames;
} compare_state;

static const st_field fields[] = {
    ST_FIELD(compare_state, total, "totalError", st_type_real, "0", "sum of the errors of all vectors compared",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(compare_state, by_dof, "dofError", st_type_real, "0", "the same, each divided by the number of points",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

// A number as the file has it.
static st_real rounded(st_real value) {
    char text[40];
    st_text_write_real(text, sizeof text, value, 6);
    return (st_real)strtod(text, NULL);
}

static void compare_state_compare(compare_state *self, const st_reals *reference, const st_reals *list, size_t width) {
    const size_t have = list->count * width, count = have < reference->count ? have : reference->count;
    st_real sum = 0;
    for (size_t i = 0; i < count; i++) sum += fabs(reference->data[i] - rounded(list->data[i]));

    const st_real error = count ? sum / (st_real)count : 0;
    self->total += error;
    if (self->read.state->size) self->by_dof += error / (st_real)self->read.state->size;
}

static void line_read(st_read_state *read) {
    compare_state *self = (compare_state *)read;
    const st_state *state = read->state;

    // a frame counts when its positions come
    if (read->frames.has_x) {
        compare_state_compare(self, &read->frames.x, &state->coord[ST_COORD_POSITION], st_state_dof(state)->coord);
        self->frames++;
    }

    if (read->frames.has_v)
        compare_state_compare(self, &read->frames.v, &state->deriv[ST_DERIV_VELOCITY], st_state_dof(state)->deriv);

    read->frames.has_x = read->frames.has_v = false;
}

static void compare_state_event(st_object *object, st_event *e) {
    compare_state *self = (compare_state *)object;
    if (e->kind == ST_EVENT_SCENE_END)
        st_message(object, ST_INFO, "%u frames compared: error %g, by DOF %g", self->frames, (double)self->total,
                   (double)self->by_dof);
    if (e->kind != ST_EVENT_ANIMATE_BEGIN) return;

    // 0.001 dt of slack: times in the file are rounded
    const st_real dt = e->dt > 0 ? e->dt : object->node->dt;
    if (!st_read_state_until(&self->read, object->node->time + self->read.player.shift + ST_R(0.001) * dt, line_read))
        return;

    st_touch(object, &self->total);
    st_touch(object, &self->by_dof);
}

static st_status compare_state_bwd_init(st_object *object) {
    (void)object; // unlike ReadState, it does not touch the state
    return ST_OK;
}

static void compare_state_reset(st_object *object) {
    compare_state *self = (compare_state *)object;
    self->total = self->by_dof = 0;
    self->frames = 0;
    st_frame_player_restart(&self->read.player);
}

const st_class st_compare_state_class = {
    .name = "CompareState",
    .help = "compares a state with a file that WriteState wrote",
    .parent = &st_read_state_class,
    .fields = fields,
    .size = sizeof(compare_state),
    .example = "<MechanicalObject position=\"0 0 0\"/>\n<CompareState filename=\"state.txt\"/>",
    .flags = ST_CLASS_LISTENING,
    .bwd_init = compare_state_bwd_init,
    .reset = compare_state_reset,
    .event = compare_state_event,
};
