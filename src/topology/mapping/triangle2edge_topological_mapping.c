// Triangle2EdgeTopologicalMapping: the rim of a surface, which is the edges that one triangle has.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/container.h"
#include "topology/mapping/topological_mapping.h"

static st_status triangle2edge_init(st_object *object) {
    st_topological_mapping *mapping = (st_topological_mapping *)object;
    st_status status = st_topological_check_types(mapping, ST_TRIANGLE, ST_EDGE);
    if (status == ST_OK) status = st_topological_require_modifier(mapping, &st_edge_set_topology_modifier_class);
    return status == ST_OK ? st_topological_map_border(mapping, ST_TRIANGLE, ST_EDGE, false) : status;
}

const st_class st_triangle2edge_topological_mapping_class = {
    .name = "Triangle2EdgeTopologicalMapping",
    .help = "the rim of a surface of triangles",
    .parent = &st_topological_mapping_class,
    .size = sizeof(st_topological_mapping),
    .example = "<TriangleSetTopologyContainer name='surface' triangles='0 1 2 1 3 2'/><Node name='rim'>"
               "<EdgeSetTopologyContainer name='edges'/><EdgeSetTopologyModifier/>"
               "<Triangle2EdgeTopologicalMapping input='@../surface' output='@edges'/></Node>",
    .init = triangle2edge_init,
};
