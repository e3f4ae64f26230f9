// WriteState: positions, and on request velocities, rest positions and forces of the node's state at chosen times, in a
// text file that ReadState and CompareState read.
//
// It acts at the beginning of a step. The file is put in place when the scene ends.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "io/frame_file.h"
#include "math/real.h"
#include "settee/plugin/change.h"
#include "settee/plugin/physics.h"

typedef struct write_state {
    st_object object;
    char *filename;
    bool x, x0, v, f;
    st_schedule schedule;
    st_uints dofs_x, dofs_v;
    st_real stop_at, energy_period;
    int32_t digits;
    st_state *state;
    st_frame_writer writer;
    st_text frame;
    bool stopped;
    st_real last_energy, energy_time;
} write_state;

static const st_field fields[] = {
    ST_FIELD(write_state, filename, "filename", st_type_string, NULL, "the file; compressed when it ends in .gz"),
    ST_FIELD(write_state, x, "writeX", st_type_bool, "1", "write positions"),
    ST_FIELD(write_state, x0, "writeX0", st_type_bool, "0", "write rest positions"),
    ST_FIELD(write_state, v, "writeV", st_type_bool, "0", "write velocities"),
    ST_FIELD(write_state, f, "writeF", st_type_bool, "0", "write forces"),
    ST_FIELD(write_state, schedule.times, "time", st_type_reals, NULL,
             "times at which it writes; of a period, its start"),
    ST_FIELD(write_state, schedule.period, "period", st_type_real, "0",
             "time between two frames; every step when there is neither a period nor a time"),
    ST_FIELD(write_state, dofs_x, "DOFsX", st_type_indices, NULL, "points whose positions are written",
             .flags = ST_FIELD_NO_EFFECT, .mesh = ST_NO_INDEX),
    ST_FIELD(write_state, dofs_v, "DOFsV", st_type_indices, NULL, "points whose velocities are written",
             .flags = ST_FIELD_NO_EFFECT, .mesh = ST_NO_INDEX),
    ST_FIELD(write_state, stop_at, "stopAt", st_type_real, "0",
             "stop writing when the kinetic energy changes by less; 0: never"),
    ST_FIELD(write_state, energy_period, "keperiod", st_type_real, "0",
             "time between two checks of the kinetic energy"),
    ST_FIELD(write_state, digits, "digits", st_type_int, "6", "significant digits of the numbers; 17 keep every bit"),
    ST_FIELDS_END,
};

static st_status write_state_init(st_object *object) {
    write_state *self = (write_state *)object;
    self->state = (st_state *)st_find_slot(object->node, ST_ROLE(state));

    if (!self->filename || !*self->filename) return st_invalid(object, "no filename is given: nothing is written");
    if (self->digits < 1 || self->digits > 17)
        return st_invalid(object, "digits is %d: 1 to 17 are possible", self->digits);

    if (self->stop_at != 0 && !st_find(object->node, ST_ROLE(mass), ST_LOCAL))
        return st_invalid(object, "stopAt needs a mass in its node");

    st_schedule_init(&self->schedule, object, object->node->dt);
    return ST_OK;
}

static bool put_vector(write_state *self, const char *name, const st_reals *list, size_t width) {
    const size_t count = list->count * width;
    bool ok = st_text_append(&self->frame, name);

    for (size_t i = 0; ok && i < count; i++)
        ok = (i == 0 || st_text_append_char(&self->frame, ' ')) &&
             st_text_append_real(&self->frame, list->data[i], self->digits);

    return ok && st_text_append_char(&self->frame, '\n');
}

// A whole frame or nothing.
static void write_frame(write_state *self) {
    const st_state *state = self->state;
    const size_t coord = st_state_dof(state)->coord, deriv = st_state_dof(state)->deriv;

    // the file is opened with the first frame
    if (!st_frame_writer_open(&self->writer, &self->object, self->filename)) return;

    st_text_clear(&self->frame);
    const bool ok = st_text_append(&self->frame, "T= ") &&
                    st_text_append_real(&self->frame, self->object.node->time, self->digits) &&
                    st_text_append_char(&self->frame, '\n') &&
                    (!self->x || put_vector(self, "  X= ", &state->coord[ST_COORD_POSITION], coord)) &&
                    (!self->x0 || put_vector(self, "  X0= ", &state->coord[ST_COORD_REST], coord)) &&
                    (!self->v || put_vector(self, "  V= ", &state->deriv[ST_DERIV_VELOCITY], deriv)) &&
                    (!self->f || put_vector(self, "  F= ", &state->deriv[ST_DERIV_FORCE], deriv));

    if (ok) st_frame_writer_put(&self->writer, &self->object, self->frame.data, self->frame.length);
    else st_output_failed(&self->object, self->filename, "out of memory");
}

static void check_energy(write_state *self, st_real time) {
    st_mass *mass = (st_mass *)st_find(self->object.node, ST_ROLE(mass), ST_LOCAL);

    if (self->stop_at == 0 || !mass || !mass->force.object.type->mass->kinetic) return;
    if (time < self->energy_time + self->energy_period) return;

    // the energy has come to rest when it changes by less than stopAt from one check to the next
    const st_params params = st_default_params();
    const st_real energy = mass->force.object.type->mass->kinetic(mass, &params);
    self->stopped = self->energy_time > 0 && fabs(energy - self->last_energy) < self->stop_at;

    self->last_energy = energy;
    self->energy_time = time;
}

static void write_state_event(st_object *object, st_event *event_) {
    write_state *self = (write_state *)object;
    if (event_->kind == ST_EVENT_SCENE_END) st_frame_writer_close(&self->writer, object);

    // a frame shows the state before the step
    if (event_->kind != ST_EVENT_ANIMATE_BEGIN || self->stopped || !st_output_is_on(object)) return;

    const st_real dt = event_->dt > 0 ? event_->dt : object->node->dt;
    if (st_schedule_is_due(&self->schedule, object->node->time, dt)) write_frame(self);
    check_energy(self, object->node->time);
}

static void write_state_reset(st_object *object) {
    write_state *self = (write_state *)object;
    st_frame_writer_abandon(&self->writer);
    st_schedule_restart(&self->schedule);

    self->stopped = false;
    self->energy_time = self->last_energy = 0;
}

static void write_state_destroy(st_object *object) {
    write_state *self = (write_state *)object;
    st_frame_writer_abandon(&self->writer);
    st_text_free(&self->frame);
}

const st_class st_write_state_class = {
    .name = "WriteState",
    .help = "writes a state at chosen times into a text file",
    .kind = "recorder",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(write_state),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0\"/>\n"
               "<WriteState filename=\"state.txt\" period=\"0.1\" writeV=\"1\"/>",
    .flags = ST_CLASS_LISTENING,
    .accepts = st_frames_accept_state,
    .init = write_state_init,
    .reset = write_state_reset,
    .event = write_state_event,
    .destroy = write_state_destroy,
};
