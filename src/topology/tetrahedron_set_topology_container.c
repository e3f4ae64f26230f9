// TetrahedronSetTopologyContainer: tetrahedra, their triangles, edges and points (container.h).
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/container.h"

static const st_field fields[] = {
    ST_FIELD(st_topology, elements[ST_TETRAHEDRON], "tetrahedra", st_type_tetrahedra, NULL, "tetrahedra",
             .aliases = "tetras"),
    ST_FIELD(st_container, create_array, "createTriangleArray", st_type_bool, "0",
             "triangles are made whenever there are none", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

const st_class st_tetrahedron_set_topology_container_class = {
    .name = "TetrahedronSetTopologyContainer",
    .help = "tetrahedra, triangles, edges and points of a mesh that can change",
    .parent = &st_triangle_set_topology_container_class,
    .fields = fields,
    .size = sizeof(st_container),
    .example = "<TetrahedronSetTopologyContainer position=\"0 0 0  1 0 0  0 1 0  0 0 1\" tetrahedra=\"0 1 2 3\"/>",
    .init = st_container_init,
};
