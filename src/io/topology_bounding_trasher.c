// TopologyBoundingTrasher: removes elements that leave a box.
//
// At the end of each step every element of the largest kind of the mesh goes whose mean of vertices lies outside of the box
// along some axis, with the edges, faces and points that get isolated.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "plan/edits.h"
#include "topology/edit.h"
#include "topology/recipes.h"

typedef struct bounding_trasher {
    st_object object;
    st_reals position;
    st_real box[6];
    bool draw_box;
    st_object *topology;
    st_modifier *modifier;
} bounding_trasher;

static const st_field fields[] = {
    ST_FIELD(bounding_trasher, position, "position", st_type_vec3s, NULL,
             "positions of the points; those of the state when not given"),
    ST_FIELD(bounding_trasher, box, "box", st_type_vec6, "-1000 -1000 -1000 1000 1000 1000",
             "smallest x y z, then largest; what leaves it is removed"),
    ST_FIELD(bounding_trasher, draw_box, "drawBox", st_type_bool, "0", "draw the box",
             .flags = ST_FIELD_NO_EFFECT | ST_FIELD_DISPLAY),
    ST_FIELD(bounding_trasher, topology, "topology", st_type_link, NULL, "the mesh; that of the context when not given",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

static st_status bounding_trasher_init(st_object *object) {
    bounding_trasher *self = (bounding_trasher *)object;
    if (!self->topology) self->topology = (st_object *)st_context_topology(object->node, NULL);
    st_topology *topology = (st_topology *)self->topology;
    if (!topology) return st_invalid(object, "there is no mesh in its node or above");
    if (!st_is_changeable(topology)) return st_invalid(object, "the mesh %s cannot change", topology->object.name);

    // the modifier must be one of the elements that the mesh consists of
    const st_element kind = st_topology_type(topology);
    self->modifier = st_modifier_of(topology);
    if (kind != ST_ELEMENT_KINDS && self->modifier && st_modifier_kind(self->modifier) == kind) return ST_OK;
    return st_invalid(object, "there is no modifier for the elements of %s", topology->object.name);
}

// Present positions: the attribute, else the state of the node.
static const st_real *bounding_trasher_positions(bounding_trasher *self, size_t *count, size_t *width) {
    st_pull(&self->object);
    *width = 3;
    *count = self->position.count;
    if (*count) return self->position.data;

    const st_state *state = (const st_state *)st_find_slot(self->object.node, ST_ROLE(state));
    if (!state || st_state_dof(state)->spatial < 3) return NULL;
    *width = st_state_dof(state)->coord;
    *count = state->size;
    return state->coord[ST_COORD_POSITION].data;
}

static bool is_outside(const bounding_trasher *self, const st_real mean[3]) {
    for (int k = 0; k < 3; k++)
        if (mean[k] < self->box[k] || mean[k] > self->box[3 + k]) return true;
    return false;
}

static void bounding_trasher_event(st_object *object, st_event *event) {
    bounding_trasher *self = (bounding_trasher *)object;
    size_t count, width;
    if (event->kind != ST_EVENT_ANIMATE_END) return;
    const st_real *x = bounding_trasher_positions(self, &count, &width);

    const st_element kind = st_modifier_kind(self->modifier);
    const st_uints *elements = &((st_topology *)self->topology)->elements[kind];
    const size_t size = st_element_size[kind];
    st_uints out = {0};
    bool ok = true;

    // elements whose middle is outside
    for (size_t e = 0; x && ok && e < elements->count; e++) {
        st_real mean[3] = {0, 0, 0};
        for (size_t i = 0; i < size; i++) {
            const uint32_t v = elements->data[e * size + i];
            for (size_t k = 0; v < count && k < 3; k++) mean[k] += x[v * width + k] / (st_real)size;
        }
        if (is_outside(self, mean)) ok = st_list_push(&out, (uint32_t)e);
    }

    if (!ok) st_message(object, ST_ERROR, "out of memory: elements outside of the box");
    else if (out.count) st_edit_remove_items(self->modifier, out.data, out.count);
    st_list_free(&out);
    st_finish_edits(object->scene);
}

const st_class st_topology_bounding_trasher_class = {
    .name = "TopologyBoundingTrasher",
    .help = "removes elements that leave a box",
    .kind = "recorder",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(bounding_trasher),
    .example = "<TriangleSetTopologyContainer position=\"0 0 0  1 0 0  0 1 0  1 1 0\" triangles=\"0 1 2  1 3 2\"/>\n"
               "<TriangleSetTopologyModifier/><MechanicalObject/>\n"
               "<TopologyBoundingTrasher box=\"-1 -1 -1 2 2 2\"/>",
    .flags = ST_CLASS_LISTENING,
    .init = bounding_trasher_init,
    .event = bounding_trasher_event,
};
