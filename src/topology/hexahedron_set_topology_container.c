// HexahedronSetTopologyContainer: hexahedra, their quads, edges and points (container.h).
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/container.h"

static const st_field fields[] = {
    ST_FIELD(st_topology, elements[ST_HEXAHEDRON], "hexahedra", st_type_hexahedra, NULL, "hexahedra",
             .aliases = "hexas"),
    ST_FIELD(st_container, create_array, "createQuadArray", st_type_bool, "0", "quads are made whenever there are none",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

const st_class st_hexahedron_set_topology_container_class = {
    .name = "HexahedronSetTopologyContainer",
    .help = "hexahedra, quads, edges and points of a mesh that can change",
    .parent = &st_quad_set_topology_container_class,
    .fields = fields,
    .size = sizeof(st_container),
    .example = "<HexahedronSetTopologyContainer hexahedra=\"0 1 2 3 4 5 6 7\"/>",
    .init = st_container_init,
};
