// PointSetTopologyContainer: points alone, the base of the changeable containers (container.h).
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/plugin/change.h"
#include "topology/container.h"

static const st_field fields[] = {
    ST_FIELD(st_container, nb_points, "nbPoints", st_type_uint, "0", "number of points; at least that of the positions",
             .mesh = ST_WITH_MESH),
    ST_FIELD(st_container, check_topology, "checkTopology", st_type_bool, "0",
             "look for faults of the mesh and name the elements that have them"),
    ST_FIELDS_END,
};

const st_class st_point_set_topology_container_class = {
    .name = "PointSetTopologyContainer",
    .help = "points of a mesh that can change",
    .parent = &st_topology_class,
    .fields = fields,
    .size = sizeof(st_container),
    .example = "<PointSetTopologyContainer position=\"0 0 0  1 0 0  0 1 0\"/>",
    .init = st_container_init,
    .topology = &st_container_ops,
};
