// Meshes whose elements are divided into eight: what both kinds share.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_MAPPING_TESSELATED_H
#define SETTEE_TOPOLOGY_MAPPING_TESSELATED_H

#include "topology/mapping/topological_mapping.h"

extern const st_class st_simple_tesselated_tetra_topological_mapping_class,
    st_simple_tesselated_hexa_topological_mapping_class;

// Gives the output the coordinates of the input's points; then appends those of the means of `count` groups of `size`
// input points. Nothing is done where the input has no coordinates.
st_status st_tesselated_begin(st_topological_mapping *mapping);
st_status st_tesselated_add(st_topological_mapping *mapping, const uint32_t *groups, int size, size_t count);

// Which point or edge of the input an output point of a SimpleTesselatedTetraTopologicalMapping was made from. False:
// neither, or there is no such point.
bool st_tesselated_source(const st_object *mapping, size_t point, uint32_t *element, bool *edge);

#endif
