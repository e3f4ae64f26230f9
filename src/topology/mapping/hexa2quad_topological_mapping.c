// Hexa2QuadTopologicalMapping: the surface of a mesh of hexahedra, which is the quads that one of them has.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/container.h"
#include "topology/mapping/topological_mapping.h"

typedef struct mapping {
    st_topological_mapping base;
    bool flip_normals;
} mapping;

static const st_field fields[] = {
    ST_FIELD(mapping, flip_normals, "flipNormals", st_type_bool, "0", "read the vertices of each quad backwards"),
    ST_FIELDS_END,
};

static st_status hexa2quad_init(st_object *object) {
    mapping *self = (mapping *)object;
    st_status status = st_topological_check_types(&self->base, ST_HEXAHEDRON, ST_QUAD);
    if (status == ST_OK) status = st_topological_require_modifier(&self->base, &st_quad_set_topology_modifier_class);
    return status == ST_OK ? st_topological_map_border(&self->base, ST_HEXAHEDRON, ST_QUAD, self->flip_normals)
                           : status;
}

const st_class st_hexa2quad_topological_mapping_class = {
    .name = "Hexa2QuadTopologicalMapping",
    .help = "the surface of a mesh of hexahedra",
    .parent = &st_topological_mapping_class,
    .fields = fields,
    .size = sizeof(mapping),
    .example =
        "<RegularGridTopology name='volume' n='3 3 3'/><Node name='surface'><QuadSetTopologyContainer name='quads'/>"
        "<QuadSetTopologyModifier/><Hexa2QuadTopologicalMapping input='@../volume' output='@quads'/></Node>",
    .init = hexa2quad_init,
};
