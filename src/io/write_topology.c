// WriteTopology: the elements of a topology at chosen times, in a text file that ReadTopology and CompareTopology read.
//
// It acts at the beginning of a step. The file is put in place when the scene ends.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/topology_frames.h"

typedef struct write_topology {
    st_object object;
    char *filename;
    bool containers, shells;
    st_real interval;
    st_schedule schedule;
    st_object *topology;
    st_frame_writer writer;
    st_text frame;
} write_topology;

static const st_field fields[] = {
    ST_FIELD(write_topology, filename, "filename", st_type_string, NULL, "the file; compressed when it ends in .gz"),
    ST_FIELD(write_topology, containers, "writeContainers", st_type_bool, "1", "write the elements"),
    ST_FIELD(write_topology, shells, "writeShellContainers", st_type_bool, "0", "write neighborhoods",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(write_topology, interval, "interval", st_type_real, "0", "time between frames",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(write_topology, schedule.times, "time", st_type_reals, NULL,
             "times at which it writes; of a period, its start"),
    ST_FIELD(write_topology, schedule.period, "period", st_type_real, "0",
             "time between two frames; every step when there is neither a period nor a time"),
    ST_FIELD(write_topology, topology, "topology", st_type_link, NULL, "the topology; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

static st_status write_topology_init(st_object *object) {
    write_topology *self = (write_topology *)object;
    if (!self->topology) self->topology = st_find(object->node, ST_ROLE(topology), ST_UP);
    if (!self->topology) return st_invalid(object, "there is no topology in its node or above: nothing is written");

    if (!self->filename || !*self->filename) return st_invalid(object, "no filename is given: nothing is written");

    st_schedule_init(&self->schedule, object, object->node->dt);
    return ST_OK;
}

static bool put_elements(write_topology *self, int kind) {
    const st_uints *list = st_topology_elements((st_topology *)self->topology, (st_element)kind);
    const size_t words = list->count * st_element_size[kind];

    // a header with the count, then the vertices on a line
    bool ok = st_text_appendf(&self->frame, "  %s= %zu\n", st_frame_kind_names[kind], list->count);
    for (size_t i = 0; ok && i < words; i++) ok = st_text_appendf(&self->frame, i ? " %u" : "%u", list->data[i]);

    return ok && st_text_append_char(&self->frame, '\n');
}

static void write_frame(write_topology *self) {
    if (!st_frame_writer_open(&self->writer, &self->object, self->filename)) return;

    st_text_clear(&self->frame);
    bool ok = st_text_append(&self->frame, "T= ") && st_text_append_real(&self->frame, self->object.node->time, 6) &&
              st_text_append_char(&self->frame, '\n');
    for (int kind = 0; self->containers && ok && kind < ST_FRAME_KINDS; kind++) ok = put_elements(self, kind);

    if (ok) st_frame_writer_put(&self->writer, &self->object, self->frame.data, self->frame.length);
    else st_output_failed(&self->object, self->filename, "out of memory");
}

static void write_topology_event(st_object *object, st_event *event_) {
    write_topology *self = (write_topology *)object;
    if (event_->kind == ST_EVENT_SCENE_END) st_frame_writer_close(&self->writer, object);

    // a frame shows the topology before the step
    if (event_->kind != ST_EVENT_ANIMATE_BEGIN || !st_output_is_on(object)) return;

    const st_real dt = event_->dt > 0 ? event_->dt : object->node->dt;
    if (st_schedule_is_due(&self->schedule, object->node->time, dt)) write_frame(self);
}

static void write_topology_reset(st_object *object) {
    write_topology *self = (write_topology *)object;
    st_frame_writer_abandon(&self->writer);
    st_schedule_restart(&self->schedule);
}

static void write_topology_destroy(st_object *object) {
    write_topology *self = (write_topology *)object;
    st_frame_writer_abandon(&self->writer);
    st_text_free(&self->frame);
}

const st_class st_write_topology_class = {
    .name = "WriteTopology",
    .help = "writes the elements of a topology at chosen times into a text file",
    .kind = "recorder",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(write_topology),
    .example = "<MeshTopology position=\"0 0 0  1 0 0  0 1 0\" triangles=\"0 1 2\"/>\n"
               "<WriteTopology filename=\"topology.txt\"/>",
    .flags = ST_CLASS_LISTENING,
    .init = write_topology_init,
    .reset = write_topology_reset,
    .event = write_topology_event,
    .destroy = write_topology_destroy,
};
