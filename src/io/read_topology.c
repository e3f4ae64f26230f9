// ReadTopology: sets the elements of a topology from a file that WriteTopology wrote.
//
// At init and at the beginning of each step the last frame whose time is not after t + shift (+ 1e-8) counts. A frame
// that names points which the topology does not have is refused as a whole.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "io/topology_frames.h"
#include "math/real.h"
#include "plan/edits.h"
#include "scene/scene.h"

static const st_field fields[] = {
    ST_FRAME_PLAYER_FIELDS(st_read_topology),
    ST_FIELD(st_read_topology, topology, "topology", st_type_link, NULL, "the topology; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------

static st_status read_topology_init(st_object *object) {
    st_read_topology *self = (st_read_topology *)object;
    if (!self->topology) self->topology = st_find(object->node, ST_ROLE(topology), ST_UP);

    if (!self->topology) return st_invalid(object, "there is no topology in its node or above");
    st_topology_frames_clear(&self->frames);
    return st_frame_player_open(&self->player, object);
}

void st_read_topology_restart(st_read_topology *self) {
    st_topology_frames_clear(&self->frames);
    st_frame_player_restart(&self->player);
}

bool st_read_topology_until(st_read_topology *self, st_real target) {
    const char *line;
    size_t length = 0;

    while ((line = st_frame_player_line(&self->player, target, &length)))
        if (st_topology_frames_line(&self->frames, line, length))
            st_frame_player_frame(&self->player, self->frames.time);

    if (self->player.ended) st_topology_frames_end(&self->frames);
    st_frame_player_report(&self->player, &self->object, self->frames.bad,
                           "is damaged: a list does not have the length that its header says; its frame is not used");

    for (int kind = 0; kind < ST_FRAME_KINDS; kind++)
        if (self->frames.read[kind]) return true;
    return false;
}

// ---------------------------------------------------------------------------------------------------
// Setting the topology
// ---------------------------------------------------------------------------------------------------

static bool read_topology_fits(const st_read_topology *self, int kind) {
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

static void read_topology_set(st_read_topology *self, int kind) {
    st_topology *topology = (st_topology *)self->topology;
    const size_t size = st_element_size[kind];
    const st_uints *indices = &self->frames.indices[kind];

    // a list that stays the same does not touch what depends on it
    if (is_same(st_topology_elements(topology, (st_element)kind), indices, size)) return;
    st_uints *list = &topology->elements[kind];
    if (!st_list_set_count(list, indices->count / size, size)) {
        st_message(&self->object, ST_ERROR, "out of memory: %zu indices", indices->count);
        return;
    }

    // the elements are given now, no longer derived from others
    st_copy_bytes(list->data, indices->data, indices->count * sizeof *indices->data);
    topology->derived[kind] = false;
    st_topology_invalidate(topology);
    st_touch(&topology->object, list);

    // whoever holds data on the mesh is initialized again
    st_scene *scene = self->object.scene;
    if (scene->initialized && !st_list_push(&scene->edited, &topology->object))
        st_message(&self->object, ST_ERROR, "out of memory: components do not follow the mesh");
}

static void read_and_set(st_read_topology *self) {
    if (!st_read_topology_until(self, self->object.node->time + self->player.shift + ST_R(1e-8))) return;

    // all lists of the frame, or none
    bool sound = true;
    for (int kind = 0; kind < ST_FRAME_KINDS; kind++)
        sound = sound && (!self->frames.read[kind] || read_topology_fits(self, kind));

    for (int kind = 0; sound && kind < ST_FRAME_KINDS; kind++)
        if (self->frames.read[kind]) read_topology_set(self, kind);

    st_topology_frames_clear(&self->frames);
}

static st_status read_topology_bwd_init(st_object *object) {
    read_and_set((st_read_topology *)object);
    return ST_OK;
}

static void read_topology_event(st_object *object, st_event *event_) {
    if (event_->kind != ST_EVENT_ANIMATE_BEGIN) return;
    read_and_set((st_read_topology *)object);
    st_finish_edits(object->scene);
}

static void read_topology_reset(st_object *object) {
    st_read_topology *self = (st_read_topology *)object;
    if (!st_is_valid(object) || !self->player.reader.stream) return;
    st_read_topology_restart(self);
    read_and_set(self);
    st_finish_edits(object->scene);
}

static void read_topology_destroy(st_object *object) {
    st_read_topology *self = (st_read_topology *)object;
    st_frame_player_close(&self->player);
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
    .init = read_topology_init,
    .bwd_init = read_topology_bwd_init,
    .reset = read_topology_reset,
    .event = read_topology_event,
    .destroy = read_topology_destroy,
};
