// QuadSetTopologyContainer: quads, their edges and points (container.h).
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/container.h"

static const st_field fields[] = {
    ST_FIELD(st_topology, elements[ST_QUAD], "quads", st_type_quads, NULL, "quads"),
    ST_FIELDS_END,
};

const st_class st_quad_set_topology_container_class = {
    .name = "QuadSetTopologyContainer",
    .help = "quads, edges and points of a mesh that can change",
    .parent = &st_edge_set_topology_container_class,
    .fields = fields,
    .size = sizeof(st_container),
    .example = "<QuadSetTopologyContainer position=\"0 0 0  1 0 0  1 1 0  0 1 0\" quads=\"0 1 2 3\"/>",
    .init = st_container_init,
};
