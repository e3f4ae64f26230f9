// Hexa2PrismTopologicalMapping: two prisms for each hexahedron.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/mapping/topological_mapping.h"

static st_status hexa2prism_init(st_object *object) {
    static const int prisms[2][6] = {{0, 5, 1, 3, 6, 2}, {0, 4, 5, 3, 7, 6}};
    st_topological_mapping *mapping = (st_topological_mapping *)object;
    st_topology *input = st_mapped_from(mapping), *output = st_mapped_to(mapping);
    const st_uints *cells = st_topology_elements(input, ST_HEXAHEDRON);

    st_topological_begin(mapping, st_topology_points(input));
    const st_status status = st_topological_reserve(mapping, ST_PRISM, 2 * cells->count, cells->count, 2);
    if (status != ST_OK) return status;

    for (size_t cell = 0; cell < cells->count; cell++)
        for (size_t k = 0; k < 2; k++) {
            const size_t out = 2 * cell + k;
            for (size_t i = 0; i < 6; i++)
                output->elements[ST_PRISM].data[6 * out + i] = cells->data[8 * cell + (size_t)prisms[k][i]];
            st_topological_relate(mapping, out, cell, k);
        }

    return st_topological_finish(mapping);
}

const st_class st_hexa2prism_topological_mapping_class = {
    .name = "Hexa2PrismTopologicalMapping",
    .help = "two prisms for each hexahedron",
    .parent = &st_topological_mapping_class,
    .size = sizeof(st_topological_mapping),
    .example = "<RegularGridTopology name='grid' n='3 3 3'/><Node name='prisms'><MeshTopology name='mesh'/>"
               "<Hexa2PrismTopologicalMapping input='@../grid' output='@mesh'/></Node>",
    .init = hexa2prism_init,
};
