// CSVMonitor: what chosen points do over time, as a table that every spreadsheet and plotting program reads.
//
//     time,x0,y0,z0,vx0,vy0,vz0,x7,...
//
// A row at the beginning of the scene and after every few steps. The file is put in place when the scene ends.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "io/frame_file.h"
#include "settee/plugin/change.h"
#include "state/find_state.h"

typedef struct csv_monitor {
    st_object object;
    char *filename;
    st_uints indices;
    bool positions, velocities, forces;
    uint32_t period;
    st_state *state;
    st_frame_writer writer;
    st_text row;
    uint32_t steps;
} csv_monitor;

static const st_field fields[] = {
    ST_FIELD(csv_monitor, filename, "filename", st_type_string, NULL, "the file; name.csv when not given"),
    ST_FIELD(csv_monitor, indices, "indices", st_type_indices, "0", "the points", .mesh = ST_STAYING_INDICES),
    ST_FIELD(csv_monitor, positions, "positions", st_type_bool, "1", "write positions"),
    ST_FIELD(csv_monitor, velocities, "velocities", st_type_bool, "0", "write velocities"),
    ST_FIELD(csv_monitor, forces, "forces", st_type_bool, "0", "write forces"),
    ST_FIELD(csv_monitor, period, "exportEveryNumberOfSteps", st_type_uint, "1", "steps between two rows"),
    ST_FIELDS_END,
};

static bool csv_monitor_accepts(st_object *object) { return st_accept_state(object, "", NULL); }

static st_status csv_monitor_init(st_object *object) {
    csv_monitor *self = (csv_monitor *)object;
    self->state = st_matching_state(object, NULL);
    if (!self->state) return st_invalid(object, "there is no mechanical state in its node or above");

    if (self->period == 0) return st_invalid(object, "exportEveryNumberOfSteps is 0: nothing is written");

    // a point that does not exist is found now, not in the middle of a run
    for (size_t i = 0; i < self->indices.count; i++)
        if (self->indices.data[i] >= self->state->size)
            return st_invalid(object, "indices[%zu] is %u: the state has %zu points", i, self->indices.data[i],
                              self->state->size);
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// The table
// ---------------------------------------------------------------------------------------------------

static const char *const axes[7] = {"x", "y", "z", "qx", "qy", "qz", "qw"};
static const char *const rates[6] = {"x", "y", "z", "rx", "ry", "rz"};

static bool put_titles(csv_monitor *self, const char *prefix, const char *const *names, size_t width, uint32_t point) {
    bool ok = true;
    for (size_t k = 0; ok && k < width; k++) ok = st_text_appendf(&self->row, ",%s%s%u", prefix, names[k], point);
    return ok;
}

static bool put_header(csv_monitor *self) {
    const st_dof *dof = st_state_dof(self->state);
    bool ok = st_text_append(&self->row, "time");

    for (size_t i = 0; ok && i < self->indices.count; i++) {
        // positions, velocities and forces of one point stay together
        const uint32_t point = self->indices.data[i];
        if (self->positions) ok = put_titles(self, "", dof->coord == 6 ? rates : axes, dof->coord, point);
        if (ok && self->velocities) ok = put_titles(self, "v", rates, dof->deriv, point);
        if (ok && self->forces) ok = put_titles(self, "f", rates, dof->deriv, point);
    }

    return ok && st_text_append_char(&self->row, '\n');
}

// A vector that does not exist (no force was computed yet) counts as zero. Columns of a point that has left its mesh are
// empty.
static bool put_values(csv_monitor *self, const st_reals *list, size_t width, uint32_t point) {
    bool ok = true;
    for (size_t k = 0; ok && k < width; k++) {
        ok = st_text_append_char(&self->row, ',');
        if (!ok || point == ST_INVALID_INDEX) continue;
        ok = st_text_append_real(&self->row, point < list->count ? list->data[point * width + k] : 0,
                                 ST_TEXT_EXACT_DIGITS);
    }
    return ok;
}

static bool put_row(csv_monitor *self) {
    const st_state *s = self->state;
    const st_dof *dof = st_state_dof(s);
    bool ok = st_text_append_real(&self->row, self->object.node->time, ST_TEXT_EXACT_DIGITS);

    for (size_t i = 0; ok && i < self->indices.count; i++) {
        const uint32_t point = self->indices.data[i];
        if (self->positions) ok = put_values(self, &s->coord[ST_COORD_POSITION], dof->coord, point);
        if (ok && self->velocities) ok = put_values(self, &s->deriv[ST_DERIV_VELOCITY], dof->deriv, point);
        if (ok && self->forces) ok = put_values(self, &s->deriv[ST_DERIV_FORCE], dof->deriv, point);
    }

    return ok && st_text_append_char(&self->row, '\n');
}

static void csv_monitor_write_row(csv_monitor *self) {
    const bool first = !self->writer.open && !self->writer.failed;

    // the file is opened with the first row and stays open
    char *own = self->filename && *self->filename ? NULL : st_string_format("%s.csv", self->object.name);
    const bool open = st_frame_writer_open(&self->writer, &self->object, own ? own : self->filename);
    st_free(own);
    if (!open) return;

    // titles above the first row
    st_text_clear(&self->row);
    if ((!first || put_header(self)) && put_row(self))
        st_frame_writer_put(&self->writer, &self->object, self->row.data, self->row.length);
    else st_output_failed(&self->object, self->filename, "out of memory");
}

static void csv_monitor_event(st_object *object, st_event *event_) {
    csv_monitor *self = (csv_monitor *)object;
    if (event_->kind == ST_EVENT_SCENE_END) st_frame_writer_close(&self->writer, object);

    if (!st_output_is_on(object)) return;

    // the state at the start, then after every `period` steps
    if (event_->kind == ST_EVENT_ANIMATE_BEGIN && self->steps == 0) csv_monitor_write_row(self);
    if (event_->kind == ST_EVENT_ANIMATE_END && ++self->steps % self->period == 0) csv_monitor_write_row(self);
}

static void csv_monitor_reset(st_object *object) {
    csv_monitor *self = (csv_monitor *)object;
    st_frame_writer_abandon(&self->writer);
    self->steps = 0;
}

static void csv_monitor_destroy(st_object *object) {
    csv_monitor *self = (csv_monitor *)object;
    st_frame_writer_abandon(&self->writer);
    st_text_free(&self->row);
}

const st_class st_csv_monitor_class = {
    .name = "CSVMonitor",
    .help = "writes positions, velocities and forces of chosen points over time into a table",
    .kind = "recorder",
    .parent = &st_object_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .fields = fields,
    .size = sizeof(csv_monitor),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0\"/>\n"
               "<CSVMonitor filename=\"points.csv\" indices=\"1\" velocities=\"1\"/>",
    .flags = ST_CLASS_LISTENING | ST_CLASS_FOLLOWS_MESH,
    .accepts = csv_monitor_accepts,
    .init = csv_monitor_init,
    .reset = csv_monitor_reset,
    .event = csv_monitor_event,
    .destroy = csv_monitor_destroy,
};
