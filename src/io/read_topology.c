// ReadTopology: sets the elements of a topology from a file that WriteTopology wrote.
//
// At init and at the beginning of each step the last frame whose time is not after t + shift (+ 1e-8) counts. A frame
// that names points which the topology does not have is refused as a whole.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "io/topology_frames.h"
#include "math/real.h"

static const st_field fields[] = {
    ST_FIELD(st_read_topology, filename, "filename", st_type_file, NULL, "the file; it may be compressed by gzip"),
    ST_FIELD(st_read_topology, interval, "interval", st_type_real, "0", "time between frames",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_read_topology, shift, "shift", st_type_real, "0", "added to the time of the scene"),
    ST_FIELD(st_read_topology, loop, "loop", st_type_bool, "0", "begin again at the end of the file"),
    ST_FIELD(st_read_topology, topology, "topology", st_type_link, NULL, "the topology; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------

static st_status init(st_object *object) {
    st_read_topology *self = (st_read_topology *)object;
    if (!self->topology) self->topology = st_find(object->node, ST_ROLE(topology), ST_UP);
    if (!self->topology) return st_invalid(object, "there is no topology in its node or above");
    st_frame_reader_close(&self->reader);
    st_read_topology_restart(self);
    if (!self->filename || !*self->filename) return st_invalid(object, "no filename is given");
    if (!st_frame_reader_open(&self->reader, self->filename))
        return st_invalid(object, "the file %s cannot be read", self->filename);
    return ST_OK;
}

void st_read_topology_restart(st_read_topology *self) {
    self->next = self->offset = 0;
    self->ended = self->told = false;
    st_topology_frames_clear(&self->frames);
    if (self->reader.stream) st_frame_reader_rewind(&self->reader);
}

static bool begin_again(st_read_topology *self, size_t lines, st_real target) {
    self->ended = true;
    if (!self->loop || lines == 0 || self->reader.broken) return false;
    const st_real offset = st_frame_loop_offset(self->offset, self->next, target);
    if (!(offset > self->offset)) return false;
    self->offset = offset;
    self->ended = false;
    st_frame_reader_rewind(&self->reader);
    return true;
}

bool st_read_topology_until(st_read_topology *self, st_real target) {
    size_t lines = 0;
    while (!self->ended && self->next <= target) {
        size_t length = 0;
        const char *line = st_frame_reader_line(&self->reader, &length);
        if (!line && !begin_again(self, lines, target)) break;
        if (!line) {
            lines = 0;
            continue;
        }
        lines++;
        if (st_topology_frames_line(&self->frames, line, length)) self->next = self->frames.time + self->offset;
    }
    if (self->ended) st_topology_frames_end(&self->frames);
    if ((self->frames.bad || self->reader.broken) && !self->told) {
        st_message(&self->object, ST_ERROR,
                   "%s is damaged: a list does not have the length that it tells; its frame is not used",
                   self->filename);
        self->told = true;
    }
    for (int kind = 0; kind < ST_FRAME_KINDS; kind++)
        if (self->frames.read[kind]) return true;
    return false;
}

// ---------------------------------------------------------------------------------------------------
// Setting the topology
// ---------------------------------------------------------------------------------------------------

static bool fits(const st_read_topology *self, int kind) {
    const size_t points = st_topology_points((const st_topology *)self->topology);
    const st_uints *list = &self->frames.indices[kind];
    for (size_t i = 0; i < list->count; i++) {
        if (list->data[i] < points) continue;
        st_message(&self->object, ST_ERROR, "%s of the file name the point %u of %zu: the frame is not used",
                   st_frame_kind_names[kind], list->data[i], points);
        return false;
    }
    return true;
}

static bool is_same(const st_uints *list, const st_uints *indices, size_t size) {
    if (list->count * size != indices->count) return false;
    for (size_t i = 0; i < indices->count; i++)
        if (list->data[i] != indices->data[i]) return false;
    return true;
}

static void set(st_read_topology *self, int kind) {
    st_topology *topology = (st_topology *)self->topology;
    const size_t size = (size_t)st_element_size[kind];
    const st_uints *indices = &self->frames.indices[kind];
    if (is_same(st_topology_elements(topology, (st_element)kind), indices, size)) return;
    st_uints *list = &topology->elements[kind];
    if (!st_list_set_count(list, indices->count / size, size)) {
        st_message(&self->object, ST_ERROR, "out of memory: %zu indices", indices->count);
        return;
    }
    st_copy_bytes(list->data, indices->data, indices->count * sizeof *indices->data);
    topology->derived[kind] = false;
    st_topology_invalidate(topology);
    st_touch(&topology->object, list);
}

static void read_and_set(st_read_topology *self) {
    if (!st_read_topology_until(self, self->object.node->time + self->shift + ST_R(1e-8))) return;
    bool sound = true;
    for (int kind = 0; kind < ST_FRAME_KINDS; kind++) sound = sound && (!self->frames.read[kind] || fits(self, kind));
    for (int kind = 0; sound && kind < ST_FRAME_KINDS; kind++)
        if (self->frames.read[kind]) set(self, kind);
    st_topology_frames_clear(&self->frames);
}

static st_status bwd_init(st_object *object) {
    read_and_set((st_read_topology *)object);
    return ST_OK;
}

static void event(st_object *object, st_event *event_) {
    if (event_->kind == ST_EVENT_ANIMATE_BEGIN) read_and_set((st_read_topology *)object);
}

static void reset(st_object *object) {
    st_read_topology *self = (st_read_topology *)object;
    if (!st_is_valid(object) || !self->reader.stream) return;
    st_read_topology_restart(self);
    read_and_set(self);
}

static void destroy(st_object *object) {
    st_read_topology *self = (st_read_topology *)object;
    st_frame_reader_close(&self->reader);
    st_topology_frames_free(&self->frames);
}

const st_class st_read_topology_class = {
    .name = "ReadTopology",
    .help = "sets the elements of a topology from a file that WriteTopology wrote",
    .kind = "recorder",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_read_topology),
    .example = "<MeshTopology position=\"0 0 0  1 0 0  0 1 0\" triangles=\"0 1 2\"/>\n"
               "<ReadTopology filename=\"topology.txt\"/>",
    .flags = ST_CLASS_LISTENING,
    .init = init,
    .bwd_init = bwd_init,
    .reset = reset,
    .event = event,
    .destroy = destroy,
};
