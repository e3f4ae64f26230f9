// TriangleSetTopologyContainer: triangles, their edges and points (container.h).
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/container.h"

static const st_field fields[] = {
    ST_FIELD(st_topology, elements[ST_TRIANGLE], "triangles", st_type_triangles, NULL, "triangles"),
    ST_FIELDS_END,
};

const st_class st_triangle_set_topology_container_class = {
    .name = "TriangleSetTopologyContainer",
    .help = "triangles, edges and points of a mesh that can change",
    .parent = &st_edge_set_topology_container_class,
    .fields = fields,
    .size = sizeof(st_container),
    .example = "<TriangleSetTopologyContainer position=\"0 0 0  1 0 0  0 1 0  1 1 0\" triangles=\"0 1 2  1 3 2\"/>",
    .init = st_container_init,
};
