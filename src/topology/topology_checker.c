// TopologyChecker: says what is wrong with a topology, at init and, on request, in every step. It changes nothing.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/check.h"

typedef struct topology_checker {
    st_object object;
    bool each_step;
    st_object *topology;
    uint32_t findings;
} topology_checker;

static const st_field fields[] = {
    ST_FIELD(topology_checker, each_step, "eachStep", st_type_bool, "0", "check at the end of each step, too"),
    ST_FIELD(topology_checker, topology, "topology", st_type_link, NULL, "the topology; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELD(topology_checker, findings, "findings", st_type_uint, "0",
             "number of things that were wrong the last time", .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

static st_status topology_checker_check(st_object *object) {
    topology_checker *self = (topology_checker *)object;

    if (!self->topology) return ST_OK;
    self->findings = (uint32_t)st_topology_check((st_topology *)self->topology);
    st_touch(object, &self->findings);
    return ST_OK;
}

static st_status topology_checker_init(st_object *object) {
    topology_checker *self = (topology_checker *)object;

    if (!self->topology) self->topology = st_find(object->node, ST_ROLE(topology), ST_UP);
    if (!self->topology) return st_invalid(object, "there is no topology in its node or above");
    return topology_checker_check(object);
}

static void topology_checker_event(st_object *object, st_event *event_) {
    if (event_->kind == ST_EVENT_ANIMATE_END && ((topology_checker *)object)->each_step) topology_checker_check(object);
}

const st_class st_topology_checker_class = {
    .name = "TopologyChecker",
    .help = "says what is wrong with a topology",
    .kind = "mesh geometry",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(topology_checker),
    .example = "<MeshTopology position=\"0 0 0  1 0 0  0 1 0\" triangles=\"0 1 2\"/>\n<TopologyChecker/>",
    .flags = ST_CLASS_LISTENING,
    .init = topology_checker_init,
    .reinit = topology_checker_check,
    .event = topology_checker_event,
};
