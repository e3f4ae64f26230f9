// What every interpolation of beams has: edges of a mesh over frames, their lengths, and constant frames between DOFs and ends.
//
// SPDX-License-Identifier: Apache-2.0
#include "beam/beam_interpolation.h"
#include "settee/plugin/change.h"
#include "state/find_state.h"
#include "topology/topology.h"

static const st_field fields[] = {
    ST_FIELD(st_beams, state, "mstate", st_type_link, NULL,
             "the frames; those of the node, else the nearest upwards, when not given", .role = ST_ROLE(state)),
    ST_FIELD(st_beams, link, "topology", st_type_link, NULL,
             "the mesh whose edges are the beams; that of the context when not given", .role = ST_ROLE(topology)),
    ST_FIELD(st_beams, edge_list, "edgeList", st_type_indices, NULL,
             "the edges that are beams; all of them when not given", .mesh = ST_ROWS_OF_EDGES),
    ST_FIELD(st_beams, length_list, "lengthList", st_type_reals, NULL, "rest lengths; measured when not given",
             .mesh = ST_ROWS),
    ST_FIELD(st_beams, transform[0], "DOF0TransformNode0", st_type_coords, NULL,
             "frame of the first end of each beam in that of its DOF", .mesh = ST_ROWS),
    ST_FIELD(st_beams, transform[1], "DOF1TransformNode1", st_type_coords, NULL,
             "frame of the second end of each beam in that of its DOF", .mesh = ST_ROWS),
    ST_FIELD(st_beams, abscissas, "curvAbsList", st_type_vec2s, NULL,
             "where each beam of a wire begins and ends along it"),
    ST_FIELD(st_beams, collision, "beamCollision", st_type_indices, NULL, "beams that can collide",
             .flags = ST_FIELD_NO_EFFECT, .mesh = ST_NO_INDEX),
    ST_FIELD(st_beams, aligned, "dofsAndBeamsAligned", st_type_bool, "1",
             "ends are the DOFs themselves; 0: the frames DOF0TransformNode0 and DOF1TransformNode1 are between them"),
    ST_FIELDS_END,
};

static bool beams_accepts(st_object *object) {
    return st_accept_state(object, "mstate", st_attribute(object, "mstate"));
}

st_status st_beams_find(st_beams *self) {
    st_object *object = &self->object;
    self->state = st_matching_state(object, self->state);
    if (!self->state) return st_invalid(object, "there is no state of frames (Rigid3): it has no beams");

    self->topology = st_context_topology(self->link ? object->node : self->state->object.node, self->link);
    if (!self->topology) return st_invalid(object, "there is no mesh: it has no beams");
    return ST_OK;
}

bool st_beams_ends(const st_beams *self, size_t b, st_beam *beam) {
    const st_uints *edges = st_topology_elements(self->topology, ST_EDGE);
    if (b >= self->edge_list.count || self->edge_list.data[b] >= edges->count) return false;

    const uint32_t *edge = edges->data + 2 * (size_t)self->edge_list.data[b];
    if (edge[0] >= self->state->size || edge[1] >= self->state->size) return false;

    for (int k = 0; k < 2; k++) {
        const st_real zero[3] = {0, 0, 0}, identity[4] = {0, 0, 0, 1};
        const bool given = !self->aligned && b < self->transform[k].count;

        const st_real *g = given ? self->transform[k].data + 7 * b : NULL;
        beam->dof[k] = edge[k];
        beam->node[k] = st_beam_frame_make(g ? g : zero, g ? g + 3 : identity);
    }
    return true;
}

static const st_beams *self_of(const st_object *object) { return (const st_beams *)object; }

st_state *st_beam_interpolation_state(const st_object *object) {
    return st_is_valid(object) && self_of(object)->topology ? self_of(object)->state : NULL;
}

size_t st_beam_interpolation_count(const st_object *object) {
    return st_beam_interpolation_state(object) ? self_of(object)->edge_list.count : 0;
}

bool st_beam_interpolation_get(const st_object *object, size_t b, st_beam *beam) {
    const st_beams *self = self_of(object);
    if (b >= st_beam_interpolation_count(object) || !st_beams_ends(self, b, beam)) return false;

    beam->length = b < self->length_list.count ? self->length_list.data[b] : 0;
    self->complete(self, b, beam);
    return true;
}

const st_class st_beams_class = {
    .name = "BaseBeamInterpolation",
    .kind = "beams",
    .help = "what every interpolation of beams has",
    .parent = &st_object_class,
    .templates = "Rigid3",
    .fields = fields,
    .size = sizeof(st_beams),
    .flags = ST_CLASS_ABSTRACT,
    .accepts = beams_accepts,
};
