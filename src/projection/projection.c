// The base of projective constraints: filters on velocities and positions of the state of their node.
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/plugin/physics.h"
#include "state/find_state.h"

bool st_projection_active(const st_projection *projection) {
    return projection->end_time < 0 || projection->end_time > projection->object.node->time;
}

static bool projection_accepts(st_object *object) { return st_accept_state(object, "", NULL); }

static st_status projection_init(st_object *object) {
    st_projection *projection = (st_projection *)object;
    projection->state = NULL;
    return st_match_state(object, &projection->state);
}

static const st_field fields[] = {
    ST_FIELD(st_projection, end_time, "endTime", st_type_real, "-1",
             "active while the time is below it; always, when negative"),
    ST_FIELD(st_projection, group, "group", st_type_int, "0", "number of a group", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_projection, topology, "topology", st_type_link, NULL,
             "the mesh whose changes the indices follow; the context's when not given", .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

const st_class st_projection_class = {
    .name = "ProjectiveConstraintSet",
    .help = "what every projective constraint has",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_projection),
    .flags = ST_CLASS_ABSTRACT,
    .accepts = projection_accepts,
    .init = projection_init,
};
