// EdgeSetTopologyContainer: edges and points (container.h).
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/container.h"

static const st_field fields[] = {
    ST_FIELD(st_topology, elements[ST_EDGE], "edges", st_type_edges, NULL, "edges"),
    ST_FIELD(st_container, check_connexity, "checkConnexity", st_type_bool, "0", "say when the mesh falls into parts"),
    ST_FIELDS_END,
};

const st_class st_edge_set_topology_container_class = {
    .name = "EdgeSetTopologyContainer",
    .help = "edges and points of a mesh that can change",
    .parent = &st_point_set_topology_container_class,
    .fields = fields,
    .size = sizeof(st_container),
    .example = "<EdgeSetTopologyContainer position=\"0 0 0  1 0 0  2 0 0\" edges=\"0 1  1 2\"/>",
    .init = st_container_init,
};
