// ReadState: sets positions and velocities of the node's state from a file that WriteState wrote.
//
// At init and at the beginning of each step, with target = t + shift, every line whose time is not after the target is
// read; the last frame counts. Positions are then scaled, turned (Euler angles in degrees) and moved; the state gets as
// many points as the frame has; constraints project it and mappings follow.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "io/state_frames.h"
#include "math/rigid.h"
#include "plan/plan.h"
#include "scene/scene.h"
#include "state/state_links.h"

static const st_field fields[] = {
    ST_FRAME_PLAYER_FIELDS(st_read_state),
    ST_FIELD(st_read_state, scale, "scalePos", st_type_real, "1", "factor on positions"),
    ST_FIELD(st_read_state, rotation, "rotation", st_type_vec3, "0 0 0", "turn of positions, in degrees"),
    ST_FIELD(st_read_state, translation, "translation", st_type_vec3, "0 0 0", "added to positions"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------

static st_status read_state_init(st_object *object) {
    st_read_state *self = (st_read_state *)object;
    self->state = (st_state *)st_find_slot(object->node, ST_ROLE(state));
    return st_frame_player_open(&self->player, object);
}

bool st_read_state_until(st_read_state *self, st_real target, void (*line_read)(st_read_state *)) {
    const char *line;
    size_t length = 0;
    bool any = false;

    // a line is either the time of a frame or one of its vectors
    while ((line = st_frame_player_line(&self->player, target, &length))) {
        if (st_state_frames_line(&self->frames, line, length)) st_frame_player_frame(&self->player, self->frames.time);
        else if (self->frames.has_x || self->frames.has_v) {
            any = true;
            if (line_read) line_read(self);
        }
    }

    st_frame_player_report(&self->player, &self->object, self->frames.bad,
                           "holds something that is no number, or is damaged");
    return any;
}

// ---------------------------------------------------------------------------------------------------
// Setting the state
// ---------------------------------------------------------------------------------------------------

static void read_state_place(const st_read_state *self, st_real *x) {
    const st_dof *dof = st_state_dof(self->state);
    const st_real degree = ST_PI / 180;
    const st_real angles[3] = {self->rotation[0] * degree, self->rotation[1] * degree, self->rotation[2] * degree};

    // x' = R (scale x) + translation; the orientation of a frame turns as well
    for (size_t k = 0; k < dof->spatial; k++) x[k] *= self->scale;

    if (dof->spatial == 3 && (angles[0] != 0 || angles[1] != 0 || angles[2] != 0)) {
        st_real q[4];
        st_quat_from_euler(q, angles);
        st_quat_rotate(x, q, x);
        if (dof->coord == 7) st_quat_multiply(x + 3, q, x + 3);
    }

    for (size_t k = 0; k < dof->spatial; k++) x[k] += self->translation[k];
}

static void set_positions(st_read_state *self) {
    const size_t width = st_state_dof(self->state)->coord, count = self->frames.x.count / width;
    if (count != self->state->size && st_state_resize(self->state, count) != ST_OK) {
        st_message(&self->object, ST_ERROR, "out of memory: %zu points", count);
        return;
    }

    st_real *x = self->state->coord[ST_COORD_POSITION].data;
    st_copy_reals(x, self->frames.x.data, count * width);
    for (size_t i = 0; i < count; i++) read_state_place(self, x + i * width);
}

static void set_velocities(st_read_state *self) {
    const size_t width = st_state_dof(self->state)->deriv, count = self->frames.v.count / width;

    // a state may have no velocities yet
    if (!st_state_make_deriv(self->state, ST_VELOCITY)) return;

    const size_t used = count < self->state->size ? count : self->state->size;
    st_copy_reals(self->state->deriv[ST_DERIV_VELOCITY].data, self->frames.v.data, used * width);
}

static void read_and_set(st_read_state *self) {
    // the last frame that is due counts
    const st_real target = self->object.node->time + self->player.shift;
    if (!st_read_state_until(self, target, NULL)) return;

    if (self->frames.has_x) set_positions(self);
    if (self->frames.has_v) set_velocities(self);
    self->frames.has_x = self->frames.has_v = false;

    // constraints project the new state, and mappings follow it
    st_settle(self->object.node);
    st_touch_states(self->object.scene);
}

static st_status read_state_bwd_init(st_object *object) {
    read_and_set((st_read_state *)object);
    return ST_OK;
}

static void read_state_event(st_object *object, st_event *event_) {
    if (event_->kind == ST_EVENT_ANIMATE_BEGIN) read_and_set((st_read_state *)object);
}

static void read_state_reset(st_object *object) {
    st_read_state *self = (st_read_state *)object;
    st_frame_player_restart(&self->player);
    if (st_is_valid(object) && self->state) read_and_set(self);
}

static void read_state_destroy(st_object *object) {
    st_read_state *self = (st_read_state *)object;
    st_frame_player_close(&self->player);
    st_state_frames_free(&self->frames);
}

const st_class st_read_state_class = {
    .name = "ReadState",
    .help = "sets a state from a file that WriteState wrote",
    .kind = "recorder",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_read_state),
    .example = "<MechanicalObject position=\"0 0 0\"/>\n<ReadState filename=\"state.txt\"/>",
    .flags = ST_CLASS_LISTENING,
    .accepts = st_frames_accept_state,
    .init = read_state_init,
    .bwd_init = read_state_bwd_init,
    .reset = read_state_reset,
    .event = read_state_event,
    .destroy = read_state_destroy,
};
