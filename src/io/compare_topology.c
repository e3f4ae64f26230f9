// CompareTopology: in how many elements a topology differs from a file that WriteTopology wrote.
//
// For each list of the last frame reached that is not empty: the difference of the counts where they differ, else the
// number of elements that are not the same, vertex by vertex.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/topology_frames.h"
#include "math/real.h"

typedef struct compare_topology {
    st_read_topology read;
    uint32_t total;
    uint32_t errors[ST_FRAME_KINDS];
} compare_topology;

static const st_field fields[] = {
    ST_FIELD(compare_topology, total, "totalError", st_type_uint, "0", "number of elements that differ",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

static uint32_t count_differences(const st_uints *list, const st_uints *reference, size_t size) {
    const size_t expected = reference->count / size;
    if (list->count != expected)
        return (uint32_t)(list->count > expected ? list->count - expected : expected - list->count);

    uint32_t different = 0;
    for (size_t i = 0; i < expected; i++) {
        bool same = true;
        for (size_t k = 0; k < size; k++) same = same && list->data[i * size + k] == reference->data[i * size + k];
        different += !same;
    }

    return different;
}

static void compare_topology_compare(compare_topology *self) {
    for (int kind = 0; kind < ST_FRAME_KINDS; kind++) {
        const st_uints *reference = &self->read.frames.indices[kind];

        // lists that the frame does not have, or has empty, are not compared
        if (!self->read.frames.read[kind] || reference->count == 0) continue;
        const uint32_t errors =
            count_differences(st_topology_elements((st_topology *)self->read.topology, (st_element)kind), reference,
                              st_element_size[kind]);

        self->errors[kind] += errors;
        self->total += errors;
    }

    st_topology_frames_clear(&self->read.frames);
    st_touch(&self->read.object, &self->total);
}

static void compare_topology_event(st_object *object, st_event *event_) {
    compare_topology *self = (compare_topology *)object;
    if (event_->kind == ST_EVENT_SCENE_END)
        st_message(object, ST_INFO, "%u elements differ: %u edges, %u triangles, %u quads, %u tetrahedra, %u hexahedra",
                   self->total, self->errors[0], self->errors[1], self->errors[2], self->errors[3], self->errors[4]);

    if (event_->kind != ST_EVENT_ANIMATE_BEGIN) return;

    // slack of one rounding: the time of the scene is a running sum
    const st_real target = object->node->time + self->read.player.shift;
    if (st_read_topology_until(&self->read, target + ST_REAL_EPSILON * (1 + fabs(target))))
        compare_topology_compare(self);
}

static st_status compare_topology_bwd_init(st_object *object) {
    (void)object; // unlike ReadTopology, it does not touch the topology
    return ST_OK;
}

static void compare_topology_reset(st_object *object) {
    compare_topology *self = (compare_topology *)object;
    st_read_topology_restart(&self->read);
    self->total = 0;
    for (int kind = 0; kind < ST_FRAME_KINDS; kind++) self->errors[kind] = 0;
}

const st_class st_compare_topology_class = {
    .name = "CompareTopology",
    .help = "compares a topology with a file that WriteTopology wrote",
    .parent = &st_read_topology_class,
    .fields = fields,
    .size = sizeof(compare_topology),
    .example = "<MeshTopology position=\"0 0 0  1 0 0  0 1 0\" triangles=\"0 1 2\"/>\n"
               "<CompareTopology filename=\"topology.txt\"/>",
    .flags = ST_CLASS_LISTENING,
    .bwd_init = compare_topology_bwd_init,
    .reset = compare_topology_reset,
    .event = compare_topology_event,
};
